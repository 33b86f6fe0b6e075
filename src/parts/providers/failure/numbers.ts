/** Token figures that an answer states about itself. */
export interface StatedTokens {
  /** The most that one request may have, or that may be sent in a minute. */
  readonly limit?: number;
  /** Tokens of the prompt alone, of the answer asked for, or of both together. */
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
  /** The most that may be asked for as output. */
  readonly cap?: number;
}

/** What a figure counts. A figure without a part here is a code, a difference, a lower bound or a count of something else. */
type FigurePart = 'limit' | 'input' | 'toolInput' | 'output' | 'total';
interface Figure {
  readonly part: FigurePart;
  readonly value: number;
}

/** Figures written in other ways: "16384-token", "128k window", "32.768 Token", "32 768 jetons". */
const WRITINGS: readonly (readonly [RegExp, (figure: string, rest: string) => string])[] = [
  [/(\d)-(tokens?)\b/g, (figure, rest) => `${figure} ${rest}`],
  [
    /(?<![\w.-])(\d{1,4}(?:\.\d)?)(k)(?=[ -](?:tokens?|context|window|limit|max|of\b|>)|[),;]|\.?$)/g,
    (figure) => `${Number(figure) * 1000}`,
  ],
  [/(?<![\w.,])([1-9]\d{0,2})\.(\d{3})(?= ?(?:tokens?\b|jetons?\b|トークン|[),;]|\.?$))/g, (figure, rest) => figure + rest],
  [/(?<![\w.,])([1-9]\d{0,2})[ \u00a0\u202f](\d{3})(?= ?(?:tokens?\b|jetons?\b))/g, (figure, rest) => figure + rest],
];

/** Digits that no figure of tokens has: links, ids, names with digits in them, dates, versions, codes in brackets. */
const NOISE: readonly RegExp[] = [
  /https?:\/\/\S+/g,
  /\b(?:request|trace|req|log)[ _-]?id\b\W{0,3}[\w-]+/g,
  /\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?)?/g,
  /[`'"][^`'"\s]*\d[^`'"\s]*[a-z][^`'"\s]*[`'"]|[`'"][^`'"\s]*[a-z][^`'"\s]*\d[^`'"\s]*[`'"]/g,
  /\[?\b(?:address|pid|port|code|status|error|https?|attempt|try|retry|slot|at (?:token|position|index))\b[ :=#]{1,2}[\d.:]+(?: ?(?:of|\/) ?\d+)?/g,
  /\b\d+(?:\.\d+){2,}(?::\d+)?/g,
  /^\[\d{4}\]/gm,
  /<\d{3}>/g,
  /(?:this|requested) context length(?: of|:)? \d+/g,
  /\b(?:message|payload|body|content|request) size (?:of )?\d+ (?:exceeds?|is over|>) (?:the )?(?:limit|max\w*)? ?(?:of )?\d+(?! ?tokens)/g,
  /\btensor \w \(\d+\)/g,
  /\$ ?\d[\d.,]*/g,
  // The request is over "by" so much: a difference, not a limit.
  /\bby (?:about |at least |~ ?)?\d[\d,_]*/g,
];
/** A figure of something else. */
const OTHER_UNIT =
  /^[ -]?(?:bytes?|[kmg]i?b\b|characters?|chars?|pixels?|px|images?|pages?|pdf|files?|messages?\b|blocks?|tools?\b|seconds?|secs?|minutes?|hours?|days?|ms\b|s\b|%|requests?|calls?|queries|neurons|credits?|x\b)/;
const OTHER_UNIT_BEFORE =
  /\b(?:bytes?|characters?|chars?|pixels?|images?|pages?|files?|字符|字节)\b[^\d]{0,24}$|string with (?:maximum )?length $/;
/** A range states its upper end. */
const RANGES: readonly (readonly [RegExp, (end: string) => string])[] = [
  [/\[ ?\d+ ?, ?(\d[\d,_]*) ?\]/g, (end) => ` at most ${end} `],
  [/\bfrom \d+ \(inclusive\) to (\d+) \(exclusive\)/g, (end) => ` at most ${Number(end) - 1} `],
  [/\bbetween \d+ and (\d[\d,_]*)/g, (end) => ` at most ${end} `],
  [/\bfrom \d+ to (\d[\d,_]*)/g, (end) => ` at most ${end} `],
];

/** The parameter that asks for output has "max" in its name and is no limit. */
export const OUTPUT_NAME =
  /[`'"#/$.]*\b(?:max(?:imum)?[ _]?(?:completion|output|new|generated|response)[ _]?tokens?|max_?tokens(?:_to_sample)?|max_?token_?count|max_gen\w*|max_decode\w*|n(?:um)?_predict)\b[`'"]?/g;
const ASKED = '¤';

const LIMIT_BEFORE =
  /\blimit(?:ed|s)?\b|\bmax(?:imum|imal)?\b|max_\w+|n_ctx|\bwindow\b|context(?:[ _]?(?:length|size|limit))|コンテキスト|up to|at most|(?:less|fewer|lower|greater|longer|larger|more|higher|bigger) than|less (?:than )?or equal|exceed(?:s|ed|ing)?|\ballow(?:s|ed)\b|\bsupports?\b|\bonly\b|\b(?:above|over|beyond)\b|<=?|>|≤|must be|capacity|accepts?|context of|\bholds?\b|can take|permit(?:s|ted)|num_ctx|handle|erlaubt|kontextlänge|limite|límite|contexte|上限|最大|最长|最多|超过|超出|限制|不能|不得/g;
const LIMIT_AFTER =
  /^[ -]*(?:tokens?|tokens? of)?\s*(?:\(?max(?:imum)?\b|limit\b|context\b|window\b|is (?:allowed|permitted|the most)|の?最大)/;
const USED_BEFORE =
  /request(?:ed|s)? (?:about |for |a total of |is |was )?|received|given|\bgot\b|contain(?:s|ed|ing)?|\b(?:has|have|had|n_keep|n_prompt\w*)\b|\byour \w+ is\b|result(?:ed|ing) in|current(?:ly)?|pass(?:ed|ing)|provided|(?<!can )\btakes?\b|\bsent\b|\byou (?:have|used?|asked)|\bused\b|keep the first|\btotal of\b|actual(?:ly)?|实际|当前|请求|提交|リクエスト|token数|トークン数/g;
const LOWER_BOUND =
  /(?:must|should|needs?|has|have) (?:to )?(?:be|contain|have) (?:at least|greater than|more than|>=?)[^\d]{0,14}$|>= $|minimum[^\d]{0,24}$|min_[^\d]{0,24}$/;
/** What is too much, or is to go: a difference. */
const DIFFERENCE_AFTER =
  /^ ?(?:tokens?|jetons?)? ?(?:(?:which )?(?:is|are) )?(?:too (?:many|long|much)|over\b|above\b|beyond\b|(?:longer|larger|more) than|in excess|excess|(?:must|need to|have to|should) (?:be|go)|to (?:be )?(?:remove|drop|cut))/;
/** What is to be done about it; unless it says how far down. */
const REMEDY_BEFORE = /\b(?:keep the last|drop|remove|trim|cut|shorten|reduce|reserve|leave|delete|free)\b[^.;]*$/;
const DOWN_TO = /\b(?:to|below|under|than|at most|up to|within)\b(?: at most)?[ ~]{0,2}$/;
/** What was spent before this request. */
const SPENT_BEFORE = /\b(?:used|current|remaining)\W{0,3}$/;

const INPUT_AFTER = /^\s*`?(?:tokens?)?\s*(?:in|from|of|for)? ?(?:the|your)? ?`?(?:input|prompt|messages?\b|text input|inputs)/;
const OUTPUT_AFTER = /^\s*(?:tokens?)?\s*(?:in|for|of)? ?(?:the )?(?:completion|output|response|¤)/;
const TOOL_INPUT_AFTER = /^\s*(?:tokens?)?\s*(?:of tool input|in the (?:functions|tools))/;
const OUTPUT_BEFORE = /(?<!(?:input|prompt|and|\+) )¤[^\w>]{0,3}(?:value )?(?:of |is |was |=|: )?$/;
const INPUT_BEFORE =
  /(?:prompt|input|messages?|decoder prompt|inputs)(?: is| are| has| have)?(?:[ _]tokens?)?(?: length| size| count)?(?: of| is|:| \(| \(length)*\s*\(?$|messages resulted in $|n_keep \($|keep the first $|(?:prompt|input|request|messages?) contains? (?:at least )?$|given: $|request has $/;

/** The next figure is what this one is over. */
const OVER_NEXT =
  /^[)\]]? ?(?:tok(?:en)?s?\)? ?)?(?:>=?|\/|vs\.?|versus|(?:which )?exceed(?:s|ed)?\b[^\d.]{0,60}|(?:(?:which|and) )?(?:(?:is|are|goes) )?(?:greater|longer|larger|more|over|above|beyond|past)\b[^\d.]{0,60}|(?:do(?:es)?|will|can) ?not fit\b[^\d.]{0,60}|leaves no room\b[^\d.]{0,60}|of|大于[^\d.]{0,30}|超[过出][^\d.]{0,30})[\s([]*$/;

const NUMBER = /(?<![\w.$-])(\d[\d,_]{0,14}\d|\d)(?:\.0+)?(?![\w-]*[a-z_])(?!\.\d)/g;

/** Reads the figures out of the words; `counts` are numbers that came as fields of their own, `codes` are no figures wherever they stand. */
export function readStatedTokens(words: string, counts: ReadonlyMap<string, number>, codes: readonly string[] = []): StatedTokens {
  const figures = figuresIn(words.toLowerCase()).filter(({ value }) => !codes.includes(String(value)));
  const first = (part: FigurePart): number | undefined => figures.find((figure) => figure.part === part)?.value;
  // Tool definitions are counted apart by some.
  const [prompt, tools = 0] = [first('input'), first('toolInput')];
  const input = counts.get('n_prompt_tokens') ?? (prompt === undefined ? undefined : prompt + tools);
  const limit = counts.get('n_ctx') ?? first('limit');
  const [output, total] = [first('output'), first('total')];
  const figuresRead = { input, output, total };
  return present(
    limit !== undefined && (input === undefined || !/input|prompt|messages/.test(words)) && isOutputLimit(words.toLowerCase())
      ? { ...figuresRead, cap: limit }
      : { ...figuresRead, limit },
  );
}

/** Figures that can be sizes of a request or of a window, whatever is said about them. */
export const countSizes = (words: string): number =>
  [...quiet(words).matchAll(NUMBER)].filter((match) => Number((match[1] ?? '').replace(/[,_]/g, '')) >= 1024).length;

function figuresIn(words: string): Figure[] {
  const text = RANGES.reduce((so, [range, write]) => so.replace(range, (_, end: string) => write(end)), quiet(words)).replace(
    OUTPUT_NAME,
    ASKED,
  );
  const found = [...text.matchAll(NUMBER)];
  return found.flatMap((match, place) => {
    const earlier = found[place - 1];
    const from = earlier === undefined ? 0 : earlier.index + earlier[0].length;
    const before = lastSentence(text.slice(from, match.index));
    const after = text.slice(match.index + match[0].length, found[place + 1]?.index);
    const part = partOf(
      before,
      after,
      found[place + 1] !== undefined,
      earlier !== undefined && OVER_NEXT.test(text.slice(from, match.index)),
    );
    return part === undefined ? [] : [{ part, value: Number((match[1] ?? '').replace(/[,_]/g, '')) }];
  });
}

const quiet = (words: string): string =>
  NOISE.reduce(
    (text, noise) => text.replace(noise, ' '),
    WRITINGS.reduce((text, [written, plain]) => text.replace(written, (_, figure: string, rest: string) => plain(figure, rest)), words),
  ).replace(LAST_BRACKET, (bracket, figure: string) => (isRound(Number(figure)) ? bracket : ' '));
/** The last word in brackets is a window when it is a round number, as windows are, and else a code. */
const LAST_BRACKET = /[([](\d{4,5})[)\]]\s*(?:$|(?=\n))/gm;
const isRound = (figure: number): boolean => figure % 64 === 0 || figure % 100 === 0;
const lastSentence = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf('. '), text.lastIndexOf('\n'), text.lastIndexOf('。')) + 1);

function partOf(before: string, after: string, hasNext: boolean, isOvertaken: boolean): FigurePart | undefined {
  if (OTHER_UNIT.test(after) || OTHER_UNIT_BEFORE.test(before) || LOWER_BOUND.test(before) || SPENT_BEFORE.test(before)) return undefined;
  const overNext = hasNext && OVER_NEXT.test(after);
  if (!overNext && (DIFFERENCE_AFTER.test(after) || (isRemedy(before) && !LIMIT_AFTER.test(after)))) return undefined;
  if (OUTPUT_AFTER.test(after) && !/at most|limit|max/.test(before)) return 'output';
  if (/too (?:long|large|big)\W{1,3}$/.test(before)) return before.includes(ASKED) ? 'output' : 'input';
  if (OUTPUT_BEFORE.test(before) || before.endsWith('+ ')) return 'output';
  if (overNext) return before.includes(ASKED) ? 'output' : 'input';
  if (TOOL_INPUT_AFTER.test(after)) return 'toolInput';
  if (/^ \+ $/.test(after)) return 'input';
  const [limit, used] = [lastIndexOf(before, LIMIT_BEFORE), lastIndexOf(before, USED_BEFORE)];
  if (LIMIT_AFTER.test(after) || limit > used || isOvertaken || REMEDY_BEFORE.test(before)) return 'limit';
  if (INPUT_AFTER.test(after) || INPUT_BEFORE.test(before)) return 'input';
  return used >= 0 || /tokens?\W{0,3}$|\($/.test(before) || after.startsWith(' tokens') ? 'total' : undefined;
}

/** A figure in what is to be done, with no limit named after the doing. */
function isRemedy(before: string): boolean {
  const todo = REMEDY_BEFORE.exec(before);
  return todo !== null && lastIndexOf(todo[0], LIMIT_BEFORE) < 0 && !DOWN_TO.test(before);
}

const lastIndexOf = (text: string, cue: RegExp): number => [...text.matchAll(cue)].at(-1)?.index ?? -1;

/** The limit is one on the output alone: it is said of the parameter that asks for output and not of a sum. */
export function isOutputLimit(words: string): boolean {
  const text = words.replace(OUTPUT_NAME, ASKED);
  if (/\+ ?¤|¤ ?\+|(?:input|inputs|prompt|messages|length)\W{0,3}(?:and|plus) (?:the )?¤|input and ¤/.test(text)) return false;
  return OUTPUT_BOUND.test(text);
}
const OUTPUT_BOUND =
  /¤.{0,40}(?:must|should|ensure|less than|less or|<=|cannot|can not|may not|needs|has to|exceed|too large|above|greater|>|range|not valid|invalid|supported|maximum|at most|limit|取值|范围|非法|超过|不能)|invalid ¤|range of ¤|max(?:imum)? tokens (?:you requested|must|should|cannot|exceeds?|value|too )|max output|(?:allowed|maximum) (?:number of )?(?:output|completion) tokens|(?:at most|maximum of|up to|limit of) [\d,]+ (?:completion|output) tokens|output token limit/;

const present = (all: { readonly [Key in keyof StatedTokens]: number | undefined }): StatedTokens =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** Output is spoken of, so that a total may be that of input and output. */
const SPEAKS_OF_OUTPUT = /completion|output|max_?(?:\w+_)?tokens|generat|predict|new tokens|answer|requested/;

/** More was asked for than fits. Where the answer counts input and output together, or nothing, our own estimate decides. */
export function isOverTokenLimit({ limit, input, total }: StatedTokens, estimate: number | undefined, words: string): boolean {
  if (limit === undefined) return false;
  const prompt = input ?? (total !== undefined && !SPEAKS_OF_OUTPUT.test(words) ? total : undefined);
  if (prompt !== undefined && prompt > limit) return true;
  if (input !== undefined) return false;
  return estimate === undefined ? total !== undefined && total > limit : estimate >= limit;
}

/** The output the answer leaves room for, when the prompt alone would fit. */
export function findOutputRoom(stated: StatedTokens, estimate: number | undefined, words: string): number | undefined {
  const { cap, limit, input, total, output } = stated;
  if (cap !== undefined) return cap;
  const spoken = output !== undefined || SPEAKS_OF_OUTPUT.test(words);
  if (limit === undefined || !spoken || isOverTokenLimit(stated, estimate, words)) return undefined;
  const prompt = input ?? (total === undefined && output === undefined ? undefined : estimate);
  return prompt === undefined || prompt >= limit ? undefined : limit - prompt;
}

/** Token figures that an answer states about itself. */
export interface StatedTokens {
  /** The window. */
  readonly limit?: number;
  /** Tokens of the prompt alone, of the answer asked for, or of both together. */
  readonly input?: number;
  readonly output?: number;
  readonly total?: number;
  /** The most that may be asked for as output. */
  readonly cap?: number;
}

// Bounded: a wall of digits must not cost more than a sentence.
const N = '(?<!\\d)(\\d[\\d,_]{0,14})';
const patterns = (...sources: readonly string[]): readonly RegExp[] => sources.map((source) => new RegExp(source.replaceAll('#', N), 'i'));

/** `#` is a number. The first pattern that fits gives the figure. */
const CAP = patterns(
  'max_(?:completion_|output_)?tokens: # ?> ?#, which is the maximum',
  'max_?(?:completion_|output_|new_)?tokens[^.]{0,60}(?:range|between)[^.[]{0,30}\\[\\d+, ?#\\]',
  'range of max_?(?:completion_|output_|new_)?tokens[^[]{0,20}\\[\\d+, ?#\\]',
  '(?<!\\+ .?)max_?(?:completion_|output_|new_)?tokens\\W{0,3} (?:must be|should be|cannot be|can not be|needs to be|has to be)(?:(?!at least|greater|positive|>)[^.\\d]){0,40}#',
  '(?<!\\+ .?)max_?(?:completion_|output_|new_)?tokens\\W(?:(?!context)[^.\\d]){0,40}(?:maximum|at most|cannot exceed|up to|<=|limit(?: is| of)?)[^.\\d]{0,20}#',
  'supports? at most # (?:completion|output) tokens',
  'maximum (?:number of )?(?:output|completion) tokens[^.\\d]{0,40}#',
  'between 1 and # (?:for|inclusive)',
);
const EXCLUSIVE_CAP = patterns('maxoutputtokens[^.]*range is from \\d+ \\(inclusive\\) to # \\(exclusive\\)');

const LIMIT = patterns(
  'exceed context limit: \\d[\\d,]{0,14} \\+ \\d[\\d,]{0,14} ?> ?#',
  'maximum context length:? (?:is |of )?#',
  'model with # maximum context length',
  'max_seq_len \\(#',
  'must have less than # tokens',
  'max(?:imum)? (?:model |context |sequence |input |prompt )?(?:length|len|tokens|size) (?:is |of |allowed[: ]*)?\\(?#',
  'context (?:size|length|window|limit)[^.\\d]{0,40}#(?! in)',
  '\\d[\\d,]{0,14} ?(?:tokens? )?> ?# ?(?:maximum|tokens|max)',
  '(?:exceeds|exceeded) the (?:limit|maximum|model limit|token limit)[^.\\d]{0,40}(?:length |tokens |allowed )?\\(?#',
  'allowed length \\(#',
  'number of tokens allowed[ (]*#',
  'limit is #',
  'token limit:? #',
  'must be <= ?#',
  'n_ctx \\(#',
  'max(?:imum)? size: # tokens',
  'maximum model length of #',
  'maximum (?:prompt|input) (?:length|tokens)[^.\\d]{0,20}#',
  'range of input length should be \\[\\d+, ?#\\]',
);
const INPUT = patterns(
  '# (?:tokens )?(?:in the|from the input|of text|from the) (?:messages|message|input|prompt)',
  'input length and `?max_tokens`? exceed context limit: #',
  'your (?:request|prompt|input) has # input tokens',
  'given: # `?inputs`? tokens',
  'prompt contains (?:at least )?# (?:input )?tokens',
  '# input tokens',
  'prompt is too long: #',
  'prompt contains # tokens',
  'token count of #',
  'token count \\(#',
  '(?:request|input length|input|prompt|prompt_tokens) \\(#',
  '(?:request|prompt|input) (?:contains|has) # tokens',
  'given: #',
  'n_keep \\(#',
  'decoder prompt \\(length #',
  'current length is #',
  'prompt \\(length #',
  'prompt (?:has|is|of) # tokens',
);
const TOOL_INPUT = patterns('# of tool input', '# in the functions');
const OUTPUT = patterns(
  '# (?:tokens )?(?:in the|for the) (?:completion|output|response)',
  'exceed context limit: \\d[\\d,]{0,14} \\+ #',
  'and # `?max_new_tokens`?',
  'too large: #\\.',
  'requested # output tokens',
  '# (?:output|completion) tokens (?:were |are )?requested',
);
const TOTAL = patterns('requested (?:about |a total of )?# tokens', 'resulted in # tokens', 'requested:? #', 'total of # tokens');

/** Reads the figures out of the words; `counts` are numbers that came as fields of their own. */
export function readStatedTokens(words: string, counts: ReadonlyMap<string, number>): StatedTokens {
  const exclusive = find(words, EXCLUSIVE_CAP);
  const input = counts.get('n_prompt_tokens') ?? sum(find(words, INPUT), find(words, TOOL_INPUT));
  return present({
    cap: exclusive === undefined ? find(words, CAP) : exclusive - 1,
    limit: counts.get('n_ctx') ?? find(words, LIMIT),
    input,
    output: find(words, OUTPUT),
    total: find(words, TOTAL),
  });
}

function find(words: string, list: readonly RegExp[]): number | undefined {
  for (const pattern of list) {
    const digits = pattern
      .exec(words)
      ?.slice(1)
      .findLast((group) => group !== undefined);
    if (digits !== undefined) return Number(digits.replace(/[,_]/g, ''));
  }
  return undefined;
}
const sum = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? undefined : a + (b ?? 0));
const present = (all: { readonly [Key in keyof StatedTokens]: number | undefined }): StatedTokens =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** More was asked for than fits, by the answer's own figures. */
export const exceeds = ({ limit, input, total }: StatedTokens): boolean =>
  limit !== undefined && ((input !== undefined && input > limit) || (input === undefined && total !== undefined && total > limit));

/** The output the answer leaves room for, when the prompt alone would fit. */
export function outputRoom({ cap, limit, input, output, total }: StatedTokens): number | undefined {
  if (cap !== undefined) return cap;
  if (limit === undefined || input === undefined || input >= limit) return undefined;
  const asked = output === undefined ? total : input + output;
  return asked !== undefined && asked > limit ? limit - input : undefined;
}

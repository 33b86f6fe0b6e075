/**
 * Splits reasoning that a model writes between tags from the words meant for the reader. Pure, and the same for any chunking.
 *
 * The rule for a tag that is merely quoted: inside a code fence or an inline code span a tag is text. A run of ticks opens a span only
 * if its pair follows on the same line and not too far away: a lone tick ("don`t") protects nothing, and what follows it is held back
 * until that is known. Inside reasoning tags nest, and a closing tag of any of the names closes, unless it stands directly between two
 * backticks; a fence opened in reasoning protects nothing, because a fence left open there would swallow the whole answer.
 *
 * Some chat templates open the thought themselves, so that the reply begins inside it and its first tag is a closing one. All before that
 * tag is then reasoning. Nothing is held back for this case, which would stop every stream until its end: what has been shown stays
 * shown, a `recall` piece moves it to the other track, and the final message is what holds.
 */
export interface TagScan {
  /** The end of what has come that could still turn out to be a tag, a run of ticks or a code span. */
  readonly held: string;
  /** How many reasoning tags are open. */
  readonly depth: number;
  /** The run of ticks or tildes that opened the code we are in, or ''. */
  readonly code: string;
  readonly fenced: boolean;
  /** Nothing but space so far on this line, so a run of three opens a fence. */
  readonly lineBlank: boolean;
  /** Space before the first word: shown with it, dropped when a tag comes first. */
  readonly lead: string;
  readonly started: boolean;
  readonly tagged: boolean;
  /** No tag so far: a closing one would tell that all of this was reasoning. */
  readonly untold: boolean;
  readonly last: string;
}
/** `recall`: all text given so far was reasoning, and so is this, which was not given yet. */
export interface TaggedText {
  readonly kind: 'text' | 'thinking' | 'recall';
  readonly text: string;
}

export const SCAN: TagScan = {
  held: '',
  depth: 0,
  code: '',
  fenced: false,
  lineBlank: true,
  lead: '',
  started: false,
  tagged: false,
  untold: true,
  last: '',
};

const NAMES = ['think', 'thinking', 'reasoning', 'thought', 'reasoning_scratchpad'];
/** Longest run of ticks that is looked at as one: a model caught in a loop must not make us hold back forever. */
const RUN = 64;
/** How far the end of a code span may be from its beginning, and so the most that is held back for it. */
const SPAN = 400;
const TICKS = new RegExp(`\`{1,${RUN}}`, 'g');
const TOKEN = new RegExp(`<(/?)(${NAMES.join('|')})\\s{0,3}>|\`{1,${RUN}}|~{1,${RUN}}|\\n|[^<\`~\\n]+|<`, 'giy');
const UNFINISHED = /^<\/?([a-z_]*)(\s{0,3})$/i;

/** Takes the next chunk; `over` says that nothing follows, so nothing is held back. */
export function scanTags(scan: TagScan, chunk: string, over = false): readonly [TagScan, readonly TaggedText[]] {
  const buffer = scan.held + chunk;
  const pieces: TaggedText[] = [];
  let state: TagScan = { ...scan, held: '' };
  for (const match of buffer.matchAll(TOKEN)) {
    const rest = buffer.slice(match.index);
    if (!over && undecided(state, match[0], rest)) return [{ ...state, held: rest }, joined(pieces)];
    const token = { text: match[0], closes: match[1] === '/', tag: match[2] !== undefined, rest };
    const [next, piece] = take(state, token);
    state = { ...next, last: token.text.slice(-1) };
    if (piece?.kind === 'recall') pieces.splice(0, Infinity, { kind: 'recall', text: pieces.map(({ text }) => text).join('') });
    else if (piece !== undefined) pieces.push(piece);
  }
  if (over && state.lead !== '') return [{ ...state, lead: '' }, joined([...pieces, { kind: 'text', text: state.lead }])];
  return [state, joined(pieces)];
}

interface TagToken {
  readonly text: string;
  readonly closes: boolean;
  readonly tag: boolean;
  /** All that is known from this token on. */
  readonly rest: string;
}

/** Whether more input could change what this token is. */
function undecided(state: TagScan, token: string, rest: string): boolean {
  if (token === '<') return mayBecomeTag(rest);
  const last = rest.length === token.length;
  if (state.depth > 0) return last && token.startsWith('<') && state.last === '`';
  if (last && token.length < RUN && /^[`~]/.test(token)) return true;
  return token.startsWith('`') && state.code === '' && !opensFence(token, state.lineBlank) && spanOf(token, rest) === 'open';
}

/** Whether the pair of a run of ticks follows on its line; `open` while more input could bring it. */
function spanOf(run: string, rest: string): 'paired' | 'alone' | 'open' {
  const ahead = rest.slice(run.length, run.length + SPAN);
  const end = ahead.indexOf('\n');
  const line = end < 0 ? ahead : ahead.slice(0, end);
  // A run that touches the end of what is seen may go on behind it.
  const whole = (at: number): boolean => end >= 0 || at < line.length;
  const pairs = [...line.matchAll(TICKS)].filter(([ticks]) => ticks.length === run.length);
  if (pairs.some((pair) => whole(pair.index + run.length))) return 'paired';
  return end >= 0 || ahead.length === SPAN ? 'alone' : 'open';
}

function mayBecomeTag(rest: string): boolean {
  const match = UNFINISHED.exec(rest);
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return match?.[2] === '' ? NAMES.some((known) => known.startsWith(name)) : NAMES.includes(name);
}

function take(state: TagScan, token: TagToken): readonly [TagScan, TaggedText?] {
  if (state.depth > 0) return takeInside(state, token);
  if (token.tag && state.code === '') return takeOutermost(state, token);
  return show(afterText(state, token), token.text);
}

function takeOutermost(state: TagScan, { closes }: TagToken): readonly [TagScan, TaggedText?] {
  const next = { ...state, depth: closes ? 0 : 1, tagged: true, untold: false, lead: '' };
  return closes && state.untold && state.started
    ? [
        { ...next, started: false },
        { kind: 'recall', text: '' },
      ]
    : [next];
}

function takeInside(state: TagScan, token: TagToken): readonly [TagScan, TaggedText?] {
  const quoted = state.last === '`' && token.rest.charAt(token.text.length) === '`';
  const depth = token.tag && !quoted ? state.depth + (token.closes ? -1 : 1) : state.depth;
  // The outermost tags are nobody's words; those between them are the model's own.
  return depth === 0
    ? [{ ...state, depth }]
    : [
        { ...state, depth },
        { kind: 'thinking', text: token.text },
      ];
}

/** Keeps track of code and line starts. */
function afterText(state: TagScan, { text, rest }: TagToken): TagScan {
  if (text === '\n') return { ...state, lineBlank: true, ...(state.fenced ? {} : { code: '' }) };
  const here = { ...state, lineBlank: state.lineBlank && /^[\s>]*$/.test(text) };
  if (!/^[`~]/.test(text)) return here;
  if (state.code !== '') return closesCode(state, text) ? { ...here, code: '', fenced: false } : here;
  if (opensFence(text, state.lineBlank)) return { ...here, code: text, fenced: true };
  return text.startsWith('`') && opensSpan(text, rest) ? { ...here, code: text } : here;
}

const opensFence = (run: string, lineBlank: boolean): boolean => lineBlank && run.length >= 3;
/** At the end of everything a pair may be the last word. */
const opensSpan = (run: string, rest: string): boolean => spanOf(run, rest.length < run.length + SPAN ? `${rest}\n` : rest) === 'paired';
const closesCode = (state: TagScan, run: string): boolean =>
  state.fenced ? state.lineBlank && run.startsWith(state.code) : run === state.code;

/** Holds space back until the first word, so that an answer after its reasoning does not begin with empty lines. */
function show(state: TagScan, text: string): readonly [TagScan, TaggedText?] {
  if (state.started) return [state, { kind: 'text', text }];
  if (text.trim() === '') return [state.tagged ? state : { ...state, lead: state.lead + text }];
  const shown = state.tagged ? text.trimStart() : state.lead + text;
  return [
    { ...state, started: true, lead: '' },
    { kind: 'text', text: shown },
  ];
}

function joined(pieces: readonly TaggedText[]): readonly TaggedText[] {
  const out: TaggedText[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last?.kind === piece.kind) out[out.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

/**
 * Splits reasoning that a model writes between tags from the words meant for the reader. Pure, and the same for any chunking.
 *
 * The rule for a tag that is merely quoted: inside a code fence or an inline code span (which ends with its line) a tag is text.
 * Inside reasoning only the closing tag of the same name counts, unless it stands directly between two backticks; a fence opened
 * in reasoning protects nothing, because a fence left open there would swallow the whole answer.
 */
export interface TagScan {
  /** The end of what has come that could still turn out to be a tag or a run of ticks. */
  readonly held: string;
  /** Name of the reasoning tag that is open, or ''. */
  readonly inside: string;
  /** The run of ticks or tildes that opened the code we are in, or ''. */
  readonly code: string;
  readonly fenced: boolean;
  /** Nothing but space so far on this line, so a run of three opens a fence. */
  readonly lineBlank: boolean;
  /** Space before the first word: shown with it, dropped when a tag comes first. */
  readonly lead: string;
  readonly started: boolean;
  readonly tagged: boolean;
  readonly last: string;
}
export interface Piece {
  readonly kind: 'text' | 'thinking';
  readonly text: string;
}

export const SCAN: TagScan = {
  held: '',
  inside: '',
  code: '',
  fenced: false,
  lineBlank: true,
  lead: '',
  started: false,
  tagged: false,
  last: '',
};

const NAMES = ['think', 'thinking', 'reasoning', 'thought', 'reasoning_scratchpad'];
/** Longest run of ticks that is looked at as one: a model caught in a loop must not make us hold back forever. */
const RUN = 64;
const TOKEN = new RegExp(`<(/?)(${NAMES.join('|')})\\s{0,3}>|\`{1,${RUN}}|~{1,${RUN}}|\\n|[^<\`~\\n]+|<`, 'giy');
const UNFINISHED = /^<\/?([a-z_]*)(\s{0,3})$/i;

/** Takes the next chunk; `over` says that nothing follows, so nothing is held back. */
export function scanTags(scan: TagScan, chunk: string, over = false): readonly [TagScan, readonly Piece[]] {
  const buffer = scan.held + chunk;
  const pieces: Piece[] = [];
  let state: TagScan = { ...scan, held: '' };
  for (const match of buffer.matchAll(TOKEN)) {
    const rest = buffer.slice(match.index);
    if (!over && undecided(state, match[0], rest)) return [{ ...state, held: rest }, joined(pieces)];
    const token = { text: match[0], closes: match[1] === '/', tag: match[2]?.toLowerCase() ?? '', next: rest.charAt(match[0].length) };
    const [next, piece] = take(state, token);
    state = { ...next, last: token.text.slice(-1) };
    if (piece !== undefined) pieces.push(piece);
  }
  if (over && state.lead !== '') return [{ ...state, lead: '' }, joined([...pieces, { kind: 'text', text: state.lead }])];
  return [state, joined(pieces)];
}

interface Token {
  readonly text: string;
  readonly closes: boolean;
  readonly tag: string;
  readonly next: string;
}

/** Whether more input could change what this token is. */
function undecided(state: TagScan, token: string, rest: string): boolean {
  if (token === '<') return mayBecomeTag(rest);
  if (rest.length > token.length) return false;
  if (state.inside !== '') return token.startsWith('<') && state.last === '`';
  return token.length < RUN && (token.startsWith('`') || token.startsWith('~'));
}

function mayBecomeTag(rest: string): boolean {
  const match = UNFINISHED.exec(rest);
  const name = match?.[1]?.toLowerCase();
  if (name === undefined) return false;
  return match?.[2] === '' ? NAMES.some((known) => known.startsWith(name)) : NAMES.includes(name);
}

function take(state: TagScan, token: Token): readonly [TagScan, Piece?] {
  if (state.inside !== '') return takeInside(state, token);
  if (token.tag !== '' && state.code === '') return [{ ...state, inside: token.closes ? '' : token.tag, tagged: true, lead: '' }];
  return show(afterText(state, token.text), token.text);
}

function takeInside(state: TagScan, token: Token): readonly [TagScan, Piece?] {
  const quoted = state.last === '`' && token.next === '`';
  if (token.closes && token.tag === state.inside && !quoted) return [{ ...state, inside: '' }];
  return [state, { kind: 'thinking', text: token.text }];
}

/** Keeps track of code and line starts. */
function afterText(state: TagScan, text: string): TagScan {
  if (text === '\n') return { ...state, lineBlank: true, ...(state.fenced ? {} : { code: '' }) };
  const here = { ...state, lineBlank: state.lineBlank && /^[\s>]*$/.test(text) };
  if (!/^[`~]/.test(text)) return here;
  if (state.code === '') return opensCode(here, text, state.lineBlank);
  return closesCode(state, text) ? { ...here, code: '', fenced: false } : here;
}

function opensCode(state: TagScan, run: string, lineBlank: boolean): TagScan {
  const fenced = lineBlank && run.length >= 3;
  return fenced || run.startsWith('`') ? { ...state, code: run, fenced } : state;
}
const closesCode = (state: TagScan, run: string): boolean =>
  state.fenced ? state.lineBlank && run.startsWith(state.code) : run === state.code;

/** Holds space back until the first word, so that an answer after its reasoning does not begin with empty lines. */
function show(state: TagScan, text: string): readonly [TagScan, Piece?] {
  if (state.started) return [state, { kind: 'text', text }];
  if (text.trim() === '') return [state.tagged ? state : { ...state, lead: state.lead + text }];
  const shown = state.tagged ? text.trimStart() : state.lead + text;
  return [
    { ...state, started: true, lead: '' },
    { kind: 'text', text: shown },
  ];
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last?.kind === piece.kind) out[out.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    else out.push(piece);
  }
  return out;
}

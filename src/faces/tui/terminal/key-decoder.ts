/**
 * Cuts what a terminal sends into whole keys. A key is one character, or one sequence; a paste comes whole with its marks
 * around it. What a terminal answers to a question never counts as a key.
 */
export interface KeyDecoder {
  /** Text as it came, in any pieces. */
  feed(text: string): void;
  /** Nothing more comes: what waits for its end is given out. */
  flush(): void;
}
export interface KeyDecoderOptions {
  readonly key: (data: string) => void;
  readonly answer: (sequence: string) => void;
  /** How long a lone Escape waits for the rest of a sequence. */
  readonly escapeMs: number;
}

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Sequences, whole, at the beginning of a text. The Linux console sends `ESC [ [ A` for F1. */
const WHOLE =
  // oxlint-disable-next-line no-control-regex -- sequences are what this is about
  /^(?:\u001b\[\[[A-E]|\u001b\[[0-?]*[ -/]*[@-Z\\-~]|\u001bO[^\u001b]|\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b(?![[\]OP_^X\u001b])[^]|[^\u001b])/u;
/** The beginning of an answer. Nobody types this; it is waited for longer and never shown. */
// oxlint-disable-next-line no-control-regex -- sequences are what this is about
const ANSWER = /^\u001b(?:\[\?|\]\d|P[>!\d]|_G)/;
// oxlint-disable-next-line no-control-regex -- sequences are what this is about
const BEGUN = /^\u001b(?:\[[0-?]*[ -/]*|O|[\]P_^X][^\u0007\u001b]*\u001b?|\[\[)?$/;
const SEQUENCE_MS = 50;
const ANSWER_MS = 1_000;

export function createKeyDecoder({ key, answer, escapeMs }: KeyDecoderOptions): KeyDecoder {
  let rest = '';
  let paste: string[] | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function feedPaste(pieces: string[], text: string): string {
    // The end mark may be cut in two: the last piece is looked at together with the new one.
    const joined = (pieces.pop() ?? '') + text;
    const end = joined.indexOf(PASTE_END);
    if (end < 0) {
      const safe = Math.max(0, joined.length - PASTE_END.length);
      pieces.push(joined.slice(0, safe), joined.slice(safe));
      return '';
    }
    paste = undefined;
    key(`${PASTE_START}${pieces.join('')}${joined.slice(0, end)}${PASTE_END}`);
    return joined.slice(end + PASTE_END.length);
  }

  /** Gives out the first key of a text; what is left over, or the same text when the key is not whole yet. */
  function takeOne(text: string): string {
    const found = WHOLE.exec(text)?.[0];
    if (found === undefined) return text.startsWith('\u001b') && !BEGUN.test(text) ? giveOut('\u001b', text.slice(1)) : text;
    if (found === PASTE_START) paste = [];
    else if (ANSWER.test(found)) answer(found);
    else key(found);
    return text.slice(found.length);
  }
  function giveOut(data: string, left: string): string {
    key(data);
    return left;
  }

  function drain(text: string): void {
    rest = text;
    while (rest !== '') {
      const before = rest;
      rest = paste === undefined ? takeOne(before) : feedPaste(paste, before);
      if (rest === before) break;
    }
  }

  function expire(): void {
    const late = rest;
    rest = '';
    if (late === '' || ANSWER.test(late)) return;
    key(late);
  }

  return {
    feed(text) {
      clearTimeout(timer);
      drain(rest + text);
      if (rest === '') return;
      timer = setTimeout(expire, rest === '\u001b' ? escapeMs : ANSWER.test(rest) ? ANSWER_MS : SEQUENCE_MS);
    },
    flush() {
      clearTimeout(timer);
      expire();
    },
  };
}

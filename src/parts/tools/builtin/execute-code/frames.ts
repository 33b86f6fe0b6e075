/**
 * What a script says to us stands between its own words on the same pipe. A frame begins with a mark nobody can guess and
 * ends with its line:
 *
 *   mark kind id '.' (0 | 1: the last piece) ' ' payload '\n'
 *
 * It is at most a page long, so that one write puts it down whole whoever else writes; longer messages come in pieces.
 * The payload is bytes, each as two of sixteen letters: no redaction on the way can take them for anything.
 */
export interface ScriptFrame {
  /** `c` a call, `r` where the script's source lies. */
  readonly kind: string;
  readonly id: number;
  readonly last: boolean;
  readonly bytes: Buffer;
}
export interface FrameReader {
  push(text: string): void;
  /** What is left when nothing more comes is text. */
  end(): void;
}

/** The first sign ends whatever a redaction may take for the value of a key before it. */
export const createFrameMark = (token: string): string => `<\u{1e}${token} `;
const LETTERS = 'ghijklmnopqrstuv';
/** Characters of a frame; a longer one is none of ours. */
const LONGEST = 8_192;

export function createFrameReader(token: string, tell: { frame(frame: ScriptFrame): void; text(text: string): void }): FrameReader {
  const mark = createFrameMark(token);
  let rest = '';
  const words = (text: string) => (text === '' ? undefined : tell.text(text));
  return {
    push: (text) => {
      rest += text;
      for (let at = rest.indexOf(mark); at >= 0; at = rest.indexOf(mark)) {
        const end = rest.indexOf('\n', at);
        if (end < 0 && rest.length - at < LONGEST) break;
        const frame = end < 0 || end - at > LONGEST ? undefined : readFrame(rest.slice(at + mark.length, end));
        words(rest.slice(0, at));
        if (frame !== undefined) tell.frame(frame);
        // What only looks like a frame is dropped with its mark; nothing of it is a word of the script.
        rest = rest.slice(end < 0 ? at + mark.length : end + 1);
      }
      const kept = rest.includes(mark) ? rest.indexOf(mark) : rest.length - beginningOf(mark, rest);
      words(rest.slice(0, kept));
      rest = rest.slice(kept);
    },
    end: () => {
      words(rest);
      rest = '';
    },
  };
}

function readFrame(line: string): ScriptFrame | undefined {
  const [, kind = '', id = '', last = '', payload = ''] = /^([a-z])(\d{1,15})\.([01]) ([g-v]*)\r?$/.exec(line) ?? [];
  if (kind === '' || payload.length % 2 !== 0) return undefined;
  const hex = payload.replace(/[g-v]/g, (letter) => LETTERS.indexOf(letter).toString(16));
  return { kind, id: Number(id), last: last === '1', bytes: Buffer.from(hex, 'hex') };
}

/** How much of the mark's beginning stands at the end of the text. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

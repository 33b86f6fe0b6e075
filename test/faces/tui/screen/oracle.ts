import { countRows, stripSequences } from '../../../../src/faces/tui/screen/lines.ts';
import type { Frame, MainScreen, TerminalSize } from '../../../../src/faces/tui/contract.ts';
import { FRAME_MARK, type Story } from './story.ts';
import { XtermScreen } from './xterm.ts';

export interface Verdict {
  readonly seed: number;
  /** What is wrong; nothing when the story was kept. */
  readonly problem?: string;
  /** Rows of an old frame that stayed, and how many the terminal itself had pushed out of reach. */
  readonly left: number;
  readonly pushedOut: number;
  /** Rows that could not be counted when the frame wrapped: whether the cursor went down by those below it, and how wide a picture is, each terminal says for itself. */
  readonly unsure: number;
  /** Lines that the terminal itself tore in two. */
  readonly torn?: number;
}
export type MakeScreen = (write: (bytes: string) => void, size: TerminalSize, now: () => number) => MainScreen;

export const SHELL_LINES = Array.from({ length: 500 }, (_, index) => `$ line ${index} of the shell ${'=+'.repeat(index % 70)}`);
/** Sequences that take lines away, or the whole screen. */
// oxlint-disable-next-line no-control-regex -- sequences are what this is about
export const FORBIDDEN = /\u001b\[(?:[23]J|\?(?:47|1047|1049)[hl])|\u001bc/;

/** Plays a story into a terminal and looks at what is in its scrollback afterwards. */
export async function judgeOnXterm(story: Story, make: MakeScreen): Promise<Verdict> {
  const xterm = new XtermScreen(story.size);
  xterm.terminal.write(`${SHELL_LINES.join('\r\n')}\r\n`);
  await xterm.settle();
  let now = 1_000;
  let size = story.size;
  let [pushedOut, unsure] = [0, 0];
  let shown: Frame = { lines: [] };
  let told: TerminalSize | undefined;
  let marker: ReturnType<typeof xterm.terminal.registerMarker> | undefined;
  const screen = make(xterm.write, size, () => now);
  for (const step of story.steps) {
    if (step.type === 'resize') {
      xterm.resize(step.size);
      pushedOut += Math.max(0, xterm.terminal.buffer.active.baseY - (marker?.line ?? Infinity));
      unsure += countUnsure(shown, size, step.size);
      if (step.unheard === true) continue;
      if (told !== undefined) screen.resize(told);
      told = step.size;
      continue;
    }
    now += step.ms;
    if (step.late === undefined && told !== undefined) {
      screen.resize(told);
      [size, told] = [told, undefined];
    }
    screen.update(step.printed, step.frame);
    shown = step.frame;
    await xterm.settle();
    marker?.dispose();
    marker = xterm.terminal.registerMarker(-cursorRow(step.frame, size));
  }
  screen.close();
  await xterm.settle();
  return { ...compare(story, xterm.logicalLines(), xterm.log, pushedOut + unsure), pushedOut, unsure };
}

function countUnsure(frame: Frame, drawn: TerminalSize, { columns }: TerminalSize): number {
  const cursor = cursorRow(frame, drawn);
  const least = (line: string, index: number): number => (index < cursor ? countRows(line, columns) : 1);
  return frame.lines.slice(-drawn.rows).reduce((sum, line, index) => sum + countMostRows(line, columns) - least(line, index), 0);
}

const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Presentation}/gu;
/** Rows that a line takes once it is wrapped, with pictures as wide as any terminal draws them. */
const countMostRows = (line: string, columns: number): number => countRows(line.replaceAll(PICTURE, 'xx'), columns);

function cursorRow({ lines, cursor }: Frame, { rows }: TerminalSize): number {
  const first = Math.max(0, lines.length - rows);
  return cursor !== undefined && cursor.row >= first ? cursor.row - first : 0;
}

/** Pictures that are put together from several: xterm.js mixes them up when it wraps their row anew, with no program running. */
const PICTURES = /(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\ufe0f)+/gu;
/** A wide character that does not fit leaves a gap at the end of its row: gaps are not compared. */
export const toBare = (line: string): string => stripSequences(line).replaceAll(/\s/g, '').replaceAll(PICTURES, '☺');

export function compare(story: Story, lines: readonly string[], log: string, excused: number): Omit<Verdict, 'pushedOut' | 'unsure'> {
  const expected = toCompare([...SHELL_LINES, ...story.printed], story);
  const kept = lines.filter((line) => !line.includes(FRAME_MARK));
  const actual = toCompare(kept, story);
  const base = { seed: story.seed, left: lines.length - kept.length };
  const wrong = expected.findIndex((line, index) => actual[index] !== line);
  if (wrong >= 0)
    return { ...base, problem: `line ${wrong}: expected ${JSON.stringify(expected[wrong])}, found ${JSON.stringify(actual[wrong])}` };
  if (actual.length > expected.length) return { ...base, problem: `more lines than expected: ${JSON.stringify(actual[expected.length])}` };
  if (FORBIDDEN.test(log)) return { ...base, problem: `wrote ${JSON.stringify(FORBIDDEN.exec(log)?.[0])}` };
  if (!story.late && base.left > excused)
    return { ...base, problem: `${base.left} rows of old frames stayed; ${excused} could not be helped` };
  return base;
}

/** A frame that met another size than it was made for may leave rows behind, empty ones too. */
function toCompare(lines: readonly string[], { late }: Story): string[] {
  const text = lines.map(toBare);
  while (text.at(-1) === '') text.pop();
  return late ? text.filter((line) => line !== '') : text;
}

import type { Frame, TerminalSize } from '../../../../src/faces/tui/contract.ts';
import { splitByWidth } from '../../../../src/base/width.ts';
import { stripSequences } from '../../../../src/faces/tui/screen/lines.ts';
import { promptMarks } from '../../../../src/faces/tui/terminal/sequences.ts';

/**
 * One thing that happens. `late` is written by a program that has not heard of the resize before it; a resize that is
 * `unheard` it never hears of: the next one came so soon that it hears of that alone.
 */
export type Step =
  | { readonly type: 'update'; readonly printed: readonly string[]; readonly frame: Frame; readonly ms: number; readonly late?: true }
  | { readonly type: 'resize'; readonly size: TerminalSize; readonly unheard?: true };

export interface Story {
  readonly seed: number;
  readonly size: TerminalSize;
  readonly steps: readonly Step[];
  /** Every line that is printed, in order. */
  readonly printed: readonly string[];
  /** Frames meet sizes they were not made for, or several one after the other: rows of them may stay. */
  readonly late: boolean;
}

export const SIZES: readonly [TerminalSize, ...TerminalSize[]] = [
  { columns: 40, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 132, rows: 43 },
];
/** Lines of the frame have it: what is left of one can be told from what was printed. */
export const FRAME_MARK = '≈';

export type Random = (below: number) => number;
export function seededRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const WORDS = [
  'the',
  'session',
  'resumes',
  'where',
  'it',
  'stopped',
  '終端',
  '画面は',
  '한국어',
  '🚀',
  'naïve',
  'a-very-long-word-indeed',
  '…',
  'ﾊﾝｶｸ',
  '✅',
  '👩‍💻',
];
const STYLES = [
  (text: string) => text,
  (text: string) => `\u001b[1m${text}\u001b[0m`,
  (text: string) => `\u001b[38;5;208m${text}\u001b[39m`,
  // A message that is marked for the terminal to jump to.
  (text: string) => `${promptMarks.prompt}\u001b[1m❯ \u001b[22m${promptMarks.input}${text.slice(2)}`,
];

/** Another width, another height, or both. */
function chooseSize(size: TerminalSize, random: (below: number) => number, late: boolean): TerminalSize {
  const wanted = random(3) === 0 ? (SIZES[random(SIZES.length)] ?? size) : { columns: 20 + random(120), rows: 6 + random(40) };
  const shrinksBoth = wanted.columns < size.columns && wanted.rows < size.rows;
  const way = shrinksBoth && !late ? random(2) : random(3);
  return { columns: way === 1 ? size.columns : wanted.columns, rows: way === 0 ? size.rows : wanted.rows };
}

/** A session as it might go: answers that stream in, tools, dialogs that grow and shrink, widgets, resizes. */
export function tellStory(seed: number, options: { readonly late?: boolean } = {}): Story {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const start = pick(SIZES);
  let size = start;
  const steps: Step[] = [];
  const printed: string[] = [];
  let tail: string[] = [];
  const sentence = (columns: number): string => {
    let text = '';
    for (let count = random(24); count >= 0; count -= 1) text += `${pick(WORDS)} `;
    return splitByWidth(text, columns)[0] ?? '';
  };
  const line = (): string => {
    if (random(7) === 0) return '';
    if (random(9) === 0) return pick(STYLES)('═'.repeat(size.columns));
    const name = `P${printed.length + tail.length} `;
    return pick(STYLES)(name + sentence(size.columns - name.length));
  };
  let dialog = 0;
  let widget = 0;
  const frame = (): Frame => {
    const lines = tail.slice(-3 * size.rows).map((text) => FRAME_MARK + (splitByWidth(stripSequences(text), size.columns - 1)[0] ?? ''));
    if (random(3) > 0) lines.push(`${FRAME_MARK} ${pick(['⠋', '⠙', '⠹'])} working ${random(100)} s`);
    for (let row = 0; row < dialog; row += 1) lines.push(`${FRAME_MARK}│ ${sentence(size.columns - 4)}`);
    for (let row = 0; row < widget; row += 1) lines.push(`${FRAME_MARK} widget ${sentence(size.columns - 10)}`);
    lines.push(FRAME_MARK.repeat(size.columns));
    const input = lines.length;
    for (let row = random(3); row >= 0; row -= 1) lines.push(`${FRAME_MARK}> ${sentence(size.columns - 4)}`);
    lines.push(FRAME_MARK.repeat(size.columns), `${FRAME_MARK} gpt-x │ 12% │ $0.03`);
    const marked = lines.map((text) => text.replaceAll(/[ ═]/g, FRAME_MARK));
    if (random(4) === 0) return { lines: marked };
    return { lines: marked, cursor: { row: input + random(lines.length - input - 2), column: random(size.columns) } };
  };
  const update = (now: readonly string[], late = false, soon = late): void => {
    printed.push(...now);
    steps.push({
      type: 'update',
      printed: now,
      frame: frame(),
      ms: soon || (options.late === true && random(6) === 0) ? random(8) : 60 + random(200),
      ...(late && { late }),
    });
  };
  const resize = (unheard = false): void => {
    size = chooseSize(size, random, options.late === true);
    steps.push({ type: 'resize', size, ...(unheard && { unheard }) });
  };
  /** Written for a size that the terminal no longer has. */
  const writeLate = (believed: TerminalSize): void => {
    const actual = size;
    size = believed;
    for (let writes = random(2); writes >= 0; writes -= 1) update(random(2) === 0 ? [] : [line()], true);
    size = actual;
  };
  const acts: readonly (() => void)[] = [
    () => tail.push(line()),
    () => tail.push(line(), line()),
    () => void (tail[Math.max(0, tail.length - 1)] = line()),
    () => update(tail.splice(0, random(tail.length + 1))),
    () => update(Array.from({ length: random(6) }, line)),
    () => update(Array.from({ length: random(60) }, line)),
    () => (dialog = random(3) === 0 ? random(size.rows + 6) : random(6)),
    () => (dialog = 0),
    () => (widget = random(4)),
    () => update([]),
    () => update([]),
  ];
  update([]);
  for (let count = 30 + random(40); count >= 0; count -= 1) {
    if (random(6) > 0) pick(acts)();
    else {
      const before = size;
      let soon = false;
      for (let unheard = options.late === true ? random(3) : 0; unheard >= 0; unheard -= 1) {
        resize(unheard > 0);
        if (options.late !== true || random(2) === 0) continue;
        writeLate(before);
        soon = true;
      }
      update([], false, soon);
    }
    if (random(3) === 0) update([]);
  }
  update(tail);
  tail = [];
  return { seed, size: start, steps, printed, late: options.late === true };
}

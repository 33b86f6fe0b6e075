import { drawAct, drawNotes } from '../../../../base/screen/act.ts';
import { wrapText } from '../../../../base/screen/wrap.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import type { UserQuestion } from '../../../../contracts/ports.ts';
import type { DrawContext } from '../../contract.ts';
import { splitToColumns } from '../fit.ts';
import { readKey } from '../key-names.ts';
import { createTextField, readTyped } from '../text-field.ts';
import { createDialogScroll, roomBeside } from './scroll.ts';
import { drawWords, type DialogView } from './view.ts';

/** A way to answer: its key, what it says, and what it does. */
interface ApprovalChoice {
  readonly key: string;
  readonly words: string;
  readonly also: readonly string[];
  /** It allows something: it counts only for somebody who could see all of it. */
  readonly allows: boolean;
  /** The answer, or what is to be typed first. */
  readonly answer?: string;
  readonly typed?: 'reason' | 'word';
}

const HINTS = {
  unseen: 'There is more to read: press Space until the end, then answer.',
  none: 'That key answers nothing. Press one of the keys above.',
  word: (word: string) => `Type the word ${word}, or press Esc to go back.`,
} as const;

/** Asks for consent: shows all of the act, and takes one key for each scope. What reaches beyond the session is typed out. */
export function createApprovalView(question: UserQuestion): DialogView {
  const choices = listChoices(question);
  const body = createDialogScroll();
  const field = createTextField();
  const linesFor = rememberLast((columns: number) => drawBody(question, columns));
  let open: ApprovalChoice | undefined;
  let selected = -1;
  let hint = '';

  const take = (choice: ApprovalChoice) => {
    if (choice.allows && !body.seenEnd) return void (hint = HINTS.unseen);
    if (choice.typed === undefined) return { words: choice.answer ?? '' };
    open = choice;
    return undefined;
  };
  const typedAnswer = ({ typed }: ApprovalChoice) => {
    const words = field.read().trim();
    if (typed === 'word') return words === question.typedAnswer ? { words } : void (hint = HINTS.word(question.typedAnswer ?? ''));
    // Never a yes, whatever the words are.
    return { words: words === '' ? (question.choices[1] ?? 'No') : `No: ${words}` };
  };
  return {
    render: (context) => {
      const title = drawTitle(question.question, context);
      const hints = drawWords(hint, 'warn', context);
      const typing = open === undefined ? undefined : drawField(open, field.render(context.columns - 4), context);
      const gap = context.rows < ROOMY_ROWS ? [] : [''];
      const below = typing === undefined ? [...gap, ...drawChoices(choices, selected, context), ...hints] : [...hints, ...typing.lines];
      const room = roomBeside(title.length + below.length + (hint === '' ? 1 : 0), context.rows);
      const above = [...title, ...body.render(linesFor(context.columns), room, context)];
      const lines = [...above, ...below];
      return typing === undefined ? { lines } : { lines, cursor: { row: above.length + hints.length + typing.row, column: typing.column } };
    },
    handleKey: (data) => {
      hint = '';
      const key = readKey(data);
      if (open !== undefined) {
        if (key === 'enter') return typedAnswer(open);
        if (key !== 'escape') return void field.handleKey(data);
        open = undefined;
        field.set('');
        return undefined;
      }
      if (body.handleKey(data)) return undefined;
      if (key === 'up' || key === 'down') return void (selected = step(selected, key === 'up' ? -1 : 1, choices.length));
      const chosen = key === 'enter' ? choices[selected] : findChoice(choices, readTyped(data));
      if (chosen !== undefined) return take(chosen);
      if (key !== 'escape') hint = HINTS.none;
      return undefined;
    },
    forget: () => field.set(''),
  };
}

const step = (at: number, by: number, count: number): number => (at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count);
const findChoice = (choices: readonly ApprovalChoice[], typed = ''): ApprovalChoice | undefined =>
  choices.find(({ key, also }) => key === typed.toLowerCase() || also.includes(typed.toLowerCase()));

/** Once and no first, as in every face; then what reaches further, by the first letter of what it is for. */
function listChoices({ choices, typedAnswer }: UserQuestion): readonly ApprovalChoice[] {
  const [once = 'Yes', no = 'No', ...further] = choices;
  const number = (index: number): string => String(index + 1);
  return [
    { key: 'o', also: ['y', number(0)], words: once, answer: once, allows: true },
    ...further.map((words, index) => ({ key: letterOf(words), also: [number(index + 2)], words, answer: words, allows: true })),
    ...(typedAnswer === undefined
      ? []
      : [{ key: 'a', also: [], words: `Yes, ${typedAnswer} (you type the word)`, allows: true, typed: 'word' as const }]),
    { key: 'd', also: ['n', number(1)], words: no, answer: no, allows: false },
    { key: 'r', also: [], words: 'No, and tell the model why', allows: false, typed: 'reason' as const },
  ];
}
/** Its number alone, where the letter means something else already. */
function letterOf(words: string): string {
  const letter = words.split(' ').at(-1)?.charAt(0).toLowerCase() ?? '';
  return /^[b-z]$/.test(letter) && !'odyanr'.includes(letter) ? letter : '';
}

const drawTitle = (words: string, { columns, style }: DrawContext): string[] =>
  wrapText(`? ${toVisibleLine(words)}`, columns)
    .flatMap((line) => splitToColumns(line, columns))
    .map((line) => style('question', line));

const drawBody = ({ act = '', notes = [] }: UserQuestion, columns: number): string[] =>
  [...drawAct(act, columns), ...drawNotes(notes, columns)].flatMap((line) => splitToColumns(line, columns, GOES_ON));
/** Nothing of the act stands at the edge as if it were ours. */
const GOES_ON = '  ┆ ';

/** Fewer rows than this, and the choices stand side by side: what is consented to needs the room. */
const LOW_ROWS = 20;
/** From here on there is room for a free line above the choices. */
const ROOMY_ROWS = 28;

function drawChoices(choices: readonly ApprovalChoice[], selected: number, { columns, rows, style }: DrawContext): string[] {
  const shown = choices.map(({ key, also, words }) => ({ key: key === '' ? (also[0] ?? '') : key, words: toVisibleLine(words) }));
  if (rows < LOW_ROWS)
    return wrapText(shown.map(({ key, words }) => `${key} ${words}`).join(' · '), columns)
      .flatMap((line) => splitToColumns(line, columns))
      .map((line) => style('accent', line));
  return shown.flatMap(({ key, words }, index) =>
    wrapText(words, columns - 5)
      .flatMap((line) => splitToColumns(line, Math.max(1, columns - 5)))
      .map((line, row) => {
        const mark = row === 0 ? `${index === selected ? '›' : ' '} ${style('accent', key)}  ` : '     ';
        return `${mark}${index === selected ? style('selected', line) : line}`;
      }),
  );
}

const PROMPTS = {
  reason: 'Why not? The model reads it. Enter sends, Esc goes back.',
  word: 'Type the word to allow this permanently. Esc goes back.',
};
function drawField({ typed = 'reason' }: ApprovalChoice, { text, cursor }: { text: string; cursor: number }, context: DrawContext) {
  const asked = drawWords(PROMPTS[typed], 'faint', context);
  return { lines: [...asked, `  > ${text}`], row: asked.length, column: cursor + 4 };
}

/** The last result stays: a frame is drawn often, and a terminal seldom changes its width. */
function rememberLast(make: (columns: number) => readonly string[]): (columns: number) => readonly string[] {
  let last: { readonly columns: number; readonly lines: readonly string[] } | undefined;
  return (columns) => {
    if (last?.columns !== columns) last = { columns, lines: make(columns) };
    return last.lines;
  };
}

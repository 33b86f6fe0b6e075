import { readAnswer } from '../../../../base/screen/answer.ts';
import { drawNotes } from '../../../../base/screen/act.ts';
import { wrapText } from '../../../../base/screen/wrap.ts';
import { showInvisible, toVisibleLine } from '../../../../base/visible.ts';
import type { UserQuestion } from '../../../../contracts/ports.ts';
import type { DrawContext } from '../../contract.ts';
import { splitToColumns } from '../fit.ts';
import { readKey } from '../key-names.ts';
import { createTextField } from '../text-field.ts';
import { createDialogScroll, roomBeside } from './scroll.ts';
import { drawWords, type DialogView } from './view.ts';

/**
 * Asks a question of the model's: a choice by its number or the arrows, several by Space, own words where they count. Typing
 * and pasting answer nothing before Enter.
 */
export function createClarifyView(question: UserQuestion): DialogView {
  const { choices, several = false } = question;
  const body = createDialogScroll({ typing: true });
  const field = createTextField();
  const taken = new Set<number>();
  let selected = -1;
  let hint = '';

  const answer = () => {
    const words = field.read();
    const byMark = [...(several && taken.size > 0 ? taken : [selected])].toSorted((one, other) => one - other);
    const line = words.trim() === '' ? byMark.flatMap((index) => (index < 0 ? [] : [String(index + 1)])).join(',') : words;
    if (line === '' && choices.length === 0) return { words: '' };
    const reading = readAnswer(line, question);
    if ('answer' in reading) return { words: reading.answer };
    hint = `(${reading.again})`;
    return undefined;
  };
  const choose = (key: string | undefined): boolean => {
    if (choices.length === 0 || field.read() !== '') return false;
    if (key === 'up' || key === 'down') {
      selected = (selected + (key === 'up' ? -1 : 1) + choices.length + (selected < 0 && key === 'up' ? 1 : 0)) % choices.length;
      return true;
    }
    if (key !== 'space' || !several || selected < 0) return false;
    if (!taken.delete(selected)) taken.add(selected);
    return true;
  };
  return {
    render: (context) => {
      const { lines: all, rows } = drawQuestion(question, { selected, taken }, context);
      body.show(rows[selected] ?? 0);
      const above = body.render(all, roomBeside(2, context.rows), context);
      const hints = drawWords(hint, 'warn', context);
      const { text, cursor } = field.render(context.columns - 2);
      return { lines: [...above, ...hints, `> ${text}`], cursor: { row: above.length + hints.length, column: cursor + 2 } };
    },
    handleKey: (data) => {
      hint = '';
      const key = readKey(data);
      if (key === 'enter') return answer();
      if (choose(key)) return undefined;
      if (body.handleKey(data)) return undefined;
      field.handleKey(data);
      return undefined;
    },
    paste: (text) => field.insert(text),
  };
}

interface Marks {
  readonly selected: number;
  readonly taken: ReadonlySet<number>;
}

/** The lines, and the first row of each choice. */
function drawQuestion(question: UserQuestion, marks: Marks, context: DrawContext) {
  const { columns, style } = context;
  const fit = (text: string, room: number): string[] =>
    text
      .split('\n')
      .flatMap((line) => wrapText(line, room))
      .flatMap((line) => splitToColumns(line, room));
  const asked = fit(showInvisible(question.question), columns - 2);
  const lines = asked.map((line, row) => style('question', `${row === 0 ? '?' : ' '} ${line}`));
  lines.push(...drawNotes(question.notes ?? [], columns).flatMap((line) => splitToColumns(line, columns)));
  const rows: number[] = [];
  for (const [index, choice] of question.choices.entries()) {
    rows.push(lines.length);
    const box = question.several === true ? `[${marks.taken.has(index) ? 'x' : ' '}] ` : '';
    const sign = `${index === marks.selected ? '›' : ' '} ${index + 1}) ${box}`;
    const drawn = fit(toVisibleLine(choice), Math.max(1, columns - sign.length));
    lines.push(
      ...drawn.map(
        (line, row) => `${row === 0 ? sign : ' '.repeat(sign.length)}${index === marks.selected ? style('selected', line) : line}`,
      ),
    );
  }
  lines.push(...drawWords(describeKeys(question), 'faint', context));
  return { lines, rows };
}

/** How it can be answered. */
function describeKeys({ choices, several, strict }: UserQuestion): string {
  const ways = [
    ...(choices.length === 0 ? [] : [several === true ? 'mark with Space or type numbers such as 1,3' : 'use the arrows or type a number']),
    ...(strict === true ? [] : [choices.length === 0 ? 'type your answer' : 'type your own words']),
  ].join(', or ');
  return `${ways.charAt(0).toUpperCase()}${ways.slice(1)}. Enter answers.`;
}

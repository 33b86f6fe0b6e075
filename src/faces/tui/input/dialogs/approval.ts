import { drawAct, drawNotes } from '../../../../base/screen/act.ts';
import { wrapText } from '../../../../base/screen/wrap.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import type { UserQuestion } from '../../../../contracts/ports.ts';
import type { DrawContext } from '../../contract.ts';
import { splitToColumns } from '../fit.ts';
import { createConsentView } from './consent.ts';
import type { DialogView } from './view.ts';

/** Asks for consent: shows all of the act. Typed text is a refusal that the model reads. */
export function createApprovalView(question: UserQuestion): DialogView {
  const [once = 'Yes', no = 'No', ...further] = question.choices;
  const linesFor = rememberLast((columns: number) => drawBody(question, columns));
  return createConsentView({
    title: (context) => drawTitle(question.question, context),
    body: ({ columns }) => linesFor(columns),
    no,
    yes: [once, ...further],
    typedAnswer: question.typedAnswer,
    typing: 'Typing refuses, and the model reads your words.',
  });
}

const drawTitle = (words: string, { columns, style }: DrawContext): string[] =>
  wrapText(`? ${toVisibleLine(words)}`, columns)
    .flatMap((line) => splitToColumns(line, columns))
    .map((line) => style('question', line));

const drawBody = ({ act = '', notes = [] }: UserQuestion, columns: number): string[] =>
  [...drawAct(act, columns), ...drawNotes(notes, columns)].flatMap((line) => splitToColumns(line, columns, GOES_ON));
/** Nothing of the act stands at the edge as if it were ours. */
const GOES_ON = '  ┆ ';

/** The last result stays: a frame is drawn often, and a terminal seldom changes its width. */
function rememberLast(make: (columns: number) => readonly string[]): (columns: number) => readonly string[] {
  let last: { readonly columns: number; readonly lines: readonly string[] } | undefined;
  return (columns) => {
    if (last?.columns !== columns) last = { columns, lines: make(columns) };
    return last.lines;
  };
}

import { wrapText } from '../../../../base/screen/wrap.ts';
import { showInvisible } from '../../../../base/visible.ts';
import { splitToColumns } from '../fit.ts';
import { readKey } from '../key-names.ts';
import { readTyped } from '../text-field.ts';
import { createDialogScroll, roomBeside } from './scroll.ts';
import type { DialogView } from './view.ts';

/** Asks for a yes before something is removed for good. Only `y` is one, and only once the end of the question was seen. */
export function createConfirmView(question: string): DialogView {
  const body = createDialogScroll();
  return {
    render: (context) => {
      const { columns, rows, style } = context;
      const lines = showInvisible(`? ${question}`)
        .split('\n')
        .flatMap((line) => wrapText(line, columns))
        .flatMap((line) => splitToColumns(line, columns))
        .map((line) => style('question', line));
      const choices = [`  ${style('accent', 'y')}  Yes`, `  ${style('accent', 'n')}  No`];
      return { lines: [...body.render(lines, roomBeside(choices.length, rows), context), ...choices] };
    },
    handleKey: (data) => {
      if (body.handleKey(data)) return undefined;
      const typed = readTyped(data)?.toLowerCase();
      if (typed === 'y' && body.seenEnd) return { words: 'yes' };
      return typed === 'n' || typed === 'd' || readKey(data) === 'escape' ? { words: 'no' } : undefined;
    },
  };
}

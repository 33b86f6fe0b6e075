import { drawNotes } from '../../../../base/screen/act.ts';
import { wrapText } from '../../../../base/screen/wrap.ts';
import { toVisibleLine } from '../../../../base/visible.ts';
import type { SecretRequest } from '../../../../contracts/ports.ts';
import { splitToColumns } from '../fit.ts';
import { readKey } from '../key-names.ts';
import { drawWords, type DialogView } from './view.ts';
import { decodePrintableKey } from '@earendil-works/pi-tui/dist/keys.js';

/** So many bullets stand for any secret: neither it nor its length is seen. */
const BULLETS = '••••••••';

/** Reads a password or a key. What is typed is held here and nowhere else, and forgotten with the answer. */
export function createSecretView({ question, notes = [] }: SecretRequest): DialogView {
  let typed: string[] = [];
  const finish = (words: string) => {
    typed = [];
    return { words };
  };
  return {
    render: (context) => {
      const { columns, style } = context;
      const asked = wrapText(`? ${toVisibleLine(question)}`, columns).flatMap((line) => splitToColumns(line, columns));
      const lines = [
        ...asked.map((line) => style('question', line)),
        ...drawNotes(notes, columns).flatMap((line) => splitToColumns(line, columns)),
        ...drawWords('Not shown while you type. Enter sends it, Esc gives none.', 'faint', context),
      ];
      const shown = typed.length === 0 ? '' : BULLETS;
      return { lines: [...lines, `> ${shown}`], cursor: { row: lines.length, column: shown.length + 2 } };
    },
    handleKey: (data) => {
      const key = readKey(data);
      if (key === 'enter' || key === 'ctrl+j' || key === 'ctrl+d') return finish(typed.join(''));
      if (key === 'escape') return finish('');
      if (key === 'backspace') typed.pop();
      else if (key === 'ctrl+u') typed = [];
      else {
        const sign = decodePrintableKey(data) ?? (data >= ' ' && data !== '\x7f' ? data : '');
        typed.push(...Array.from(sign));
      }
      return undefined;
    },
    // A line break at its end came with the copy; it is no part of a secret in one line.
    paste: (text) => void typed.push(...Array.from(text.replace(/\r?\n$/, ''))),
    forget: () => void (typed = []),
  };
}

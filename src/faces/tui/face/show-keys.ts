import { measureWidth } from '../../../base/width.ts';
import type { Face } from './face.ts';
import type { KeyTable } from '../input/keys.ts';

/** `/help keys`: only the screen knows how they are bound. */
export const isKeysLine = (line: string): boolean => /^\/help\s+keys\s*$/.test(line);

export function showKeys({ keys, stage, context }: Face): void {
  const { style } = context();
  const rows = listKeys(keys);
  const width = Math.max(...rows.map(([key]) => measureWidth(key)));
  const lines = rows.map(
    ([key, what, name]) => `${style('accent', key)}${' '.repeat(width - measureWidth(key) + 2)}${what} ${style('faint', `· ${name}`)}`,
  );
  const text = [...lines, style('faint', 'To bind others: display.keys in config.yaml, by the names behind them.')].join('\n');
  stage.aside({ kind: 'aside', tone: 'plain', drawn: true, text });
  stage.invalidate();
}

/** Keys, what they do, and the name of the action; actions without a key are named too. */
const listKeys = (keys: KeyTable): readonly (readonly [keys: string, what: string, name: string])[] =>
  keys.actions.map(({ name, description }) => [keys.keysOf(name).join(', ') || '–', description, name]);

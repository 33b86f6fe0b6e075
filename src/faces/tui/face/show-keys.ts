import { toOneLine } from '../../../base/printable.ts';
import { measureWidth } from '../../../base/width.ts';
import type { DrawContext } from '../contract.ts';
import type { OwnedKey } from './extensions.ts';
import type { Face } from './face.ts';
import { showKey } from '../input/key-names.ts';
import type { KeyTable } from '../input/keys.ts';

/** `/help keys`: only the screen knows how they are bound. */
export const isKeysLine = (line: string): boolean => /^\/help\s+keys\s*$/i.test(line);

export function showKeys({ keys, extensions, stage, context }: Face): void {
  stage.aside({ kind: 'aside', tone: 'plain', drawn: true, text: drawKeys(keys, extensions.keys, context()).join('\n') });
  stage.invalidate();
}

export function drawKeys(keys: KeyTable, own: readonly OwnedKey[], { style }: Pick<DrawContext, 'style'>): string[] {
  const rows = listKeys(keys, own);
  const width = Math.max(...rows.map(([key]) => measureWidth(key)));
  const lines = rows.map(
    ([key, what, name]) => `${style('accent', key)}${' '.repeat(width - measureWidth(key) + 2)}${what} ${style('faint', `· ${name}`)}`,
  );
  return [...lines, style('faint', 'To choose other keys, set display.keys, such as {queue: alt+q}.')];
}

/** Keys, what they do, and the name of the action or the owner; actions without a key are named too. */
const listKeys = (keys: KeyTable, own: readonly OwnedKey[]): readonly (readonly [keys: string, what: string, name: string])[] => [
  ...keys.actions.map(({ name, description }) => [keys.keysOf(name).join(', ') || '–', description, name] as const),
  ...own.map(({ key, owner, description }) => [showKey(key), toOneLine(description), `of ${toOneLine(owner)}`] as const),
];

import { toOneLine } from '../../../base/printable.ts';
import type { KeyAction } from '../input/actions.ts';
import { showKey } from '../input/key-names.ts';
import type { OwnedKey } from './extensions.ts';

/** `/help keys` and nothing else. */
export const asksForKeys = (line: string): boolean => /^\/help\s+keys\s*$/i.test(line);

/** What most rows need; a longer list of keys moves its words to the right. */
const COLUMNS = 22;

/** Every action with the keys it has now, those of extensions behind them. */
export function describeKeys(actions: readonly KeyAction[], own: readonly OwnedKey[]): string {
  const rows = [
    ...actions.map(({ name, keys, description }) => [keys.map(showKey).join(', '), `${description} (${name})`] as const),
    ...own.map(({ key, owner, description }) => [showKey(key), `${toOneLine(description)} (of ${toOneLine(owner)})`] as const),
  ].filter(([keys]) => keys !== '');
  const lines = rows.map(([keys, words]) => `${keys.padEnd(COLUMNS)}  ${words}`);
  return [...lines, 'To choose other keys, set display.keys, such as {queue: alt+q}.'].join('\n');
}

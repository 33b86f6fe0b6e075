import { toErrorMessage } from '../../base/errors.ts';
import { takeStart } from '../../base/text.ts';
import { showInvisible, toVisibleLine } from '../../base/visible.ts';

/** Most characters of a line that a plugin puts before a person, and of a text. */
const MAX_LINE = 500;
const MAX_TEXT = 100_000;
const LEFT_OUT = ' …';

/**
 * Words of a plugin as one line that a person may read: what a terminal would obey is spelt out, a line break shows as `↵`, and the
 * rest of a long one is left out. Whatever a plugin says of itself goes through here or the next, in whichever process it runs.
 */
export function toPluginLine(words: unknown, most: number = MAX_LINE): string {
  const text = typeof words === 'string' ? words : toErrorMessage(words);
  const shown = toVisibleLine(takeStart(text, most).trim());
  return text.length <= most && shown.length <= most ? shown : `${takeStart(shown, most - LEFT_OUT.length)}${LEFT_OUT}`;
}

/** The same with its line breaks. */
export const toPluginText = (words: string): string => takeStart(showInvisible(takeStart(words, MAX_TEXT)), MAX_TEXT);

const MAX_NOTICES = 20;
const HOUR_MS = 3_600_000;

/** What a plugin tells its owner: marked with its name, the same words once, and no more than a person can read. */
export function createPluginVoice(
  plugin: string,
  notice: (words: string) => void,
  now: () => number = () => performance.now(),
): (words: unknown) => void {
  let told = new Set<string>();
  let since = -Infinity;
  return (words) => {
    if (now() - since >= HOUR_MS) [told, since] = [new Set(), now()];
    const line = toPluginLine(words);
    if (line === '' || told.has(line) || told.size > MAX_NOTICES) return;
    told.add(line);
    if (told.size <= MAX_NOTICES) notice(`plugin ${plugin}: ${line}`);
    else notice(`plugin ${plugin}: it told ${MAX_NOTICES} things within an hour, so the rest of this hour it is not heard.`);
  };
}

import { extname } from 'node:path';
import { messageOf } from '../../../../base/errors.ts';

/** One line about a syntax error the new text brings in; none when the old text had it too. Adding a language is a row. */
export function syntaxNote(path: string, before: string | undefined, after: string): readonly string[] {
  const check = CHECKS[extname(path).toLowerCase()];
  const error = check?.(after);
  if (check === undefined || error === undefined || (before !== undefined && check(before) !== undefined)) return [];
  return [`Warning: the text is written, but it has a syntax error: ${error}`];
}

const CHECKS: Readonly<Record<string, (text: string) => string | undefined>> = {
  '.json': (text) => {
    try {
      JSON.parse(text.replace(/^\u{feff}/u, ''));
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  },
};

import { sha256 } from './sha256.ts';
import { takeStart } from './text.ts';

/** Characters of an act a person is shown when asked about it. */
const SHOWN = 400;

/** A value in few words. What is too long to be shown still counts by its length and hash: a yes must not be good for another text. */
export function describeBriefly(value: unknown): string {
  const words = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return `${takeStart(words, SHOWN).toWellFormed()}${words.length <= SHOWN ? '' : `… ${formatFingerprint(words)}`}`;
}

/** What stands at the end of a text that was cut. */
export const formatFingerprint = (whole: string): string => `(${whole.length} characters, sha256 ${sha256(whole).slice(0, 16)})`;
/** Whether a text is not all of what it stands for. */
export const isCut = (text: string): boolean => /… \(\d+ characters, sha256 [\da-f]{16}\)$/.test(text);

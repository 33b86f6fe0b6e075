import { readOwnText } from '../../base/own-text.ts';

/**
 * Whether a file of settings may say something about this: most say nothing, and need not be read as settings to know that. One that
 * cannot be read may say anything; reading it as settings tells why.
 */
export function mentionsWord(file: string, word: string): boolean {
  try {
    return readOwnText(file)?.includes(word) === true;
  } catch {
    return true;
  }
}

/**
 * Text as search compares it: one form of every character, no case, no accents, one space between words. Query and
 * document go through the same fold, so that what looks the same is found.
 */
export function fold(text: string): string {
  const lower = isAscii(text) ? text.toLowerCase() : foldUnicode(text);
  return lower.replaceAll(SPACES, ' ');
}

const SPACES = /[\s\p{Cc}]+/gu;
/** Letters that may carry accents: Latin, Greek, Cyrillic, Arabic. Others skip the costly part. */
const ACCENTED = /[\u00c0-\u052f\u0600-\u06ff\u1e00-\u1fff]/;
/** Accents, Arabic vowel signs and stretching. Not the vowel signs of Thai or the voicing marks of kana: those are letters. */
const ACCENTS = /[\u0300-\u036f\u0640\u064b-\u065f\u0670]/g;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

function foldUnicode(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ');
  return ACCENTED.test(lower) ? lower.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC') : lower;
}

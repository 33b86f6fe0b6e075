/** What terminals put around what is pasted. */
export const PASTE = { begin: '\x1b[200~', end: '\x1b[201~' } as const;
// oxlint-disable-next-line no-control-regex -- they are control sequences
const MARKS = /\x1b\[20[01]~/g;

export const isPaste = (data: string): boolean => data.startsWith(PASTE.begin);

/** The text of a paste without any mark. Some terminals write a line break in it as the key Ctrl+J. */
export const pastedText = (data: string): string =>
  data
    .replaceAll(MARKS, '')
    // oxlint-disable-next-line no-control-regex -- a key as a control sequence
    .replaceAll(/\x1b\[(?:106|74|109|77);5u/g, '\n');

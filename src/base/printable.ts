import { stripVTControlCharacters } from 'node:util';

/** Stored text as it may go to a terminal: nothing in it moves the cursor, sets the clipboard or turns the writing round. */
export const toPrintable = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');
/** The same in one line. */
export const toOneLine = (text: string): string => toPrintable(text).replaceAll(/\s+/g, ' ').trim();

/** A folder or a model may be called anything; a line break in a name must not begin a line of the prompt. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
export const replaceControlCharacters = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, '?');

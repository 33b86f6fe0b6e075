/** Colour and cursor sequences mean nothing to a model. */
// oxlint-disable-next-line no-control-regex -- these are control characters
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export const withoutAnsi = (output: string): string => output.replace(ANSI, '');

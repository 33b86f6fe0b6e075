import type { Env } from '../../../base/env.ts';
import type { PromptMarks } from '../contract.ts';

/** What is written to a terminal besides text, by name. Pure: nothing is sent here. */

/** Programs in between that swallow what they do not know unless it is wrapped. */
export interface Passthrough {
  readonly tmux: boolean;
  readonly screen: boolean;
}
export const passageOf = (env: Env): Passthrough => ({
  tmux: env['TMUX'] !== undefined,
  screen: env['TMUX'] === undefined && env['STY'] !== undefined,
});

const ESC = '\u001b';
const BEL = '\u0007';
/** Hands a sequence through to the terminal outside (tmux needs `allow-passthrough`). GNU screen takes 768 bytes at a time. */
export function passThrough(sequence: string, { tmux, screen }: Passthrough): string {
  if (tmux) return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ESC}\\`;
  if (!screen) return sequence;
  return (sequence.match(/[^]{1,700}/g) ?? []).map((piece) => `${ESC}P${piece}${ESC}\\`).join('');
}

/**
 * Puts a text on the clipboard of the terminal's machine, also through ssh (OSC 52). tmux gets it plain too: with
 * `set-clipboard on` it keeps a copy and passes it on by itself.
 */
export function copyToClipboard(text: string, passage: Passthrough): string {
  const sequence = `${ESC}]52;c;${Buffer.from(text).toString('base64')}${BEL}`;
  return passage.tmux ? sequence + passThrough(sequence, passage) : passThrough(sequence, passage);
}
/** Terminals take no more at once; xterm.js and kitty cut longer ones off or refuse them. */
export const fitsClipboard = (text: string): boolean => Buffer.byteLength(text) <= 74_994;

/** A title has no control characters. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ').trim();
export const setTitle = (title: string): string => `${ESC}]0;${plain(title)}${BEL}`;
/** Keeps the title the terminal had, and brings it back. */
export const saveTitle = `${ESC}[22;0t`;
export const restoreTitle = `${ESC}[23;0t`;

export const bell = BEL;
/** A notification of the desktop: iTerm2, kitty, WezTerm, Ghostty and others know the first, urxvt, VTE and foot the second. */
export const notify = (title: string, body: string, passage: Passthrough): string =>
  passThrough(`${ESC}]9;${plain(body)}${BEL}`, passage) + passThrough(`${ESC}]777;notify;${clean(title)};${clean(body)}${BEL}`, passage);
const clean = (text: string): string => plain(text).replaceAll(';', ',');

/**
 * Marks that let a terminal jump from prompt to prompt and select an answer (OSC 133). `redraw=0`: otherwise kitty and
 * Ghostty would clear what stands below the mark when the window is resized, as they do for a shell.
 */
export const promptMarks: PromptMarks = {
  prompt: `${ESC}]133;A;redraw=0${ESC}\\`,
  input: `${ESC}]133;B${ESC}\\`,
  output: `${ESC}]133;C${ESC}\\`,
};

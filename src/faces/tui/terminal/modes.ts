/** Modes of the terminal that are set for the time of the program. */
const PASTE_ON = '\u001b[?2004h';
/** Disambiguated keys and the keys of other layouts, without releases. */
const KITTY_PUSH = '\u001b[>5u';
const KITTY_POP = '\u001b[<u';
const OTHER_KEYS_ON = '\u001b[>4;2m';
const OTHER_KEYS_OFF = '\u001b[>4;0m';

export type KeyProtocol = 'kitty' | 'other-keys' | 'unknown';

/** The keyboard protocol is asked for with the push; a terminal that knows none of it ignores it. */
export const enterModes = (protocol: KeyProtocol): string => PASTE_ON + KITTY_PUSH + (protocol === 'other-keys' ? OTHER_KEYS_ON : '');
export const useOtherKeys = OTHER_KEYS_ON;

/**
 * Takes everything back that may have been set: wrapping on, the cursor shown, colors off, marks of pastes off, the
 * keyboard as it was, an update that was being drawn shown. The launcher writes the same after a kill.
 */
export const LEAVE_MODES = `\u001b[?2026l\u001b[?7h\u001b[0m\u001b[?2004l${OTHER_KEYS_OFF}${KITTY_POP}\u001b[?25h`;

/**
 * What is asked at the start. The last one is answered by every terminal, and answers come in order: what has not been
 * answered before it never will be, so nothing waits for a timeout.
 */
export const QUERIES = '\u001b[?u\u001b]11;?\u001b\\\u001b[>0q\u001b[c';

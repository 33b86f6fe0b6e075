import { parseKey } from '@earendil-works/pi-tui/dist/keys.js';

/** A key as it is named here: modifiers in one order, small letters. Nothing for what is no key. */
export function canonicalKey(name: string): string | undefined {
  const parts = name.trim().split(/\+(?=.)/);
  const raw = parts.pop() ?? '';
  const isCapital = /^\p{Lu}$/u.test(raw);
  const key = SYNONYMS[raw.toLowerCase()] ?? raw.toLowerCase();
  const modifiers = new Set(parts.map((part) => part.toLowerCase()));
  if (isCapital && parts.length === 0) modifiers.add('shift');
  if ([...modifiers].some((each) => !MODIFIERS.includes(each)) || !KEY_NAME.test(key)) return undefined;
  return [...MODIFIERS.filter((each) => modifiers.has(each)), key].join('+');
}
const MODIFIERS = ['ctrl', 'alt', 'shift', 'super'];
const SYNONYMS: Readonly<Record<string, string>> = { esc: 'escape', return: 'enter', pgup: 'pageup', pgdn: 'pagedown', del: 'delete' };
const KEY_NAME =
  /^(?:[!-~]|escape|enter|tab|space|backspace|delete|insert|clear|home|end|pageup|pagedown|up|down|left|right|f[1-9]|f1[0-2])$/;

/** The name of a key that came; nothing for text that is no key of its own. */
export function readKey(data: string): string | undefined {
  // A bare line feed is what terminals send for Ctrl+J.
  if (data === '\n') return 'ctrl+j';
  const parsed = parseKey(data);
  return parsed === undefined ? undefined : canonicalKey(parsed);
}

/** `ctrl+x ctrl+e` as a person reads it: `Ctrl+X Ctrl+E`. */
export const showKey = (chord: string): string =>
  chord
    .split(' ')
    .map((key) =>
      key
        .split(/\+(?=.)/)
        .map(showPart)
        .join('+'),
    )
    .join(' ');
const SHOWN: Readonly<Record<string, string>> = { escape: 'Esc', pageup: 'PgUp', pagedown: 'PgDn' };
const showPart = (part: string): string => SHOWN[part] ?? part.charAt(0).toUpperCase() + part.slice(1);

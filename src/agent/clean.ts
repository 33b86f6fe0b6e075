import { wellFormed } from '../base/text.ts';

/** Recalled memory is fenced in these tags on the wire; a user who pastes an old answer must not paste it back in as fact. */
const LEAKED_MEMORY = /<memory-context>[\s\S]*?(?:<\/memory-context>|$)|<\/memory-context>/gi;

/** What a person typed, made safe to store and to send: no lone surrogates, no NUL, no leaked memory fences. */
export const cleanInput = (value: string): string => wellFormed(value).replaceAll('\0', '\u{fffd}').replace(LEAKED_MEMORY, '').trim();

import { replaceLoneSurrogates } from '../base/text.ts';
import type { UserMessage } from '../contracts/message.ts';

/** Recalled memory is fenced in these tags on the wire; a user who pastes an old answer must not paste it back in as fact. */
const LEAKED_MEMORY = /<memory-context>[\s\S]*?(?:<\/memory-context>|$)|<\/memory-context>/gi;

/** What a person typed, made safe to store and to send: no lone surrogates, no NUL, no leaked memory fences. */
export const cleanInput = (value: string): string => withoutFences(replaceLoneSurrogates(value).replaceAll('\0', '\u{fffd}')).trim();

/** The same for every text of a message; whose words they are stays as it was. */
export const cleanContent = (content: UserMessage['content']): UserMessage['content'] =>
  content.map((block) => (block.type === 'text' ? { ...block, text: cleanInput(block.text) } : block));

/** What is cut out may bring the halves of another fence together, so it is done until nothing is left to cut. */
function withoutFences(value: string): string {
  const cut = value.replace(LEAKED_MEMORY, '');
  return cut === value ? value : withoutFences(cut);
}

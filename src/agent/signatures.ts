import type { Entry } from '../contracts/entry.ts';
import type { AssistantMessage, Message } from '../contracts/message.ts';

/** Made once for a message, so that what is encoded for it is found again. */
const BARE = new WeakMap<AssistantMessage, AssistantMessage>();

/**
 * The log as it may be sent: where a provider refused signatures of its own, messages up to that refusal go without theirs, in this
 * turn and in all later ones. What was signed afterwards keeps its signature.
 */
export function withoutRefusedSignatures(entries: readonly Entry[]): readonly Entry[] {
  const refused = entries.findLast((entry) => entry.type === 'note' && entry.signatures === 'refused');
  if (refused === undefined) return entries;
  return entries.map((entry) => (entry.seq < refused.seq && isSigned(entry) ? { ...entry, message: bare(entry.message) } : entry));
}

/** Whether anything would be sent with opaque data of a provider's. */
export const holdsSignatures = (entries: readonly Entry[]): boolean => withoutRefusedSignatures(entries).some(isSigned);

type SignedEntry = Entry & { readonly type: 'message'; readonly message: AssistantMessage };
const isSigned = (entry: Entry): entry is SignedEntry => entry.type === 'message' && isSignedMessage(entry.message);
const isSignedMessage = (message: Message): boolean =>
  message.role === 'assistant' && message.content.some((block) => 'native' in block && block.native !== undefined);

function bare(message: AssistantMessage): AssistantMessage {
  const known = BARE.get(message);
  if (known !== undefined) return known;
  const content = message.content.map((block) => {
    if (!('native' in block)) return block;
    const { native: _, ...plain } = block;
    return plain;
  });
  const stripped = { ...message, content };
  BARE.set(message, stripped);
  return stripped;
}

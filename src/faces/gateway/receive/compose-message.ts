import type { TextBlock } from '../../../contracts/message.ts';
import type { InboundMessage, QuotedMessage } from '../../../contracts/platform-adapter.ts';
import { describeSessionContext, labelMessage, quoteLabel, type SessionContextFacts } from './context.ts';

/** What is known of a message besides what the service told. */
export interface ComposeFacts extends Omit<SessionContextFacts, 'chat' | 'sender'> {
  /** The session begins with it: what it answers is in no log of this session. */
  readonly isFirst?: boolean;
}
/** The words of a message, and what stands beside them. */
export interface ComposedMessage {
  readonly content: readonly [TextBlock];
  readonly overlay: readonly TextBlock[];
}

/** A message from a chat as its session gets it. Files are for somebody else. */
export function composeMessage(event: InboundMessage, { isFirst = false, ...facts }: ComposeFacts): ComposedMessage {
  const { chat, sender, text, quoted, replyTo } = event;
  return {
    content: [labelMessage({ ...facts, chat, sender, text })],
    overlay: [
      ...describeSessionContext({ ...facts, chat, sender }),
      ...(replyTo === undefined ? [] : describeQuote(replyTo, facts.kind.id)),
      ...(isFirst && quoted !== undefined ? describeQuote({ messageId: '', text: quoted, isOurs: false }, facts.kind.id) : []),
    ],
  };
}

/** Enough to know which message is meant; all of it may be a page. */
const MAX_QUOTE = 1_000;

/** What a message answers, which can be words of anybody in any chat: only our own are not foreign. */
function describeQuote({ text, isOurs }: QuotedMessage, platform: string): TextBlock[] {
  if (text === undefined || text.trim() === '') return [];
  return isOurs
    ? [{ type: 'text', text: `It replies to your message: ${quoteLabel(text, MAX_QUOTE)}`, trust: 'model' }]
    : [{ type: 'text', text: `It replies to this message: ${quoteLabel(text, MAX_QUOTE)}`, trust: 'foreign', source: `${platform} quote` }];
}

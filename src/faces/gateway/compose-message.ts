import type { TextBlock } from '../../contracts/message.ts';
import type { InboundMessage, QuotedMessage } from '../../contracts/platform-adapter.ts';
import { describeLateness, describeSessionContext, labelMessage, quoteLabel, type SessionContextFacts } from './context.ts';

/** What is known of a message besides what the service told. */
export interface ComposeFacts extends Omit<SessionContextFacts, 'chat' | 'sender'> {
  readonly now: number;
}
/** The words of a message, and what stands beside them. */
export interface ComposedMessage {
  readonly content: readonly [TextBlock];
  readonly overlay: readonly TextBlock[];
}

/** A message from a chat as its session gets it. Files are for somebody else. */
export function composeMessage(event: InboundMessage, { now, ...facts }: ComposeFacts): ComposedMessage {
  const { chat, sender, text, replyTo, sentAt } = event;
  return {
    content: [labelMessage({ ...facts, chat, sender, text })],
    overlay: [
      ...describeSessionContext({ ...facts, chat, sender }),
      ...(replyTo === undefined ? [] : describeQuote(replyTo, facts.kind.id)),
      ...describeLateness(sentAt, now),
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

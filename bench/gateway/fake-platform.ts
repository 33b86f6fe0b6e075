import type {
  ConnectionEnd,
  EventBatch,
  InboundMessage,
  PlatformAdapter,
  PlatformConnection,
  PlatformKind,
  SendResult,
} from '../../src/contracts/platform-adapter.ts';
import { telegram } from '../../src/platforms/telegram/index.ts';

/** A service in this thread that takes no time at all, with everything that Telegram has but its limits. */
export interface FakePlatform {
  readonly kind: PlatformKind;
  readonly adapter: PlatformAdapter;
  /** A person writes into a private chat. */
  say(chat: number, text: string): void;
}

export function openFakePlatform(): FakePlatform {
  const waiting: InboundMessage[] = [];
  let [wake, count] = [Promise.withResolvers<void>(), 0];
  const ended = Promise.withResolvers<ConnectionEnd>();
  let isOver = false;
  async function* events(): AsyncGenerator<EventBatch> {
    for (;;) {
      // No race with the end: each would hang on that promise for as long as the connection is there.
      await wake.promise;
      if (isOver) return;
      wake = Promise.withResolvers();
      if (waiting.length > 0) yield waiting.splice(0);
    }
  }
  async function* catchUp(): AsyncGenerator<EventBatch> {}
  const connection: PlatformConnection = {
    account: { id: 'bench', name: 'bench' },
    catchUp,
    events,
    progress: () => performance.now(),
    ended: ended.promise,
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      wake.resolve();
      ended.resolve({ why: 'closed', kind: 'closed' });
    },
  };
  const sent = async (): Promise<SendResult> => ({ type: 'sent', messageId: String(++count) });
  const adapter: PlatformAdapter = {
    connect: async () => ({ type: 'connected', connection }),
    send: sent,
    edit: ({ messageId }) => Promise.resolve({ type: 'sent', messageId }),
    download: async () => ({ type: 'failed', why: 'there are no files', retry: false }),
    showTyping: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    kind: { ...telegram, traits: { ...telegram.traits, rates: [] }, check: () => undefined, open: async () => adapter },
    adapter,
    say: (chat, text) => {
      waiting.push(messageOf(chat, String(++count), text));
      wake.resolve();
    },
  };
}

const messageOf = (chat: number, messageId: string, text: string): InboundMessage => ({
  type: 'message',
  key: `${chat}:${messageId}`,
  chat: { chatId: String(chat), type: 'private' },
  sender: { id: String(chat), name: `Person ${chat}`, isBot: false },
  sentAt: Date.now(),
  messageId,
  text,
  isAddressed: true,
  media: [],
  cursor: { scope: 'updates', value: messageId },
});

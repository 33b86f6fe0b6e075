import type {
  Admission,
  ChatTarget,
  Delivery,
  GatewayStore,
  NewArrival,
  NewDelivery,
  TakenRow,
  TakeOptions,
  WorkKind,
} from '../../contracts/gateway-store.ts';
import { createTextBlock } from '../../contracts/message.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { SESSION } from './session-store-samples.ts';

/** A store whose clock stands still until it is moved. */
export interface StagedStore extends AsyncDisposable {
  readonly store: SessionStore;
  readonly gateway: GatewayStore;
  now(): number;
  advance(ms: number): void;
  /** Another handle on the same data, by the same clock, as a second program would have it. It is closed with the first. */
  again(): Promise<SessionStore>;
  /** The same as a process of this machine that has died since; absent where there is no such thing. */
  readonly dead?: () => Promise<SessionStore>;
}
/** A store of its own for every test, empty. */
export type StageStore = () => Promise<StagedStore>;

export const ACCOUNT = { platform: 'telegram', account: 'main' } as const;
export const MINUTE = 60_000;
export const TAKE: TakeOptions = { owner: 'one', leaseMs: MINUTE, limit: 100 };

export const createTarget = (chatId: string): ChatTarget => ({ ...ACCOUNT, chatId });

/** A message of a private chat: its key is the chat and the text. */
export const createArrival = (chatId: string, text: string, more: Partial<NewArrival> = {}): NewArrival => ({
  ...ACCOUNT,
  eventKey: `${chatId}:${text}`,
  serialKey: `chat ${chatId}`,
  event: {
    type: 'message',
    key: `${chatId}:${text}`,
    chat: { chatId, type: 'private', name: 'Ada' },
    sender: { id: chatId, name: 'Ada', isBot: false },
    sentAt: 5,
    messageId: text,
    text,
    isAddressed: true,
    media: [],
  },
  ...more,
});

export const createAdmission = (chatId: string, text: string, more: Partial<Admission> = {}): Admission => ({
  routeKey: `agent:main:telegram:private:${chatId}`,
  target: createTarget(chatId),
  chat: { chatId, type: 'private', name: 'Ada' },
  session: { ...SESSION, source: 'gateway', platform: 'telegram' },
  item: { content: [createTextBlock(text, 'owner')], mode: 'queue', key: `${chatId}:${text}` },
  ...more,
});

export const createDelivery = (chatId: string, text: string, more: Partial<NewDelivery> = {}): NewDelivery => ({
  key: `${chatId}/${text}`,
  target: createTarget(chatId),
  content: { type: 'text', markdown: text },
  ...more,
});

/** The one row that can be taken now. */
export async function takeOne<Kind extends WorkKind>(
  gateway: GatewayStore,
  kind: Kind,
  options: Partial<TakeOptions> = {},
): Promise<TakenRow<Kind>> {
  const [first, ...more] = await gateway.take(kind, { ...TAKE, ...options });
  if (first === undefined || more.length > 0)
    throw new Error(`${more.length + (first === undefined ? 0 : 1)} rows of ${kind} where one was expected`);
  return first;
}

/** Which messages or texts were taken, as the chat and the words. */
export const wordsOf = (rows: readonly TakenRow<WorkKind>[]): string[] =>
  rows.map(({ row }) => ('eventKey' in row ? row.eventKey : row.key));

/** Takes and admits whatever has arrived, in order, until nothing is left; gives the keys in the order they came. */
export async function admitAll(gateway: GatewayStore): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const rows = await gateway.take('arrival', TAKE);
    if (rows.length === 0) return order;
    for (const { taken, row } of rows) {
      const [chatId = '', words = ''] = row.eventKey.split(':');
      await gateway.admit(taken, createAdmission(chatId, words));
      order.push(row.eventKey);
    }
  }
}

/** A chat that leads to a session, by a message of its own. */
export async function admitOne(gateway: GatewayStore, chatId: string, text: string, more: Partial<Admission> = {}) {
  await gateway.receive([createArrival(chatId, text)], []);
  const { taken } = await takeOne(gateway, 'arrival');
  return gateway.admit(taken, createAdmission(chatId, text, more));
}

export async function findDelivery(gateway: GatewayStore, key: string): Promise<Delivery> {
  const [found] = await gateway.deliveries({ key });
  if (found === undefined) throw new Error(`delivery ${key} should be there`);
  return found;
}

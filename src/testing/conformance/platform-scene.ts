import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AccountSettings,
  AdapterOptions,
  ChatPlace,
  ConnectOptions,
  Cursor,
  EventBatch,
  OutboundMessage,
  PlatformAdapter,
  PlatformConnection,
  PlatformEvent,
  PlatformKind,
} from '../../contracts/platform-adapter.ts';

/** A service that stands in for the real one, and a person at it. Each scene has a service of its own. */
export interface PlatformScene extends AsyncDisposable {
  readonly kind: PlatformKind;
  readonly settings: AccountSettings;
  /** What the gateway would offer its adapter. */
  readonly offers?: Omit<AdapterOptions, 'settings' | 'log'>;
  /** A private chat with one person who may speak. */
  readonly chat: ChatPlace;
  readonly personId: string;
  /** The chat of one message, where each has a chat of its own. */
  chatOf?(messageId: string): string;
  /** The person writes into the chat; gives the message's id. */
  say(text: string): Promise<string>;
  /** The person changes what was written. Absent where the service does not tell of it. */
  reword?(messageId: string, text: string): Promise<void>;
  /** Absent where nobody can send us files. */
  sayFile?(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * The person forwards or shares what somebody else wrote elsewhere, without a comment, and a file with it where one can be. A
   * service that knows no such thing, or that marks it nowhere, says so here.
   */
  readonly forward: 'unknown_there' | ((text: string, file?: ForwardedFile) => Promise<void>);
  /** The person presses a button of a card. */
  press?(messageId: string, value: string): Promise<void>;
  /** What stands in the chat of ours, in order, as plain words; a file as its name. */
  visible(): Promise<readonly { readonly messageId: string; readonly text: string }[]>;
  /** What our files there hold, in order. */
  files(): Promise<readonly Uint8Array[]>;
  /** Sockets of this credential that are open at the service now and by which messages are received. */
  sockets(): number;
  fault(fault: PlatformFault): void;
  /** Ends the faults. */
  mend(): void;
}
export interface ForwardedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}
export type PlatformFault =
  /** The next send is carried out, and its answer never arrives. */
  | { readonly type: 'withhold_answer' }
  /** Nobody listens at the service's address, or whoever connects is cut off before anything is read. */
  | { readonly type: 'unreachable' }
  /** The next send is refused because of too many. */
  | { readonly type: 'limit'; readonly retryAfterMs: number }
  /** Sends to the chat fail because the bot was blocked or removed. */
  | { readonly type: 'dead' }
  /** Nothing is received any more, and nothing says so. Sends work. */
  | { readonly type: 'deaf' }
  /** The receiving connection is cut now. */
  | { readonly type: 'drop' };

export type OpenPlatformScene = () => Promise<PlatformScene>;

/** A signal that never aborts. */
export const never: AbortSignal = new AbortController().signal;

export const openAdapter = ({ kind, settings, offers }: PlatformScene): Promise<PlatformAdapter> =>
  kind.open({ settings, log: () => {}, ...offers });

/** Who receives: what was committed, and how far. It outlives adapters, as a store does. */
export interface Receiver {
  readonly events: PlatformEvent[];
  readonly cursors: Map<string, string>;
}
export const createReceiver = (): Receiver => ({ events: [], cursors: new Map() });

function commit(receiver: Receiver, batch: EventBatch): void {
  receiver.events.push(...batch.filter((event) => event.type !== 'cursor'));
  for (const { cursor } of batch) if (cursor !== undefined) receiver.cursors.set(cursor.scope, cursor.value);
}
export const listCursors = ({ cursors }: Receiver): Cursor[] => [...cursors].map(([scope, value]) => ({ scope, value }));

export async function connect(
  adapter: PlatformAdapter,
  receiver: Receiver,
  options: Partial<ConnectOptions> = {},
): Promise<PlatformConnection> {
  const result = await adapter.connect({ cursors: listCursors(receiver), signal: never, ...options });
  assert.ok(result.type === 'connected', JSON.stringify(result));
  return result.connection;
}

/** Receives as the gateway does: what was missed first, then what comes; each batch is committed before the next is asked for. */
export interface Reader {
  /** Goes on until enough came. The last batch is committed, and no next one was asked for. */
  until(enough: () => boolean): Promise<void>;
  /** Asks for the next batch, so that the last is acknowledged, and waits a moment for that to get there. */
  settle(): Promise<void>;
}
export function read(connection: PlatformConnection, receiver: Receiver): Reader {
  const batches = bothOf(connection);
  let asked: Promise<IteratorResult<EventBatch, void>> | undefined;
  const next = () => (asked ??= batches.next());
  return {
    until: async (enough) => {
      while (!enough()) {
        const { value, done } = await next();
        asked = undefined;
        assert.ok(done !== true, `the connection ended first: ${JSON.stringify(done === true && (await connection.ended))}`);
        commit(receiver, value);
      }
    },
    settle: async () => void (await Promise.race([next().catch(() => undefined), sleep(SETTLE_MS)])),
  };
}
const SETTLE_MS = 100;
async function* bothOf(connection: PlatformConnection): AsyncGenerator<EventBatch, void> {
  yield* connection.catchUp();
  yield* connection.events();
}

/** The texts that were received, each event once by its key, in order. */
export function listTexts({ events }: Receiver): string[] {
  const byKey = new Map(events.flatMap((event) => (event.type === 'message' ? [[event.key, event.text] as const] : [])));
  return [...byKey.values()];
}

let counter = 0;
export const createMessage = (scene: PlatformScene, markdown: string): OutboundMessage => ({
  ...scene.chat,
  content: { type: 'text', markdown },
  key: `k${(++counter).toString(36)}x${Date.now().toString(36)}`,
});

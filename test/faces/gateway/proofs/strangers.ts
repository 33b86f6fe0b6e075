import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBatch, InboundMessage, PlatformAdapter, PlatformConnection } from '../../../../src/contracts/platform-adapter.ts';
import { inviteByCode } from '../../../../src/faces/gateway/access/pairing.ts';
import type { AdapterHandle } from '../../../../src/faces/gateway/link/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openLocalGateway, type LocalGateway } from './local-gateway.ts';

export interface StrangersResult {
  readonly messages: number;
  readonly modelCalls: number;
  /** What strangers were told. */
  readonly replies: number;
  /** Rows of arrivals and deliveries that they left. */
  readonly rows: number;
  /** How much the home grew while all but the first tenth came. */
  readonly grownBytes: number;
  readonly isLocked: boolean;
  /** Whether somebody got in who knew the right code, but too late. */
  readonly paired: number;
  /** Files and log lines that hold a code. */
  readonly leaks: readonly string[];
}

const BATCH = 100;
const GUESSES = 20;

/** Strangers who guess codes, and then many more who just talk, brought by an adapter as fast as they are taken. */
const ACCOUNT = { platform: 'telegram', account: 'main' } as const;

export async function runStrangers(messages: number): Promise<StrangersResult> {
  await using stage = await STAGES.telegram({ chats: 1 });
  const service = createService();
  await using local = await openLocalGateway({
    stages: [stage],
    script: () => ({ text: 'never said' }),
    config: { unauthorized_dm_behavior: 'pair' },
    overrides: { openAdapter: async () => service.handle },
  });
  const { gateway } = local.host.store;
  // A platform that is locked hands out no codes either.
  await service.bring([toMessage(900, 'hello'), toMessage(901, 'who are you')]);
  while (service.said.length < 2) await sleep(10);
  const invited = await inviteByCode(gateway, ACCOUNT);
  if (invited.type !== 'offered') throw new Error(`No code could be made: ${invited.type}.`);
  const guesses = Array.from({ length: GUESSES }, (_, index) => `GUESS${'ABCDEFGHJKLMNPQRSTUVWXYZ'[index]}2A`);
  await service.bring([...guesses, invited.code].map((text, index) => toMessage(index, text)));
  const talk = (from: number, to: number) =>
    bringAll(service, from, to, (index) => toMessage(1_000 + index, `message ${index} ${'of some length '.repeat(20)}`));
  await talk(0, messages / 10);
  const before = sizeOf(local);
  await talk(messages / 10, messages);
  while ((await gateway.arrivals({ states: ['new'] })).length > 0) await sleep(20);
  const grownBytes = sizeOf(local) - before;
  await local.host.store.care?.backup(join(local.root, 'backup.db'));
  const codes = [invited.code, ...service.said.flatMap((text) => /pairing code is ([A-Z2-9]{8})/.exec(text)?.[1] ?? [])];
  return {
    messages: messages + GUESSES + 3,
    modelCalls: local.calls(),
    replies: service.said.length,
    rows: (await gateway.arrivals({})).length + (await gateway.deliveries({})).length,
    grownBytes,
    isLocked: (await gateway.pairingLock(ACCOUNT)) !== undefined,
    paired: (await gateway.people(ACCOUNT)).length,
    leaks: codes.flatMap((code) => findLeaks(local, code)),
  };
}

const toMessage = (index: number, text: string): InboundMessage => ({
  type: 'message',
  key: `m${index}`,
  chat: { chatId: `9${index}`, type: 'private' },
  sender: { id: `9${index}`, name: `Stranger ${index}`, isBot: false },
  sentAt: Date.now(),
  cursor: { scope: 'updates', value: String(index) },
  messageId: '1',
  text,
  isAddressed: true,
  media: [],
});

async function bringAll(service: MemoryService, from: number, to: number, make: (index: number) => InboundMessage): Promise<void> {
  for (let first = from; first < to; first += BATCH)
    await service.bring(Array.from({ length: Math.min(BATCH, to - first) }, (_, offset) => make(first + offset)));
}

const listFiles = ({ root }: LocalGateway): string[] => globSync(join(root, '**', '*')).filter((path) => statSync(path).isFile());
const sizeOf = (local: LocalGateway): number => listFiles(local).reduce((sum, path) => sum + statSync(path).size, 0);
const findLeaks = (local: LocalGateway, code: string): string[] => [
  ...listFiles(local).filter((path) => readFileSync(path).includes(code)),
  ...local.log.filter((line) => line.includes(code)),
];

/** A platform in memory: what is brought is handed over in order, and what is sent is kept. */
interface MemoryService {
  readonly handle: AdapterHandle;
  readonly said: string[];
  /** Settles when the gateway has committed the batch. */
  bring(batch: EventBatch): Promise<void>;
}

function createService(): MemoryService {
  const waiting: { readonly batch: EventBatch; readonly taken: () => void }[] = [];
  const said: string[] = [];
  const over = Promise.withResolvers<{ why: string; kind: 'closed' }>();
  let hint = Promise.withResolvers<void>();
  const state = { isOver: false };
  async function* hear(): AsyncGenerator<EventBatch> {
    for (; !state.isOver; await hint.promise, hint = Promise.withResolvers())
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        yield next.batch;
        next.taken();
      }
  }
  const end = async (): Promise<void> => {
    state.isOver = true;
    hint.resolve();
    over.resolve({ why: 'closed', kind: 'closed' });
  };
  const connection: PlatformConnection = {
    account: { id: 'bot', name: 'bot' },
    catchUp: async function* () {},
    events: hear,
    progress: () => performance.now(),
    ended: over.promise,
    [Symbol.asyncDispose]: end,
  };
  const adapter: PlatformAdapter = {
    connect: async () => ({ type: 'connected', connection }),
    send: async ({ content }) => {
      said.push(content.type === 'media' ? '' : content.markdown);
      return { type: 'sent', messageId: String(said.length) };
    },
    download: async () => ({ type: 'failed', why: 'there are no files', retry: false }),
    [Symbol.asyncDispose]: end,
  };
  return {
    handle: { adapter, failed: new Promise(() => {}), terminate: end },
    said,
    bring: (batch) => {
      const taken = Promise.withResolvers<void>();
      waiting.push({ batch, taken: taken.resolve });
      hint.resolve();
      return taken.promise;
    },
  };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountSettings, EventBatch, PlatformKind } from '../../../../src/contracts/platform-adapter.ts';
import { loadConfig } from '../../../../src/app/config/config.ts';
import { PLATFORMS } from '../../../../src/app/gateway/platforms.ts';
import { LINK_TIMES, type LinkTimes, type PlatformLink } from '../../../../src/faces/gateway/link/contract.ts';
import { openLink } from '../../../../src/faces/gateway/link/link.ts';
import { readAccounts } from '../../../../src/faces/gateway/accounts/accounts.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { openInProcess } from '../in-process.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';

export interface DeafResult {
  readonly platform: string;
  readonly faults: number;
  readonly messages: number;
  /** The longest that a message waited after nothing was in its way any more, in seconds of the link. */
  readonly longestSeconds: number;
  /** The most connections at once, as the platform counts them. */
  readonly mostSockets: number;
  readonly wrong: readonly string[];
}

/** As in life, but that a loaded machine is no computer that slept. */
const TIMES: LinkTimes = { ...LINK_TIMES, jump: 400_000 };
const LOOK_MS = 80;
const MAX_WAIT_MS = 2_400_000;

/** Runs with faster time (`fast-time.ts`). A link that is deafened, cut and refused, while somebody writes: all comes once and in order, and one connection is left. */
export async function runDeaf(platform: ChatStage['platform'], seed: string, rounds: number): Promise<DeafResult> {
  const chance = createSeededRandom(seed);
  await using stage = await STAGES[platform]({ chats: 1, secondMs: 1_000 });
  const [chat] = stage.chats;
  if (chat === undefined) throw new Error('There is no chat.');
  const arrived = createArrivals();
  await using link = await openStageLink(stage, arrived);
  const watch = watchSockets(stage);
  await until(() => link.state().type === 'connected');
  const told = await breakThings(chance, { stage, chat, link, arrived }, rounds);
  await until(() => stage.sockets('main') === 1);
  const said = told.said.map(({ text }) => text);
  const came = [...arrived.texts.values()].map(({ text }) => text);
  return {
    platform,
    faults: rounds,
    messages: said.length,
    longestSeconds: told.longestMs / 1_000,
    mostSockets: watch.stop(),
    wrong: [
      ...(JSON.stringify(came) === JSON.stringify(said) ? [] : [`${seed}: ${came.join(', ')} came in place of ${said.join(', ')}`]),
      ...told.wrong.map((words) => `${seed}: ${words}`),
    ],
  };
}

/** As a store has it: each key once, and how far was received. */
function createArrivals() {
  const texts = new Map<string, { readonly text: string; readonly at: number }>();
  const cursors = new Map<string, string>();
  return {
    texts,
    receive: async (batch: EventBatch): Promise<void> => {
      for (const event of batch) {
        if (event.type === 'message' && !texts.has(event.key)) texts.set(event.key, { text: event.text, at: performance.now() });
        if (event.cursor !== undefined) cursors.set(event.cursor.scope, event.cursor.value);
      }
    },
    cursors: async () => [...cursors].map(([scope, value]) => ({ scope, value })),
  };
}
type Arrivals = ReturnType<typeof createArrivals>;

async function openStageLink(stage: ChatStage, { receive, cursors }: Arrivals): Promise<PlatformLink> {
  const kind = await PLATFORMS[stage.platform]?.();
  const settings = kind && (await readStageSettings(stage, kind));
  if (kind === undefined || settings === undefined) throw new Error(`There is no account on ${stage.platform}.`);
  return openLink({
    account: { platform: stage.platform, account: 'main' },
    openAdapter: () => openInProcess(kind, settings, () => {}),
    receive,
    cursors,
    people: async () => stage.chats.map(({ personId }) => personId),
    log: () => {},
    times: TIMES,
  });
}

async function readStageSettings(stage: ChatStage, kind: PlatformKind): Promise<AccountSettings | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-deaf-'));
  try {
    // JSON is YAML.
    writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ platforms: { [stage.platform]: stage.settings } }));
    const { settings } = await loadConfig(join(folder, 'config.yaml'), {}, () => {});
    return readAccounts(settings, {}, [kind]).accounts.find(({ enabled }) => enabled)?.settings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function watchSockets(stage: ChatStage): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, stage.sockets('main'))), LOOK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

interface DeafScene {
  readonly stage: ChatStage;
  readonly chat: StageChat;
  readonly link: PlatformLink;
  readonly arrived: Arrivals;
}
/** What is done to the connection, and whether sends get through meanwhile. */
const FAULTS = {
  deaf: async ({ stage }) => stage.deafen('main', 'existing'),
  deaf_again: async ({ stage }) => stage.deafen('main', 'all'),
  resume: ({ stage }) => stage.leave({ resume: true }),
  fresh: ({ stage }) => stage.leave({ resume: false }),
} satisfies Readonly<Record<string, (scene: DeafScene) => Promise<Disposable | AsyncDisposable>>>;

async function breakThings(chance: SeededRandom, scene: DeafScene, rounds: number) {
  const { stage, chat, arrived } = scene;
  const said: { readonly text: string; readonly at: number }[] = [];
  const wrong: string[] = [];
  let longestMs = 0;
  const say = (): void => {
    const text = `message ${said.length}`;
    said.push({ text, at: performance.now() });
    stage.say(chat, { text });
  };
  for (let round = 0; round < rounds; round++) {
    const name = chance.weighed({ deaf: 3, deaf_again: 2, resume: 1, fresh: 1 });
    const fault = await FAULTS[name](scene);
    for (let left = chance.int(1, 4); left > 0; left--) {
      say();
      await sleep(chance.int(0, 40) * 1_000);
    }
    if (name === 'deaf' || name === 'deaf_again') wrong.push(...(await trySend(scene)));
    if (Symbol.asyncDispose in fault) await fault[Symbol.asyncDispose]();
    else fault[Symbol.dispose]();
    const mended = performance.now();
    await until(() => arrived.texts.size >= said.length);
    const from = name === 'deaf' ? (said.at(-1)?.at ?? mended) : mended;
    longestMs = Math.max(longestMs, ...[...arrived.texts.values()].slice(-1).map(({ at }) => at - from));
  }
  return { said, wrong, longestMs };
}

/** Sends go through while nothing is received: a watch that they feed would never notice. */
async function trySend({ link, chat }: DeafScene): Promise<string[]> {
  const sent = await link.send(
    { chatId: chat.chatId, content: { type: 'text', markdown: 'still here' }, key: `k${performance.now()}` },
    AbortSignal.timeout(100_000),
  );
  return sent.type === 'sent' || sent.type === 'unknown' || sent.type === 'not_sent' ? [] : [`a send was ${sent.type} while it was deaf`];
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // What is missing is found by the judge.
  while (!isSo() && Date.now() < deadline) await sleep(LOOK_MS);
}

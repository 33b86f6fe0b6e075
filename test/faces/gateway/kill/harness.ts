import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inviteByCode } from '../../../../src/faces/gateway/access/pairing.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openGatewayHome, type GatewayHome, type GatewayProcess } from './home.ts';
import { judge, type Evidence, type KillCounts, type Verdicts } from './judge.ts';
import { answerByNonce } from './model.ts';
import { judgeReceipts } from './receipts.ts';
import { answerCards, createSpeaker, pickStory, SCRIPTS, STORIES, type Said, type ScriptName, type Speaker } from './stories.ts';

/** A gateway that has answered nothing more for so long never will. */
const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
/** A moment is found when all that follows an answer is over too. */
const REST_MS = 300;

export interface KillRound {
  /** What was done to the gateway, in words that let it be done again. */
  readonly how: string;
  readonly kills: number;
  readonly counts: KillCounts;
  /** What must not be, in words; empty when all is well. */
  readonly faults: readonly string[];
}
export interface StormOptions {
  readonly seed: string;
  readonly messages: number;
  readonly perSecond: number;
  readonly kills: number;
  /** How long a gateway lives, at most: from when it is at work, seldom from its start. */
  readonly lifeMs: number;
}

/** A home, a platform with several chats and a model; gateways come and go in between. */
export interface KillStage extends AsyncDisposable {
  /** Plays a script, kills the gateway at a moment (0: at none), starts it again and judges. */
  round(script: ScriptName, at: number): Promise<KillRound>;
  /** The moments of the last round, in order. */
  moments(): readonly string[];
  /** Plays stories of all kinds at a pace and kills the gateway at random times meanwhile. */
  storm(options: StormOptions): Promise<KillRound>;
  /** Whether every message that may be a repeat, and no other, has the receipt that says so. */
  receipts(): Promise<readonly string[]>;
}
export interface KillStageOptions {
  readonly platform: ChatStage['platform'];
  readonly chats: number;
  readonly strangers?: number;
}

export async function openKillStage({ platform, chats, strangers = 0 }: KillStageOptions): Promise<KillStage> {
  // As seldom as in life: where a tenth of it is a second, a busy machine would cut them off.
  const stage = await STAGES[platform]({ chats, strangers, ...(platform !== 'telegram' && { secondMs: 1_000 }) });
  const home = await openGatewayHome({ stages: [stage], answer: answerByNonce });
  const deps: KillDeps = { stage, home, log: join(home.root, 'moments'), rounds: 0 };
  await greet(deps);
  return {
    round: (script, at) => runRound(script, at, deps),
    moments: () => readMoments(deps),
    storm: (options) => runStorm(options, deps),
    receipts: () => home.look(({ store }) => judgeReceipts(stage, store.gateway)),
    [Symbol.asyncDispose]: async () => {
      await home[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

interface KillDeps {
  readonly stage: ChatStage;
  readonly home: GatewayHome;
  readonly log: string;
  rounds: number;
}

/** What is said in a round, by whom, and who died meanwhile. */
interface KillScene extends Disposable {
  readonly said: Said[];
  readonly speakers: ReadonlyMap<StageChat, Speaker>;
  readonly kills: number[];
  readonly since: number;
}

function openRound(deps: KillDeps): KillScene {
  const round = deps.rounds++;
  const said: Said[] = [];
  const { stage } = deps;
  const speakers = new Map(
    [...stage.chats, ...stage.strangers].map((chat, index) => [chat, createSpeaker({ stage, chat, said, prefix: `n${round}x${index}` })]),
  );
  const answering = answerCards(stage, speakers);
  return { said, speakers, kills: [], since: Date.now(), [Symbol.dispose]: () => answering[Symbol.dispose]() };
}

/** Everybody has written once before: a service that sends nothing again can only be asked about chats that are known. */
async function greet(deps: KillDeps): Promise<void> {
  const gateway = deps.home.start();
  await gateway.ready;
  const { stage } = deps;
  while (stage.chats.length > 0 && stage.sockets('main') === 0) await sleep(20);
  using scene = openRound(deps);
  for (const chat of stage.chats) scene.speakers.get(chat)?.say('tell', 'tell NONCE');
  // A service that keeps what was said needs no greeting, and strangers are only heard so often.
  if (stage.platform !== 'telegram') for (const chat of stage.strangers) stage.say(chat, { text: 'hello' });
  const { missing } = await settle(deps, scene);
  if (missing.length > 0) throw new Error(`The greeting was not answered: ${missing.join('; ')}`);
  await gateway.stop();
}

async function runRound(script: ScriptName, at: number, deps: KillDeps): Promise<KillRound> {
  writeFileSync(deps.log, '');
  const paired = script === 'pairing' ? await invite(deps) : undefined;
  using scene = openRound(deps);
  let gateway = deps.home.start({ log: deps.log, ...(at > 0 && { at }) });
  const stories = SCRIPTS[script].map(async (names, index) => {
    const chat = deps.stage.chats[index];
    const speaker = chat && scene.speakers.get(chat);
    if (speaker !== undefined) for (const name of names) await STORIES[name](speaker);
  });
  if (paired !== undefined) pair(paired, scene);
  await Promise.all(stories);
  const verdicts = await settle(deps, scene, () => (gateway = revive(gateway, deps, scene)));
  await gateway.stop();
  const where = scene.kills.length === 0 ? 'not reached' : (readMoments(deps).at(-1) ?? '');
  return toRound(deps, scene, verdicts, at === 0 ? `${script}, not killed` : `${script}, killed at ${at} (${where})`);
}

/** One that killed itself is followed by another, which has no moments. */
function revive(gateway: GatewayProcess, deps: KillDeps, { kills }: KillScene): GatewayProcess {
  if (!gateway.isOver) return gateway;
  kills.push(gateway.endedAt ?? Date.now());
  return deps.home.start();
}

const readMoments = ({ log }: KillDeps): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);

async function runStorm(options: StormOptions, deps: KillDeps): Promise<KillRound> {
  const { seed, lifeMs } = options;
  const chance = createSeededRandom(seed);
  const paired = await invite(deps);
  using scene = openRound(deps);
  let gateway = deps.home.start();
  const talking = talk(chance.fork('people'), deps, { ...options, paired, scene });
  const state = { isSaid: false };
  void talking.then(() => (state.isSaid = true));
  const mayKill = chance.fork('kills');
  const isDone = (): boolean => state.isSaid && collect(deps, scene).missing.length === 0;
  while (scene.kills.length < options.kills && !isDone()) {
    // Most are at work when they die, however long a start takes on this machine.
    if (mayKill.hits(0.85)) await gateway.ready;
    await sleep(mayKill.int(50, lifeMs));
    await gateway.kill();
    scene.kills.push(gateway.endedAt ?? Date.now());
    gateway = deps.home.start();
  }
  await talking;
  const verdicts = await settle(deps, scene);
  await gateway.stop();
  return toRound(deps, scene, verdicts, `seed ${seed}`);
}

interface PairedPerson {
  readonly chat: StageChat;
  readonly code: string;
}
/** A stranger who was never paired, and a code of the owner's for them. */
async function invite({ stage, home, rounds }: KillDeps): Promise<PairedPerson | undefined> {
  const chat = stage.strangers[rounds - 1];
  if (chat === undefined) return undefined;
  const offered = await home.look((host) => inviteByCode(host.store.gateway, { platform: stage.platform, account: 'main' }));
  if (offered.type !== 'offered') throw new Error(`No code could be made: ${offered.type}.`);
  return { chat, code: offered.code };
}
function pair({ chat, code }: PairedPerson, { speakers }: KillScene): void {
  speakers.get(chat)?.say('code', code);
  speakers.get(chat)?.say('tell', 'tell NONCE');
}

interface TalkOptions extends Pick<StormOptions, 'messages' | 'perSecond'> {
  readonly paired: PairedPerson | undefined;
  readonly scene: KillScene;
}

async function talk(chance: SeededRandom, { stage }: KillDeps, { messages, perSecond, paired, scene }: TalkOptions): Promise<void> {
  const running: Promise<void>[] = [];
  for (let left = messages; left > 0; left--) {
    const index = chance.int(0, stage.chats.length - 1);
    const [chat, story] = [stage.chats[index], STORIES[pickStory(chance, index)]];
    const speaker = chat && scene.speakers.get(chat);
    if (speaker !== undefined) running.push(Promise.resolve(story(speaker)));
    if (paired !== undefined && left === Math.ceil(messages / 2)) pair(paired, scene);
    await sleep(1_000 / perSecond);
  }
  await Promise.all(running);
}

const collect = ({ stage, home }: KillDeps, { said, kills, since }: KillScene): Verdicts => {
  const effects = new Map([...Map.groupBy(home.effects(), (nonce) => nonce)].map(([nonce, lines]) => [nonce, lines.length]));
  const evidence: Evidence = { stage, said, kills, since, effects, prompts: home.model.requests.map(({ text }) => text) };
  return judge(evidence);
};

/** Until all is answered, and for a moment longer: what is there twice comes late, and a kill may, too. */
async function settle(deps: KillDeps, scene: KillScene, meanwhile = (): unknown => undefined): Promise<Verdicts> {
  let [deadline, seen] = [0, ''];
  for (let restedMs = 0; ; restedMs += LOOK_MS) {
    const before = scene.kills.length;
    meanwhile();
    const verdicts = collect(deps, scene);
    const missing = verdicts.missing.join('\n');
    if (missing !== seen || deadline === 0) [deadline, seen] = [Date.now() + MAX_WAIT_MS, missing];
    if (verdicts.missing.length > 0 || scene.kills.length > before) restedMs = 0;
    if (restedMs >= REST_MS || Date.now() > deadline) return verdicts;
    await sleep(LOOK_MS);
  }
}
const LOOK_MS = 60;

const toRound = ({ stage }: KillDeps, { kills }: KillScene, { wrong, missing, counts }: Verdicts, how: string): KillRound => ({
  how,
  kills: kills.length,
  counts,
  faults: [...wrong, ...missing].map((fault) => `${stage.platform}, ${how}: ${fault}`),
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inviteByCode, PAIRED_WORDS } from '../../../../src/faces/gateway/pairing.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openGatewayHome, type GatewayHome } from './home.ts';
import { answerByNonce } from './model.ts';

/** A gateway that has not answered everything by then never will. */
const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
/** A person whose press is not answered presses again. */
const PRESS_AGAIN_MS = 3_000;
/** A moment is found when all that follows an answer is over too. */
const REST_MS = 300;

/** What the platform's own log says of one message that was sent to the gateway. */
export interface JudgedMessage {
  readonly nonce: string;
  /** Answers in its chat that bear no mark of a possible repeat, and those that do. */
  readonly answers: number;
  readonly marked: number;
  /** Answers in any other chat. */
  readonly elsewhere: number;
  /** How often its effect is in the world. */
  readonly effects: number;
}
export interface KillRound {
  /** What was done to the gateway, in words that let it be done again. */
  readonly how: string;
  readonly kills: number;
  readonly messages: readonly JudgedMessage[];
  /** Turns that were cut off three times and are told as failed. */
  readonly givenUp: number;
  /** What must not be, in words; empty when all is well. */
  readonly faults: readonly string[];
}
export interface StormOptions {
  readonly seed: string;
  readonly messages: number;
  readonly perSecond: number;
  readonly kills: number;
  /** How long a gateway lives, at most. */
  readonly lifeMs: number;
}

/** A home, a platform with several chats and a model; gateways come and go in between. */
export interface KillStage extends AsyncDisposable {
  /** Sends two messages into each chat, kills the gateway at a moment (0: at none), starts it again and judges. */
  round(at: number): Promise<KillRound>;
  /** The moments of the last round, in order. */
  moments(): readonly string[];
  /** Sends messages of all kinds at a pace and kills the gateway at random times meanwhile. */
  storm(options: StormOptions): Promise<KillRound>;
}
export interface KillStageOptions {
  readonly platform: ChatStage['platform'];
  readonly chats: number;
  readonly strangers?: number;
}

export async function openKillStage({ platform, chats, strangers = 0 }: KillStageOptions): Promise<KillStage> {
  const stage = await STAGES[platform]({ chats, strangers });
  const home = await openGatewayHome({ stages: [stage], answer: answerByNonce });
  const deps: KillDeps = { stage, home, log: join(home.root, 'moments'), rounds: 0 };
  await greet(deps);
  return {
    round: (at) => runRound(at, deps),
    moments: () => readMoments(deps),
    storm: (options) => runStorm(options, deps),
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
interface SaidMessage {
  readonly chat: StageChat;
  readonly nonce: string;
}

/** Everybody has written once before: a service that sends nothing again can only be asked about chats that are known. */
async function greet(deps: KillDeps): Promise<void> {
  const gateway = deps.home.start();
  await gateway.ready;
  const { chats, strangers } = deps.stage;
  while (chats.length > 0 && deps.stage.sockets('main') === 0) await sleep(20);
  const said = chats.map((chat, index) => say(deps, chat, 'tell', `n0x${index}x0`));
  for (const chat of strangers) deps.stage.say(chat, { text: 'hello' });
  deps.rounds++;
  await waitFor(() => said.every((message) => answersTo(deps, message).length > 0), deps, 'the greeting is answered');
  await gateway.stop();
}

function say({ stage }: KillDeps, chat: StageChat, order: string, nonce: string, manner = ''): SaidMessage {
  const file = order === 'file' ? { file: { name: 'notes.txt', bytes: Buffer.from(`notes of ${nonce}`) } } : {};
  stage.say(chat, { text: `${order === 'file' ? 'do' : order} ${nonce}${manner}`, ...file });
  return { chat, nonce };
}

async function runRound(at: number, deps: KillDeps): Promise<KillRound> {
  writeFileSync(deps.log, '');
  const round = deps.rounds++;
  const before = countGivenUp(deps);
  let gateway = deps.home.start({ log: deps.log, ...(at > 0 && { at }) });
  const said = deps.stage.chats.flatMap((chat, index) => [0, 1].map((turn) => say(deps, chat, 'do', `n${round}x${index}x${turn}`)));
  let kills = 0;
  const isOver = (): boolean => {
    if (gateway.isOver) {
      kills++;
      gateway = deps.home.start({ log: `${deps.log}-again` });
    }
    return isAnswered(deps, said, before);
  };
  await waitFor(isOver, deps, `kill at ${at}: everything is answered`);
  if (kills === 0) await sleep(REST_MS);
  await gateway.stop();
  const where = at === 0 ? 'not killed' : `killed at ${at} (${kills === 0 ? 'not reached' : (readMoments(deps).at(-1) ?? '')})`;
  return judgeRound(deps, said, { how: where, kills: Math.min(kills, 1), before });
}

const readMoments = ({ log }: KillDeps): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);

async function runStorm(options: StormOptions, deps: KillDeps): Promise<KillRound> {
  const { seed, messages, perSecond, lifeMs } = options;
  const chance = createSeededRandom(seed);
  const before = countGivenUp(deps);
  const paired = await invite(deps);
  const life = { gateway: deps.home.start(), kills: 0 };
  const said: SaidMessage[] = [];
  const talking = talk(chance.fork('people'), deps, { messages, perSecond, paired, said });
  using _pressing = pressCards(deps);
  const mayKill = chance.fork('kills');
  const state = { isSaid: false };
  void talking.then(() => (state.isSaid = true));
  const isDone = (): boolean => state.isSaid && isAnswered(deps, said, before);
  while (life.kills < options.kills && !isDone()) {
    await sleep(mayKill.int(50, lifeMs));
    await life.gateway.kill();
    life.kills++;
    life.gateway = deps.home.start();
  }
  await talking;
  await waitFor(isDone, deps, `seed ${seed}: everything is answered`);
  await life.gateway.stop();
  const round = judgeRound(deps, said, { how: `seed ${seed}`, kills: life.kills, before });
  const told = paired === undefined ? 1 : deps.stage.ours(paired.chat).filter(({ text }) => text.includes(PAIRED_WORDS)).length;
  return told >= 1 ? round : { ...round, faults: [...round.faults, `seed ${seed}: a person who typed a code was not told that it worked`] };
}

interface PairedPerson {
  readonly chat: StageChat;
  readonly code: string;
}
/** A stranger who was never paired, and a code of the owner's for them. */
async function invite({ stage, home, rounds }: KillDeps): Promise<PairedPerson | undefined> {
  const chat = stage.strangers[rounds - 1];
  if (chat === undefined) return undefined;
  const offered = await home.look((host) => inviteByCode(host.store.gateway, stage.platform));
  if (offered.type !== 'offered') throw new Error(`No code could be made: ${offered.type}.`);
  return { chat, code: offered.code };
}

interface TalkOptions extends Pick<StormOptions, 'messages' | 'perSecond'> {
  readonly paired: PairedPerson | undefined;
  /** What was said is added here. */
  readonly said: SaidMessage[];
}
const ORDERS = { do: 50, tell: 20, ask: 8, file: 12 } as const;
/** Chats of which every answer fills the window: they are made smaller before every turn. */
const FULL_CHATS = 3;

async function talk(chance: SeededRandom, deps: KillDeps, { messages, perSecond, paired, said }: TalkOptions): Promise<void> {
  const round = deps.rounds++;
  const { chats } = deps.stage;
  const turns = new Map<number, number>();
  const nonceOf = (index: number): string => {
    const turn = (turns.get(index) ?? 0) + 1;
    turns.set(index, turn);
    return `n${round}x${index}x${turn}`;
  };
  for (let left = messages; left > 0; left--) {
    const index = chance.int(0, chats.length - 1);
    const chat = chats[index];
    const manner = index < FULL_CHATS && chats.length > FULL_CHATS ? ' full' : chance.hits(0.2) ? ' slow' : '';
    if (chat !== undefined) said.push(say(deps, chat, chance.weighed(ORDERS), nonceOf(index), manner));
    if (paired !== undefined && left === Math.ceil(messages / 2)) deps.stage.say(paired.chat, { text: paired.code });
    await sleep(1_000 / perSecond);
  }
  if (paired !== undefined) said.push(say(deps, paired.chat, 'tell', nonceOf(chats.length)));
}

/** Somebody presses what can be pressed. */
function pressCards({ stage }: KillDeps): Disposable {
  const pressed = new Map<string, number>();
  const timer = setInterval(() => {
    for (const chat of stage.chats)
      for (const { id, hasButtons } of stage.ours(chat)) {
        const name = `${chat.account} ${chat.chatId} ${id}`;
        if (!hasButtons || Date.now() - (pressed.get(name) ?? 0) < PRESS_AGAIN_MS) continue;
        pressed.set(name, Date.now());
        stage.press(chat, id);
      }
  }, 200);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function waitFor(isSo: () => boolean, { home }: KillDeps, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  while (!isSo()) {
    // What is missing is found by the judge.
    if (Date.now() > deadline) {
      console.error(`It never came to this: ${what} (${home.model.requests.length} model calls)`);
      return;
    }
    await sleep(40);
  }
}

/** What is told of a turn, or of a message, that was in hand at three crashes. */
const GIVEN_UP = /I gave up on this message|I could not read this message/;
const countGivenUp = ({ stage }: KillDeps): number =>
  stage.chats.flatMap((chat) => stage.ours(chat)).filter(({ text }) => GIVEN_UP.test(text)).length;
const says = (text: string, nonce: string): boolean => new RegExp(`done ${nonce}(?!\\d)`).test(text) && !text.includes('▉');
const answersTo = ({ stage }: KillDeps, { chat, nonce }: SaidMessage) => stage.ours(chat).filter(({ text }) => says(text, nonce));

function isAnswered(deps: KillDeps, said: readonly SaidMessage[], before: number): boolean {
  const missing = said.filter((message) => answersTo(deps, message).length === 0).length;
  return missing === 0 || missing <= countGivenUp(deps) - before;
}

interface RoundFacts {
  readonly how: string;
  readonly kills: number;
  /** How many were given up before it. */
  readonly before: number;
}

function judgeRound(deps: KillDeps, said: readonly SaidMessage[], { how, kills, before }: RoundFacts): KillRound {
  const effects = Map.groupBy(deps.home.effects(), (nonce) => nonce);
  const messages = said.map((message) => judge(deps, message, effects.get(message.nonce)?.length ?? 0));
  const givenUp = countGivenUp(deps) - before;
  const lost = messages.filter(({ answers, marked }) => answers + marked === 0);
  const faults = [
    ...(lost.length > givenUp ? [`lost: ${lost.map(({ nonce }) => nonce).join(', ')}; ${givenUp} told as given up`] : []),
    ...messages.flatMap((message) => findFaults(message, deps.stage)),
    ...(isInOrder(deps, said) ? [] : ['answers came in another order than the messages']),
  ];
  return { how, kills, messages, givenUp, faults: faults.map((fault) => `${deps.stage.platform}, ${how}: ${fault}`) };
}

function judge(deps: KillDeps, message: SaidMessage, effects: number): JudgedMessage {
  const { chat, nonce } = message;
  const here = answersTo(deps, message);
  const marked = here.filter(({ text }) => text.includes('may be a repeat')).length;
  const others = [...deps.stage.chats, ...deps.stage.strangers].filter((other) => other !== chat);
  const elsewhere = others.flatMap((other) => deps.stage.ours(other)).filter(({ text }) => new RegExp(`${nonce}(?!\\d)`).test(text)).length;
  return { nonce, answers: here.length - marked, marked, elsewhere, effects };
}

function findFaults({ nonce, answers, marked, elsewhere, effects }: JudgedMessage, { platform }: ChatStage): string[] {
  // Only Telegram has neither keys nor a history to look into: there each kill may leave one more, which says so.
  const most = { answers: 1, all: platform === 'telegram' ? Infinity : 1 };
  return [
    ...(answers > most.answers || answers + marked > most.all ? [`${nonce} was answered ${answers} + ${marked} times`] : []),
    ...(elsewhere > 0 ? [`${nonce} was told in another chat`] : []),
    ...(effects > 1 ? [`${nonce} took effect ${effects} times`] : []),
  ];
}

function isInOrder({ stage }: KillDeps, said: readonly SaidMessage[]): boolean {
  return stage.chats.every((chat) => {
    const nonces = said.filter((message) => message.chat === chat).map(({ nonce }) => nonce);
    const places = stage
      .ours(chat)
      .filter(({ text }) => !text.includes('may be a repeat'))
      .flatMap(({ text }) => Array.from(text.matchAll(/done (n\d+x\d+x\d+)/g), ([, nonce = '']) => nonces.indexOf(nonce)))
      .filter((place) => place >= 0);
    return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
  });
}

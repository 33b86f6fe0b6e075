import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import { createCorpus } from '../../../testing/mail/corpus.ts';
import { openGatewayHome, type GatewayHome, type GatewayProcess } from '../../../faces/gateway/kill/home.ts';
import { answerMail, openMailStage, type MailStage } from './mail-stage.ts';

export interface MailStormOptions {
  readonly seed: string;
  readonly people: number;
  readonly mails: number;
  readonly perSecond: number;
  /** Half of them at any time, half when the server has taken an answer and the gateway does not know it yet. */
  readonly kills: number;
  /** How long a gateway lives, at most. */
  readonly lifeMs: number;
  /** How often the line is cut, and each of the servers started again. */
  readonly drops: number;
  readonly restarts: number;
}
export interface MailStormResult {
  readonly mails: number;
  readonly kills: number;
  /** Of those, how many fell between the word of the server that it took an answer and our knowing it. */
  readonly unheard: number;
  readonly drops: number;
  readonly restarts: number;
  readonly answered: number;
  /** Answers that came again under the same id. */
  readonly repeats: number;
  /** Turns that were cut off three times and are told as failed. */
  readonly givenUp: number;
  /** The most connections the server had of us at once. */
  readonly connections: number;
  /** What must not be. */
  readonly faults: readonly string[];
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
/** So long an answer is waited for, to kill at it. */
const HANDOVER_MS = 20_000;
const GIVEN_UP = /I gave up on this message|I could not read this message/;

interface AskedMail {
  readonly nonce: string;
  readonly from: string;
  readonly messageId: string;
}

/** People write odd mails while the gateway is killed, its line is cut and the servers are started again; their mailboxes are the judge. */
export async function runMailStorm(options: MailStormOptions): Promise<MailStormResult> {
  const chance = createSeededRandom(options.seed);
  const people = Array.from({ length: options.people }, (_, index) => `person${index}@people.test`);
  await using stage = await openMailStage(people);
  await using home = await openGatewayHome({ stages: [stage], answer: answerMail });
  const asked: AskedMail[] = [];
  const life = { gateway: home.start(), kills: 0, unheard: 0, drops: 0, restarts: 0, deaths: [] as number[] };
  await begin(stage);
  const writing = writeAll(stage, asked, options, chance.fork('people'));
  const disturbing = disturb(stage, life, options, chance.fork('line'));
  const mayKill = chance.fork('kills');
  const state = { isWritten: false };
  void writing.then(() => (state.isWritten = true));
  while (life.kills < options.kills && !(state.isWritten && (await isAnswered(stage, asked)))) {
    const rest = sleep(mayKill.int(100, options.lifeMs));
    if (life.kills % 2 === 1) await Promise.race([killAtHandover(stage, life), sleep(HANDOVER_MS)]);
    else await rest;
    stage.smtp.onTaken = undefined;
    await life.gateway.kill();
    life.deaths.push(Date.now());
    life.kills++;
    life.gateway = home.start();
  }
  await Promise.all([writing, disturbing]);
  const deadline = Date.now() + MAX_WAIT_MS;
  while (Date.now() < deadline && !(await isAnswered(stage, asked))) await sleep(100);
  // What comes a second time has a moment to do so.
  await sleep(500);
  await stage.servers.settle();
  await life.gateway.stop();
  return await judge(stage, asked, life, home);
}

/** Kills the gateway before it can hear that the server has taken its answer. */
const killAtHandover = (stage: MailStage, life: { readonly gateway: GatewayProcess; unheard: number }): Promise<void> =>
  new Promise((resolve) => {
    stage.smtp.onTaken = () => {
      stage.smtp.onTaken = undefined;
      process.kill(life.gateway.pid, 'SIGKILL');
      life.unheard++;
      resolve();
    };
  });

/** The very first start begins with now: somebody is answered before it counts. */
async function begin(stage: MailStage): Promise<void> {
  while (stage.imap.count() === 0) await sleep(20);
  await sleep(500);
  const [first = ''] = stage.people;
  await stage.write({ from: first, messageId: 'greeting@people.test', fields: [], content: Buffer.from('\r\ntell n0x0x0') });
  while (!(await stage.received(first)).some(({ text }) => text.includes('done n0x0x0'))) await sleep(50);
}

async function writeAll(stage: MailStage, asked: AskedMail[], { mails, perSecond }: MailStormOptions, chance: SeededRandom): Promise<void> {
  // Some want something done, which must be done once.
  const corpus = createCorpus((index) => `${index % 5 === 0 ? 'do' : 'tell'} n1x0x${index}`);
  for (let index = 0; index < mails; index++) {
    const odd = corpus[Math.floor((index * corpus.length) / mails)];
    const number = odd === undefined ? 0 : corpus.indexOf(odd);
    const from = stage.people[index % stage.people.length] ?? '';
    const messageId = `m${number}@people.test`;
    if (odd !== undefined) await stage.write({ from, messageId, fields: odd.fields, content: odd.content });
    asked.push({ nonce: `n1x0x${number}`, from, messageId });
    await sleep(chance.int(0, 2_000 / perSecond));
  }
}

async function disturb(
  { imap, servers }: MailStage,
  life: { drops: number; restarts: number; readonly deaths: number[] },
  { drops, restarts }: MailStormOptions,
  chance: SeededRandom,
): Promise<void> {
  const wanted = [...Array.from({ length: drops }, () => 'drop' as const), ...Array.from({ length: restarts }, () => 'restart' as const)];
  for (const what of chance.shuffled(wanted)) {
    await sleep(chance.int(200, 1_500));
    if (what === 'drop') {
      imap.drop();
      life.drops++;
      continue;
    }
    const which = chance.pick(['dovecot', 'postfix'] as const);
    await servers.stop(which);
    life.deaths.push(Date.now());
    await sleep(chance.int(0, 300));
    await servers.start(which);
    life.restarts++;
  }
}

const says = (text: string, nonce: string): boolean => new RegExp(`done ${nonce}(?!\\d)`).test(text);

async function isAnswered(stage: MailStage, asked: readonly AskedMail[]): Promise<boolean> {
  let [missing, givenUp] = [0, 0];
  for (const person of stage.people) {
    const mails = await stage.received(person);
    givenUp += mails.filter(({ text }) => GIVEN_UP.test(text)).length;
    missing += asked.filter(({ from, nonce }) => from === person && !mails.some(({ text }) => says(text, nonce))).length;
  }
  return missing <= givenUp;
}

interface StormLife extends Pick<MailStormResult, 'kills' | 'unheard' | 'drops' | 'restarts'> {
  /** When the gateway or a server died. */
  readonly deaths: readonly number[];
}
/** A mail lies in its mailbox a moment after the server has taken it. */
const DELIVERY_MS = 5_000;

async function judge(
  stage: MailStage,
  asked: readonly AskedMail[],
  { kills, unheard, drops, restarts, deaths }: StormLife,
  home: GatewayHome,
): Promise<MailStormResult> {
  const faults: string[] = [];
  const effects = Map.groupBy(home.effects(), (nonce) => nonce);
  const boxes = new Map(await Promise.all(stage.people.map(async (person) => [person, await stage.received(person)] as const)));
  const all = [...boxes].flatMap(([person, mails]) => mails.map((mail) => ({ person, ...mail })));
  const givenUp = all.filter(({ text }) => GIVEN_UP.test(text)).length;
  let [answered, repeats, lost] = [0, 0, 0];
  for (const { nonce, from, messageId } of asked) {
    const answers = all.filter(({ text }) => says(text, nonce));
    const ids = new Set(answers.map((answer) => answer.messageId));
    if (answers.length === 0) lost++;
    else answered++;
    for (const [index, answer] of answers.entries()) {
      const before = answers[index - 1];
      if (before === undefined) continue;
      repeats++;
      // Only somebody who died may not have known that it was there.
      if (!deaths.some((at) => at > before.at - DELIVERY_MS && at < answer.at))
        faults.push(`${nonce} was answered again although nobody had died`);
    }
    if (ids.size > 1) faults.push(`${nonce} was answered under ${ids.size} ids`);
    if (answers.some(({ person }) => person !== from)) faults.push(`${nonce} was answered to somebody else`);
    if (answers.some(({ inReplyTo }) => inReplyTo !== messageId)) faults.push(`${nonce} was answered outside of its thread`);
    if ((effects.get(nonce)?.length ?? 0) > 1) faults.push(`${nonce} took effect ${effects.get(nonce)?.length} times`);
  }
  if (lost > givenUp) faults.push(`${lost} mails were lost, ${givenUp} told as given up`);
  // Mails go out one after the other: each death can leave one of which it is unknown whether it was taken.
  if (repeats > kills + restarts) faults.push(`${repeats} answers came again after ${kills} kills and ${restarts} restarts`);
  if (all.some(({ text }) => /n9x9x9/.test(text))) faults.push('a quoted mail was answered');
  return { mails: asked.length, kills, unheard, drops, restarts, answered, repeats, givenUp, connections: stage.imap.most(), faults };
}

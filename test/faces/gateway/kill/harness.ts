import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWireServer, type RecordedRequest, type Reply, type WireServer } from '../../../../src/testing/wire-server/index.ts';
import type { TelegramChat, TelegramPerson } from '../../../../src/testing/platforms/telegram/index.ts';
import { telegramStage, type TelegramStage } from '../../../testing/platforms/telegram/stage.ts';

const HERE = import.meta.dirname;
/** A gateway that has not answered everything by then never will. */
const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 60_000);

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
  readonly at: number;
  /** The moment it died at; absent when it lived on. */
  readonly died?: string;
  readonly messages: readonly JudgedMessage[];
  /** Whether answers came in the order of the messages, in each chat. */
  readonly inOrder: boolean;
}

/** A home, a platform with several chats and a model; gateways come and go in between. */
export interface KillStage extends AsyncDisposable {
  /** Sends two messages into each chat, kills the gateway at a moment, starts it again and judges. */
  round(at: number): Promise<KillRound>;
  /** The moments of the last round, in order. */
  moments(): readonly string[];
}

export async function openKillStage(chats: number): Promise<KillStage> {
  const stage = await telegramStage();
  const model = await startWireServer({ answer: echo });
  const root = mkdtempSync(join(tmpdir(), 'hermes-gateway-kill-'));
  const people = Array.from({ length: chats }, (_, index) => {
    const person = stage.server.people.addUser(`Person ${index}`);
    return { person, chat: stage.server.people.openPrivate(stage.bot, person) };
  });
  const deps: StageDeps = { stage, model, root, people, log: join(root, 'moments'), rounds: 0 };
  mkdirSync(join(root, 'home'));
  writeFileSync(join(root, 'home', 'config.yaml'), configFor(deps));
  return {
    round: (at) => runRound(at, deps),
    moments: () => readMoments(deps),
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface StageDeps {
  readonly stage: TelegramStage;
  readonly model: WireServer;
  readonly root: string;
  readonly people: readonly { readonly person: TelegramPerson; readonly chat: TelegramChat }[];
  readonly log: string;
  rounds: number;
}

/** A message `do NONCE` is answered by one command that leaves its mark, and then by `done NONCE`. */
function echo({ text }: RecordedRequest): Reply {
  const nonces = [...text.matchAll(/do (n\d+x\d+x\d+)/g)].map(([, nonce]) => nonce ?? '');
  const nonce = nonces.at(-1) ?? '';
  const called = text.includes(`echo ${nonce} >>`);
  if (nonce !== '' && !called) return { calls: [{ name: 'terminal', arguments: { command: `echo ${nonce} >> effects.txt` } }] };
  return { text: `done ${nonce}` };
}

const configFor = ({ stage, model, people }: StageDeps): string =>
  [
    'model:',
    '  provider: custom',
    '  default: wire-model',
    `  base_url: ${model.url}/v1`,
    'terminal:',
    '  backend: local',
    'display:',
    '  busy_input_mode: queue',
    'platforms:',
    '  telegram:',
    `    allowed_users: [${people.map(({ person }) => `"${person.id}"`).join(', ')}]`,
    `    owners: [${people.map(({ person }) => `"${person.id}"`).join(', ')}]`,
    '    extra:',
    `      base_url: ${stage.server.baseUrl}`,
    '',
  ].join('\n');

function startGateway({ stage, root, log }: StageDeps, at: number): ChildProcess {
  const points = pathToFileURL(join(HERE, 'points.ts'));
  points.search = new URLSearchParams({ log, ...(at > 0 && { at: String(at) }) }).toString();
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    HERMES_HOME: join(root, 'home'),
    TELEGRAM_BOT_TOKEN: stage.bot.token,
    OPENAI_API_KEY: 'test-key',
  };
  return spawn(process.execPath, ['--import', points.href, join(HERE, 'program.ts')], {
    env,
    stdio: ['ignore', 'pipe', process.env['HERMES_KILL_DEBUG'] === '1' ? 'inherit' : 'ignore'],
  });
}

async function runRound(at: number, deps: StageDeps): Promise<KillRound> {
  writeFileSync(deps.log, '');
  const round = deps.rounds++;
  const nonces = deps.people.flatMap((_, chat) => [0, 1].map((turn) => ({ chat, nonce: `n${round}x${chat}x${turn}` })));
  let gateway = startGateway(deps, at);
  for (const { chat, nonce } of nonces) {
    const place = deps.people[chat];
    if (place !== undefined) deps.stage.server.people.say(place.chat, place.person, `do ${nonce}`);
  }
  const isAnswered = (): boolean => nonces.every(({ chat, nonce }) => answersIn(deps, chat, nonce).length > 0);
  let died: string | undefined;
  const deadline = Date.now() + MAX_WAIT_MS;
  while (!isAnswered() && Date.now() < deadline) {
    if (gateway.exitCode === null && gateway.signalCode === null) await sleep(20);
    else {
      if (gateway.signalCode !== 'SIGKILL')
        throw new Error(`the gateway ended by itself with code ${gateway.exitCode}; HERMES_KILL_DEBUG=1 shows what it said`);
      died ??= readMoments(deps).at(-1);
      gateway = startGateway({ ...deps, log: `${deps.log}-again` }, 0);
    }
  }
  died ??= gateway.signalCode === 'SIGKILL' ? readMoments(deps).at(-1) : undefined;
  await stopGateway(gateway);
  const messages = nonces.map(({ chat, nonce }) => judge(deps, chat, nonce));
  return { at, ...(died !== undefined && { died }), messages, inOrder: isInOrder(deps, round) };
}

async function stopGateway(gateway: ChildProcess): Promise<void> {
  if (gateway.exitCode !== null || gateway.signalCode !== null) return;
  const over = once(gateway, 'exit');
  gateway.kill('SIGTERM');
  await over;
}

const readMoments = ({ log }: StageDeps): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1);
const visibleIn = ({ stage, people }: StageDeps, chat: number) => {
  const place = people[chat];
  return place === undefined ? [] : stage.server.log.visible(place.chat).filter(({ from }) => from === stage.bot.id);
};
const says = (text: string, nonce: string): boolean => new RegExp(`done ${nonce}(?!\\d)`).test(text) && !text.includes('▉');
const answersIn = (deps: StageDeps, chat: number, nonce: string) => visibleIn(deps, chat).filter(({ text }) => says(text, nonce));

function judge(deps: StageDeps, chat: number, nonce: string): JudgedMessage {
  const here = answersIn(deps, chat, nonce);
  const marked = here.filter(({ text }) => text.includes('may be a repeat')).length;
  const elsewhere = deps.people.flatMap((_, other) =>
    other === chat ? [] : visibleIn(deps, other).filter(({ text }) => text.includes(nonce)),
  ).length;
  const effects = globSync(join(deps.root, 'home', 'workspaces', '*', 'effects.txt'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line === nonce).length;
  return { nonce, answers: here.length - marked, marked, elsewhere, effects };
}

function isInOrder(deps: StageDeps, round: number): boolean {
  return deps.people.every((_, chat) => {
    const turns = visibleIn(deps, chat).flatMap(({ text }) =>
      Array.from(text.matchAll(new RegExp(`n${round}x${chat}x(\\d)`, 'g')), ([, turn]) => turn ?? ''),
    );
    return turns.join('') === turns.toSorted().join('');
  });
}

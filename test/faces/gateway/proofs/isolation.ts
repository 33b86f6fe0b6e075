import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import type { GatewayAccount } from '../../../../src/faces/gateway/accounts/account.ts';
import { openWorkerAdapter } from '../../../../src/faces/gateway/link/worker/open-worker-adapter.ts';
import { DEEDS } from '../link/worker/deeds.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openLocalGateway, type LocalGateway } from './local-gateway.ts';

export interface IsolationResult {
  readonly platform: ChatStage['platform'];
  readonly deed: string;
  /** How long others waited for an answer, in the middle and at most, before it and while it happened, in milliseconds. */
  readonly quiet: Waits;
  readonly meanwhile: Waits;
  /** Whether the platform itself answered again. */
  readonly isBack: boolean;
}
export interface Waits {
  readonly answers: number;
  readonly median: number;
  readonly most: number;
}

const MAX_WAIT_MS = 90_000;
const QUIET_ROUNDS = 8;
export const ALL_DEEDS: readonly string[] = Object.keys(DEEDS);

/** All platforms at one gateway, each adapter in its worker. One of them misbehaves while people on the others go on writing. */
export async function runIsolation(platforms: readonly ChatStage['platform'][], deeds: readonly string[]): Promise<IsolationResult[]> {
  const stages = await Promise.all(Object.values(STAGES).map((open) => open({ chats: 1 })));
  const results: IsolationResult[] = [];
  try {
    await using local = await openFaulty(stages);
    await until(() => stages.every((stage) => stage.sockets('main') > 0));
    for (const stage of stages.filter((each) => platforms.includes(each.platform)))
      for (const deed of deeds) results.push(await misbehave(stage, deed, stages, local));
  } finally {
    await Promise.all(stages.map((stage) => stage[Symbol.asyncDispose]()));
  }
  return results;
}

/** The model says what it is told. */
const openFaulty = (stages: readonly ChatStage[]): Promise<LocalGateway> =>
  openLocalGateway({
    stages,
    script: (request) => ({ text: /say (.*)$/m.exec(lastWords(request))?.[1] ?? 'nothing' }),
    change: ({ kind, display, ...account }): GatewayAccount => ({
      ...account,
      // As fast as it goes: how often a service may be called is proved elsewhere.
      kind: { ...kind, traits: { ...kind.traits, rates: [] } },
      display: { ...display, streaming: false, typing: false, reactions: false },
    }),
    overrides: {
      openAdapter: ({ kind, settings }) =>
        openWorkerAdapter({
          file: join(import.meta.dirname, 'faulty-worker.ts'),
          platform: kind.id,
          settings,
          log: () => {},
          times: { startMs: 30_000, beatMs: 250, answerMs: 4_000 },
        }),
    },
  });

const lastWords = ({ messages }: ModelRequest): string =>
  messages
    .findLast(({ message }) => message.role === 'user')
    ?.message.content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('') ?? '';

let asked = 0;
async function misbehave(stage: ChatStage, deed: string, stages: readonly ChatStage[], { root }: LocalGateway): Promise<IsolationResult> {
  const others = stages.filter((each) => each !== stage);
  const quiet = await measure(others, (rounds) => rounds >= QUIET_ROUNDS);
  const [own] = stage.chats;
  if (own === undefined) throw new Error('There is no chat.');
  const back = `back ${++asked}`;
  stage.say(own, { text: `say faulty: ${deed} (${join(root, `deed-${asked}`)})` });
  stage.say(own, { text: `say ${back}` });
  const isBack = (): boolean => stage.ours(own).some(({ text }) => text.includes(back));
  const deadline = Date.now() + MAX_WAIT_MS;
  const meanwhile = await measure(others, (rounds) => rounds >= QUIET_ROUNDS && (isBack() || Date.now() > deadline));
  return { platform: stage.platform, deed, quiet, meanwhile, isBack: isBack() };
}

/** One message after the other on each platform, until it is over. */
async function measure(stages: readonly ChatStage[], isOver: (rounds: number) => boolean): Promise<Waits> {
  const waits: number[] = [];
  await Promise.all(
    stages.map(async (stage) => {
      const [chat] = stage.chats;
      if (chat === undefined) return;
      for (let rounds = 0; !isOver(rounds); rounds++) waits.push(await timeAnswer(stage, chat));
    }),
  );
  const sorted = waits.toSorted((one, other) => one - other);
  return { answers: sorted.length, median: Math.round(sorted[sorted.length >> 1] ?? 0), most: Math.round(sorted.at(-1) ?? 0) };
}

async function timeAnswer(stage: ChatStage, chat: StageChat): Promise<number> {
  const words = `pong ${++asked}.`;
  const began = performance.now();
  stage.say(chat, { text: `say ${words}` });
  await until(() => stage.ours(chat).at(-1)?.text.includes(words) === true);
  return performance.now() - began;
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // What is missing is found by the judge.
  while (!isSo() && Date.now() < deadline) await sleep(2);
}

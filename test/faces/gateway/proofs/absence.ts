import { setTimeout as sleep } from 'node:timers/promises';
import { openGatewayHome, type GatewayHome, type GatewayProcess } from '../kill/home.ts';
import { answerByNonce } from '../kill/model.ts';
import type { ChatStage } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';

/** How the gateway and the platforms part; the messages come while they are apart. */
export const WAYS = ['resume', 'fresh', 'stopped', 'killed'] as const;
export type AbsenceWay = (typeof WAYS)[number];
export interface AbsenceResult {
  readonly way: AbsenceWay;
  readonly platform: string;
  readonly said: number;
  readonly answeredOnce: number;
  /** Messages that were answered not at all or more than once, with how often. */
  readonly others: readonly string[];
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);

/** All platforms at one gateway. Each way, each chat says the same number of messages while nobody hears. */
export async function runAbsence(options: { readonly chats: number; readonly each: number; readonly ways: readonly AbsenceWay[] }) {
  const stages = await Promise.all(Object.values(STAGES).map((open) => open({ chats: options.chats })));
  await using home = await openGatewayHome({ stages, answer: answerByNonce });
  const results: AbsenceResult[] = [];
  let gateway = home.start();
  try {
    // A service that sends nothing again can only be asked about chats that are known.
    await waitFor(() => stages.every((stage) => stage.sockets('main') > 0));
    const greeted = sayAll(stages, 0, 1);
    await waitFor(() => greeted.every(({ stage, chat, nonce }) => countAnswers(stage, chat, nonce) > 0));
    for (const [index, way] of options.ways.entries()) {
      const said = await part(way, { home, gateway, stages, say: () => sayAll(stages, index + 1, options.each) });
      gateway = said.gateway;
      await waitFor(() => said.messages.every(({ stage, chat, nonce }) => countAnswers(stage, chat, nonce) > 0));
      // What comes a second time has a moment to do so.
      await sleep(500);
      results.push(...judge(way, stages, said.messages));
    }
    await gateway.stop();
  } finally {
    await gateway.kill().catch(() => undefined);
    await Promise.all(stages.map((stage) => stage[Symbol.asyncDispose]()));
  }
  return results;
}

interface SaidThere {
  readonly stage: ChatStage;
  readonly chat: ChatStage['chats'][number];
  readonly nonce: string;
}
interface PartDeps {
  readonly home: GatewayHome;
  readonly gateway: GatewayProcess;
  readonly stages: readonly ChatStage[];
  readonly say: () => SaidThere[];
}

async function part(way: AbsenceWay, { home, gateway, stages, say }: PartDeps) {
  if (way === 'stopped' || way === 'killed') {
    await (way === 'stopped' ? gateway.stop() : gateway.kill());
    return { messages: say(), gateway: home.start() };
  }
  const away = await Promise.all(stages.map((stage) => stage.leave({ resume: way === 'resume' })));
  const messages = say();
  await sleep(200);
  await Promise.all(away.map((each) => each[Symbol.asyncDispose]()));
  return { messages, gateway };
}

const sayAll = (stages: readonly ChatStage[], round: number, each: number): SaidThere[] =>
  stages.flatMap((stage) =>
    stage.chats.flatMap((chat, index) =>
      Array.from({ length: each }, (_, turn) => {
        const nonce = `n${round}x${index}x${turn}`;
        stage.say(chat, { text: `tell ${nonce}` });
        return { stage, chat, nonce };
      }),
    ),
  );

const countAnswers = (stage: ChatStage, chat: SaidThere['chat'], nonce: string): number =>
  stage.ours(chat).filter(({ text }) => text.includes(`done ${nonce}`) && !text.includes('▉')).length;

const judge = (way: AbsenceWay, stages: readonly ChatStage[], messages: readonly SaidThere[]): AbsenceResult[] =>
  stages.map((stage) => {
    const own = messages.filter((message) => message.stage === stage);
    const counts = own.map(({ chat, nonce }) => ({ nonce, times: countAnswers(stage, chat, nonce) }));
    const others = counts.filter(({ times }) => times !== 1).map(({ nonce, times }) => `${nonce}: ${times}`);
    return { way, platform: stage.platform, said: own.length, answeredOnce: own.length - others.length, others };
  });

async function waitFor(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // What is missing is found by the judge.
  while (!isSo() && Date.now() < deadline) await sleep(40);
}

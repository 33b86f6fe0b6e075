import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatStage } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';
import { openLocalGateway } from './local-gateway.ts';

export interface FloodResult {
  readonly platform: string;
  readonly what: 'send' | 'edit';
  /** Calls that were told to wait, and calls to that chat before the wait was over. */
  readonly limited: number;
  readonly tooSoon: readonly string[];
  /** How often the whole answer stands in the chat. */
  readonly answers: number;
}

const ANSWER = `The answer, which is long enough to be shown while it is written. ${'More words. '.repeat(20)}The end.`;
const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
/** A call that was on its way when the platform asked to wait. */
const UNDER_WAY_MS = 50;

/** A platform asks to wait so many seconds, in the middle of an answer: nothing goes to that chat meanwhile, and the answer once after it. */
export async function runFlood(platform: ChatStage['platform'], what: 'send' | 'edit', seconds: number): Promise<FloodResult> {
  await using stage = await STAGES[platform]({ chats: 1 });
  await using _local = await openLocalGateway({
    stages: [stage],
    script: () => ({ text: ANSWER, chunk: 12, paceMs: 60 }),
    config: { streaming: { edit_interval: 0.2 } },
  });
  const [chat] = stage.chats;
  if (chat === undefined) throw new Error('There is no chat.');
  // The very first start of a bot begins with now.
  while (stage.sockets('main') === 0) await sleep(10);
  stage.flood(chat, what, seconds);
  stage.say(chat, { text: 'hello' });
  const calls = () => stage.calls().filter(({ chatId }) => chatId === chat.chatId);
  const countAnswers = (): number =>
    stage.ours(chat).filter(({ text }) => text.includes('The answer') && text.includes('The end.') && !text.includes('▉')).length;
  const deadline = Date.now() + seconds * 1_000 + MAX_WAIT_MS;
  while (!(countAnswers() > 0 && calls().some(({ isLimited }) => isLimited)) && Date.now() < deadline) await sleep(50);
  await sleep(500);
  const limited = calls().filter(({ isLimited }) => isLimited);
  const tooSoon = limited.flatMap(({ at }) =>
    calls()
      .filter((call) => call.at > at + UNDER_WAY_MS && call.at < at + seconds * 1_000)
      .map((call) => `${call.method} after ${call.at - at} ms`),
  );
  return { platform, what, limited: limited.length, tooSoon, answers: countAnswers() };
}

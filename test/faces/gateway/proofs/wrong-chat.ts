import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../../../../src/base/json.ts';
import { createSeededRandom, type SeededRandom } from '../../../../src/testing/seeded-random.ts';
import type { RecordedRequest, Reply } from '../../../../src/testing/wire-server/index.ts';
import { openGatewayHome, type GatewayHome } from '../kill/home.ts';
import type { ChatStage, StageChat } from '../stages/contract.ts';
import { STAGES } from '../stages/index.ts';

export interface WrongChatOptions {
  readonly seed: string;
  readonly chats: number;
  readonly messages: number;
  readonly kills: number;
}
export interface WrongChatResult {
  readonly chats: number;
  readonly messages: number;
  readonly kills: number;
  /** Requests to the platforms that carry a nonce. */
  readonly calls: number;
  readonly faults: readonly string[];
}
interface Corner {
  readonly stage: ChatStage;
  readonly chat: StageChat;
  /** Stands in every message of this chat and nowhere else. */
  readonly nonce: string;
  said: number;
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
const NONCE = /zq[a-z]+\d+qz/g;
const noncesIn = (text: string): string[] => [...new Set(text.match(NONCE))];

/**
 * Every platform with two accounts, and people who write to both bots: chats whose ids are the same but for the account. The
 * model repeats every nonce it is shown, whatever it is asked, so that whatever leaks anywhere comes out somewhere.
 */
export async function runWrongChat({ seed, chats, messages, kills }: WrongChatOptions): Promise<WrongChatResult> {
  const chance = createSeededRandom(seed);
  const stages = await Promise.all(Object.values(STAGES).map((open) => open({ chats, accounts: ['main', 'second'] })));
  await using home = await openGatewayHome({ stages, answer: repeatNonces, config: { display: { busy_input_mode: 'steer' } } });
  try {
    const corners = stages.flatMap((stage) =>
      stage.chats.map((chat, index): Corner => ({ stage, chat, nonce: `zq${stage.platform}${index}qz`, said: 0 })),
    );
    const faults = await talkUnderKills(chance, { home, stages, corners, messages, kills });
    return judge(seed, { home, stages, corners, messages, kills }, faults);
  } finally {
    await Promise.all(stages.map((stage) => stage[Symbol.asyncDispose]()));
  }
}

/** `run`, `allow` and `tell` as the last order says, and every nonce there is in the request. */
function repeatNonces({ text, body }: RecordedRequest): Reply {
  const nonces = noncesIn(text).join(' ');
  if (!isObject(body) || body['tools'] === undefined) return { text: `Summary: ${nonces}` };
  const [, order, number = ''] = [...text.matchAll(/\b(run|allow|tell) (\d+) zq/g)].at(-1) ?? [];
  const mark = `echo ${number} ${nonces} >> effects.txt`;
  if (order === 'tell' || text.includes(`echo ${number} `)) return { text: `${nonces} heard ${number}.`, paceMs: 40, chunk: 6 };
  return { calls: [{ name: 'terminal', arguments: { command: order === 'allow' ? `touch x && chmod 777 x && ${mark}` : mark } }] };
}

interface WrongChatScene {
  readonly home: GatewayHome;
  readonly stages: readonly ChatStage[];
  readonly corners: readonly Corner[];
  readonly messages: number;
  readonly kills: number;
}

async function talkUnderKills(chance: SeededRandom, { home, stages, corners, messages, kills }: WrongChatScene): Promise<string[]> {
  let gateway = home.start();
  await waitFor(() => stages.every((stage) => stage.sockets('main') > 0 && stage.sockets('second') > 0));
  // A service that sends nothing again can only be asked about chats that are known.
  for (const corner of corners) say(corner, 'tell');
  await waitFor(() => corners.every(isHeard));
  using _pressing = pressCards(stages);
  for (let left = messages, dies = kills; left > 0; left--) {
    const corner = corners[chance.int(0, corners.length - 1)];
    if (corner !== undefined) say(corner, chance.weighed({ run: 3, allow: 1, tell: 3 }));
    await sleep(chance.int(0, 120));
    if (dies === 0 || left > (dies * messages) / (kills + 1)) continue;
    dies--;
    await gateway.kill();
    gateway = home.start();
  }
  await waitFor(() => corners.every(isHeard));
  await gateway.stop();
  return corners.filter((corner) => !isHeard(corner)).map(({ nonce, said }) => `${nonce}: message ${said} was not answered`);
}

function say(corner: Corner, order: string): void {
  corner.said++;
  corner.stage.say(corner.chat, { text: `${order} ${corner.said} ${corner.nonce}` });
}
const isHeard = ({ stage, chat, said }: Corner): boolean =>
  stage
    .ours(chat)
    .some(({ text }) => text.includes(`heard ${said}.`) || /I gave up on this message|I could not read this message/.test(text));

function pressCards(stages: readonly ChatStage[]): Disposable {
  const timer = setInterval(() => {
    for (const stage of stages)
      for (const chat of stage.chats) for (const { id, hasButtons } of stage.ours(chat)) if (hasButtons) stage.press(chat, id);
  }, 1_500);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function judge(seed: string, { home, stages, corners, messages, kills }: WrongChatScene, silent: readonly string[]): WrongChatResult {
  const calls = stages.flatMap((stage) => stage.calls().map((call) => ({ stage, ...call, nonces: noncesIn(call.words) })));
  const strays = calls.flatMap(({ stage, account, method, chatId, nonces }) =>
    nonces
      .filter(
        (nonce) => !corners.some((c) => c.nonce === nonce && c.stage === stage && c.chat.account === account && c.chat.chatId === chatId),
      )
      .map((nonce) => `${nonce} went to ${stage.platform} ${account} ${chatId ?? ''} by ${method}`),
  );
  const prompts = home.model.requests
    .filter(({ text }) => noncesIn(text).length > 1)
    .map(({ text }) => `a prompt holds ${noncesIn(text).join(', ')}`);
  const folders = globSync(join(home.root, 'home', 'workspaces', '*', 'effects.txt'))
    .map((file) => noncesIn(readFileSync(file, 'utf8')))
    .filter((nonces) => nonces.length > 1)
    .map((nonces) => `a workspace holds ${nonces.join(', ')}`);
  const faults = [...silent, ...strays, ...prompts, ...folders].map((fault) => `seed ${seed}: ${fault}`);
  return { chats: corners.length, messages, kills, calls: calls.filter(({ nonces }) => nonces.length > 0).length, faults };
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // What is missing is found by the judge.
  while (!isSo() && Date.now() < deadline) await sleep(40);
}

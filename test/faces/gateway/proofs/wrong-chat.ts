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
  /** Messages that chats had sent to others, how many of them arrived, and what was done in the background. */
  readonly posts: number;
  readonly sent: number;
  readonly background: number;
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
  /** What was said to work in the background, by number. */
  readonly background: number[];
}
/** A message that one chat had sent to another. Its words belong to these two. */
interface Post {
  readonly words: string;
  readonly from: Corner;
  readonly to: Corner;
}

const MAX_WAIT_MS = Number(process.env['HERMES_KILL_WAIT'] ?? 120_000);
const NONCE = /zq[a-z]+\d+qz/g;
const POST = /sq[a-z]+\d+n\d+qs/g;
const listMatches = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern))];
const noncesIn = (text: string): string[] => listMatches(text, NONCE);
const postsIn = (text: string): string[] => listMatches(text, POST);

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
      stage.chats.map((chat, index): Corner => ({ stage, chat, nonce: `zq${stage.platform}${index}qz`, said: 0, background: [] })),
    );
    const scene = { home, stages, corners, posts: [], messages, kills };
    const faults = await talkUnderKills(chance, scene);
    return judge(seed, scene, faults);
  } finally {
    await Promise.all(stages.map((stage) => stage[Symbol.asyncDispose]()));
  }
}

/** `run`, `allow`, `post` and `tell` as the last order says, and every nonce there is in the request. */
function repeatNonces({ text, body }: RecordedRequest): Reply {
  const nonces = [...noncesIn(text), ...postsIn(text)].join(' ');
  if (!isObject(body) || body['tools'] === undefined) return { text: `Summary: ${nonces}` };
  const [, order, number = '', target = '', words = ''] = [...text.matchAll(ORDER)].at(-1) ?? [];
  const mark = `echo ${number} ${nonces} >> effects.txt`;
  const isCalled = text.includes(`echo ${number} `) || (words !== '' && text.split(words).length > 2);
  if (order === 'tell' || isCalled) return { text: `${nonces} heard ${number}.`, paceMs: 40, chunk: 6 };
  if (order === 'post') return { calls: [{ name: 'send_message', arguments: { target, message: words } }] };
  return { calls: [{ name: 'terminal', arguments: { command: order === 'allow' ? `touch x && chmod 777 x && ${mark}` : mark } }] };
}
const ORDER = /\b(run|allow|tell|post) (\d+) zq[a-z]+\d+qz(?: to (\S+) (sq[a-z]+\d+n\d+qs))?/g;

interface WrongChatScene {
  readonly home: GatewayHome;
  readonly stages: readonly ChatStage[];
  readonly corners: readonly Corner[];
  readonly posts: Post[];
  readonly messages: number;
  readonly kills: number;
}

async function talkUnderKills(chance: SeededRandom, scene: WrongChatScene): Promise<string[]> {
  const { home, stages, corners, messages, kills } = scene;
  let gateway = home.start();
  await waitFor(() => stages.every((stage) => stage.sockets('main') > 0 && stage.sockets('second') > 0));
  // A service that sends nothing again can only be asked about chats that are known.
  for (const corner of corners) say(corner, 'tell');
  await waitFor(() => corners.every(isHeard));
  using _pressing = pressCards(stages);
  for (let left = messages, dies = kills; left > 0; left--) {
    const corner = corners[chance.int(0, corners.length - 1)];
    if (corner !== undefined)
      say(corner, chance.weighed({ run: 3, allow: 1, tell: 3, post: 2, background: 1 }), choosePost(chance, scene, corner));
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

/** To a chat of the bot that a target without an account leads to: on the platform of whoever speaks the one they speak with, else the main one. */
function choosePost(chance: SeededRandom, { corners, posts }: WrongChatScene, from: Corner): () => Post {
  const isNear = ({ stage, chat }: Corner): boolean => chat.account === (stage === from.stage ? from.chat.account : 'main');
  const others = corners.filter((corner) => isNear(corner) && corner !== from);
  const to = others[chance.int(0, others.length - 1)] ?? from;
  return () => {
    const post = { from, to, words: `sq${from.stage.platform}${from.stage.chats.indexOf(from.chat)}n${from.said}qs` };
    posts.push(post);
    return post;
  };
}

function say(corner: Corner, order: 'run' | 'allow' | 'tell' | 'post' | 'background', makePost?: () => Post): void {
  corner.said++;
  const { stage, chat, nonce, said } = corner;
  const post = order === 'post' ? makePost?.() : undefined;
  const to = post === undefined ? '' : ` to ${post.to.stage.platform}:${post.to.chat.chatId} ${post.words}`;
  if (order === 'background') corner.background.push(said);
  stage.say(chat, { text: order === 'background' ? `/background run ${said} ${nonce}` : `${order} ${said} ${nonce}${to}` });
}
/** The last message is answered, and all that works in the background. What was steered into a turn is answered with it. */
const isHeard = ({ stage, chat, said, background }: Corner): boolean => {
  const texts = stage.ours(chat).map(({ text }) => text);
  const isTold = (number: number): boolean =>
    texts.some((text) => text.includes(`heard ${number}.`)) || texts.some((text) => text.includes('I gave up on this message'));
  return isTold(said) && background.every(isTold);
};

function pressCards(stages: readonly ChatStage[]): Disposable {
  const timer = setInterval(() => {
    for (const stage of stages)
      for (const chat of stage.chats) for (const { id, hasButtons } of stage.ours(chat)) if (hasButtons) stage.press(chat, id);
  }, 1_500);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function judge(seed: string, scene: WrongChatScene, silent: readonly string[]): WrongChatResult {
  const { home, stages, corners, posts, messages, kills } = scene;
  const calls = stages.flatMap((stage) => stage.calls().map((call) => ({ stage, ...call, nonces: noncesIn(call.words) })));
  const isCornerOf = ({ stage, chat }: Corner, call: (typeof calls)[number]): boolean =>
    stage === call.stage && chat.account === call.account && chat.chatId === call.chatId;
  const ownersOf = (words: string): readonly Corner[] =>
    posts
      .filter((post) => post.words === words)
      .flatMap(({ from, to }) => [from, to])
      .concat(corners.filter(({ nonce }) => nonce === words));
  const strays = calls.flatMap((call) =>
    [...call.nonces, ...postsIn(call.words)]
      .filter((words) => !ownersOf(words).some((corner) => isCornerOf(corner, call)))
      .map((words) => `${words} went to ${call.stage.platform} ${call.account} ${call.chatId ?? ''} by ${call.method}`),
  );
  const prompts = home.model.requests.flatMap(({ text }) => {
    const own = noncesIn(text);
    const foreign = postsIn(text).filter((words) => !ownersOf(words).some(({ nonce }) => own.includes(nonce)));
    return own.length > 1 || foreign.length > 0 ? [`a prompt holds ${[...own, ...foreign].join(', ')}`] : [];
  });
  const folders = globSync(join(home.root, 'home', 'workspaces', '*', 'effects.txt'))
    .map((file) => noncesIn(readFileSync(file, 'utf8')))
    .filter((nonces) => nonces.length > 1)
    .map((nonces) => `a workspace holds ${nonces.join(', ')}`);
  const repeats = posts.flatMap(({ words, to }) => {
    const times = to.stage.ours(to.chat).filter(({ text }) => text === words).length;
    return times > 1 ? [`${words} was sent ${times} times`] : [];
  });
  const faults = [...silent, ...strays, ...prompts, ...folders, ...repeats].map((fault) => `seed ${seed}: ${fault}`);
  const sent = posts.filter(({ words, to }) => to.stage.ours(to.chat).some(({ text }) => text.endsWith(words))).length;
  const background = corners.reduce((sum, corner) => sum + corner.background.length, 0);
  return {
    chats: corners.length,
    messages,
    kills,
    posts: posts.length,
    sent,
    background,
    calls: calls.filter(({ nonces }) => nonces.length > 0).length,
    faults,
  };
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS;
  // What is missing is found by the judge.
  while (!isSo() && Date.now() < deadline) await sleep(40);
}

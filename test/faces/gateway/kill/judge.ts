import { PAIRED_WORDS } from '../../../../src/faces/gateway/access/pairing.ts';
import type { ChatStage, StageChat, StageMessage } from '../stages/contract.ts';
import { isConsent, verdictOf, type Said, type SaidKind } from './stories.ts';

/**
 * The judge of the kill proofs. It sees what the platform saw, what the model was asked, and the lines that commands left; it
 * asks the gateway nothing.
 */
export interface Evidence {
  readonly stage: ChatStage;
  readonly said: readonly Said[];
  /** When a gateway was killed. */
  readonly kills: readonly number[];
  /** When the round began: what was there before is judged. */
  readonly since: number;
  /** The lines that commands left, by nonce. */
  readonly effects: ReadonlyMap<string, number>;
  /** What the model was asked, the newest last. */
  readonly prompts: readonly string[];
}
export interface Verdicts {
  /** What must not be, and what may come yet. */
  readonly wrong: readonly string[];
  readonly missing: readonly string[];
  readonly counts: KillCounts;
}
export interface KillCounts {
  readonly messages: number;
  /** Messages of ours that say "may be a repeat", and those of them that are one. */
  readonly marked: number;
  readonly repeated: number;
  /** Beginnings of an answer whose send was cut off by a kill: nobody can know of them, and the answer is marked. */
  readonly leftPreviews: number;
  /** Turns that were cut off three times and are told as failed. */
  readonly givenUp: number;
  /** Messages that `/new` dropped, and says so. */
  readonly dropped: number;
}

export function judge(evidence: Evidence): Verdicts {
  const chats = Map.groupBy(evidence.said, ({ chat }) => chat);
  const all = [...chats].map(([chat, said]) => judgeChat(chat, said, evidence));
  const strays = findStrays(evidence);
  const sum = (name: keyof KillCounts): number => all.reduce((total, { counts }) => total + counts[name], 0);
  return {
    wrong: [...all.flatMap(({ wrong }) => wrong), ...strays],
    missing: all.flatMap(({ missing }) => missing),
    counts: {
      messages: evidence.said.length,
      marked: sum('marked'),
      repeated: sum('repeated'),
      leftPreviews: sum('leftPreviews'),
      givenUp: sum('givenUp'),
      dropped: sum('dropped'),
    },
  };
}

/** A nonce in a chat that is not its own. */
function findStrays({ stage, said, since }: Evidence): string[] {
  const homes = new Map(said.map(({ nonce, chat }) => [nonce, chat]));
  return [...stage.chats, ...stage.strangers].flatMap((chat) =>
    readOurs(stage, chat, since).flatMap(({ text }) =>
      [...text.matchAll(/n\d+x\d+x\d+/g)].flatMap(([nonce]) =>
        homes.has(nonce) && homes.get(nonce) !== chat ? [`${nonce} was told in another chat`] : [],
      ),
    ),
  );
}

const readOurs = (stage: ChatStage, chat: StageChat, since: number): StageMessage[] => stage.ours(chat).filter(({ at }) => at >= since);

/** A message of ours that is complete, and what it is: the answer to a nonce, or one of the things that are said about others. */
interface ReadOurs extends StageMessage {
  readonly isMarked: boolean;
  /** The words without mark and label. */
  readonly body: string;
  /** What it is; nothing when it is no complete message of any kind. */
  readonly what: string | undefined;
}

const MARK = /^[_*]?\((?:may be a repeat)[^)]*\)[_*]?\s*/;
const LABEL = /^[_*]?In the background: [^\n]*\n+/;
/** What is said besides answers: to a command, to a card, about a turn. */
const WORDS: Readonly<Record<string, RegExp>> = {
  queue: /^(?:It is answered when the running turn is over\.|No turn is running, so it is answered now\.)$/,
  background: /^Started in the background, as session \S+\. The answer comes to this chat\.$/,
  // Without the answer, which is told by its nonce.
  aside: /^(?:\/btw was interrupted\. .*|There is no session yet[;.].*)$/s,
  stop: /^(?:No turn is running, so there is nothing to stop\.|The running turn was stopped\.|The running turn was told to stop.*)$/,
  new: /^(?:Session \S+ is over\. )?The next message begins a new session\.(?:\n.* dropped\.)?$/,
  undo: /^(?:Took back \d+ turns?, from: .*|\/undo was interrupted\. .*|\/undo cannot be used while a turn is running.*|There is no(?:thing| turn).*|[^\n]*nothing to undo[^\n]*)$/is,
  approve:
    /^(?:Approved\.|Denied\.|Nothing is waiting for your approval in this chat\.|This question was answered already, or is no longer open\.)$/,
  code: new RegExp(`^${RegExp.escape(PAIRED_WORDS)}$`),
  offer: /pairing code is [A-Z2-9]{8}/,
  givenUp: /^I gave up on this message/,
  stopped: /^(?:.*\n\n)?[_*]?\(stopped\)[_*]?$/s,
};
const ANSWER = /^done (n\d+x\d+x\d+)(?: with (\d+) files)?$/;
const UNKNOWN = /^There is no command \/zz(n\d+x\d+x\d+)[.;]/;
const CARD = /^Run this command\?\n\n/;

function readMessage(message: StageMessage): ReadOurs {
  const isMarked = MARK.test(message.text);
  const body = message.text.replace(MARK, '').replace(LABEL, '').trim();
  const nonce = ANSWER.exec(body)?.[1] ?? UNKNOWN.exec(body)?.[1];
  const words = Object.keys(WORDS).find((name) => WORDS[name]?.test(body));
  const what = nonce ?? words ?? (message.hasButtons || CARD.test(body) ? 'card' : undefined);
  // A file without words is told by its name.
  const file = message.files.find((name) => /^n\d+x\d+x\d+\.txt$/.test(name));
  return { ...message, isMarked, body, what: what ?? (file !== undefined && body === '' ? `file ${file}` : undefined) };
}

/** The replies that a command must have; the others have an answer of their nonce. */
const REPLIES: Readonly<Partial<Record<SaidKind, keyof typeof WORDS>>> = {
  queue: 'queue',
  background: 'background',
  stop: 'stop',
  new: 'new',
  undo: 'undo',
  approve: 'approve',
  code: 'code',
};
const HAS_ANSWER: ReadonlySet<SaidKind> = new Set(['do', 'ask', 'tell', 'give', 'read', 'queue', 'background', 'aside', 'unknown']);
const HAS_EFFECT: ReadonlySet<SaidKind> = new Set(['do', 'ask', 'background']);

function judgeChat(chat: StageChat, said: readonly Said[], evidence: Evidence): Verdicts {
  const { stage, kills, since } = evidence;
  // A yes that no question waits for any more is a message like any other, and the model says again what it said last.
  const yeses = new Set(said.filter(({ kind }) => kind === 'yes').map(({ messageId }) => messageId));
  const ours = readOurs(stage, chat, since)
    .filter(({ replyTo = '' }) => !yeses.has(replyTo))
    .map(readMessage);
  const doubts = createDoubts(chat, evidence);
  const copies = Map.groupBy(ours, ({ what }) => what);
  const [wrong, missing]: [string[], string[]] = [[], []];
  const name = (one: Said): string => `${one.kind} ${one.nonce}`;
  let repeated = 0;
  /** How many of them are there, repeats left out. */
  const count = (what: string, after: number, isOne: (message: ReadOurs) => boolean = () => true): number => {
    const found = (copies.get(what) ?? []).filter((message) => message.at >= after && isOne(message));
    const judged = judgeCopies(what, found, after, doubts);
    repeated += judged.repeated;
    wrong.push(...judged.wrong);
    return found.length - judged.repeated;
  };
  /** Replies to several messages read alike: what is marked may be the first copy of another. Some platforms show which it answers. */
  const countReplies = (what: string, asked: readonly Said[]): number => {
    const answered = new Set(asked.map(({ messageId }) => messageId));
    const isShown = (copies.get(what) ?? []).every(({ replyTo = '' }) => answered.has(replyTo));
    if (!isShown) return count(what, since);
    return [...answered].reduce((sum, id) => {
      const at = Math.min(...asked.filter(({ messageId }) => messageId === id).map((one) => one.at));
      return sum + count(what, at, ({ replyTo }) => replyTo === id);
    }, 0);
  };

  const unanswered: Said[] = [];
  for (const one of said) {
    const { kind, nonce } = one;
    if (!HAS_ANSWER.has(kind) && kind !== 'edited') continue;
    const answers = count(nonce, one.at);
    if (answers > 1) wrong.push(`${name(one)} was answered ${answers} times: ${describeCopies(copies.get(nonce))}; ${doubts.describe()}`);
    if (answers === 0 && !isExcused(one, evidence)) unanswered.push(one);
    const given = copies.get(nonce) ?? [];
    wrong.push(...judgeAnswer(one, given, ours, evidence));
    if (kind === 'give') {
      // As a caption the answer is repeated with its file, and both are judged as one.
      const captions = given.filter(({ files: own }) => own.length > 0).length;
      const files = count(`file ${nonce}.txt`, one.at) + (captions === given.length ? answers : captions);
      if (files > 1)
        wrong.push(`${name(one)}: its file came ${files} times: ${describeCopies(copies.get(`file ${nonce}.txt`))}; ${doubts.describe()}`);
      if (files === 0 && answers > 0 && !kills.some((at) => at > one.at)) missing.push(`${name(one)}: its file did not come`);
    }
  }
  for (const [kind, what] of Object.entries(REPLIES)) {
    const asked = said.filter((one) => one.kind === kind);
    const replies = countReplies(what, asked);
    if (replies > asked.length) wrong.push(`/${kind} was answered ${replies} times in place of ${asked.length}`);
    if (replies < asked.length) missing.push(`/${kind} was answered ${replies} times in place of ${asked.length}`);
  }
  const givenUp = judgeGivenUp(countReplies('givenUp', said), said, kills, wrong);
  const dropped = ours.reduce((sum, { what, body }) => sum + (what === 'new' ? readDropped(body) : 0), 0);
  // What a person stops, by /stop or with the session, is the one that runs, however often the command is carried out.
  const ended = said.filter(({ kind }) => kind === 'stop' || kind === 'new').length;
  const asides = said.filter(({ kind }) => kind === 'aside');
  const cutOff = asides.length === 0 ? 0 : countReplies('aside', asides);
  if (cutOff > unanswered.filter(({ kind }) => kind === 'aside').length) wrong.push(`a /btw was answered and is told as interrupted`);
  if (unanswered.length > givenUp + dropped + ended + cutOff)
    missing.push(
      `lost: ${unanswered.map(name).join(', ')}; ${givenUp} given up, ${dropped} dropped, ${ended} stopped, ${cutOff} interrupted`,
    );

  let leftPreviews = 0;
  for (const { what, text, at, hasButtons } of ours) {
    const isFollowed = (isIt: (later: ReadOurs) => boolean): boolean =>
      doubts.isCut(at) && ours.some((later) => isIt(later) && later.at > at && doubts.mayRepeat(at, later.at));
    if (what === undefined && isFollowed((later) => later.isMarked)) leftPreviews++;
    else if (what === undefined) missing.push(`left as it is: ${JSON.stringify(text.slice(0, 120))}`);
    if (hasButtons && !isFollowed((later) => later.what === 'card'))
      missing.push(`a card still asks: ${JSON.stringify(text.slice(0, 60))}`);
  }
  if (!isInOrder(said, ours)) wrong.push(`answers in ${chat.chatId} came in another order than the messages`);
  const where = (words: string): string => `${words} (chat ${chat.chatId})`;
  const marked = ours.filter(({ isMarked }) => isMarked).length;
  return {
    wrong: wrong.map(where),
    missing: missing.map(where),
    counts: { messages: said.length, marked, repeated, leftPreviews, givenUp, dropped },
  };
}

/** Words that were changed before anybody heard them; and, on Slack, which tells nobody who is away, a change that nobody heard. */
const isExcused = ({ kind, isEdit, at }: Said, { stage, kills }: Evidence): boolean =>
  stage.platform !== 'telegram' &&
  (kind === 'edited' || (stage.platform === 'slack' && isEdit && kills.some((kill) => kill > at - AWAY_MS && kill < at + AWAY_MS)));
/** A gateway needs so long to be back, and Slack so long to hear that an event was taken. */
const AWAY_MS = 4_000;

/** What the answer says, and what it did. */
function judgeAnswer(one: Said, given: readonly ReadOurs[], ours: readonly ReadOurs[], evidence: Evidence): string[] {
  const { nonce, kind, files, at } = one;
  const { stage, effects, kills, said, prompts } = evidence;
  const faults: string[] = [];
  for (const { body } of given) {
    const read = ANSWER.exec(body)?.[2];
    if (kind === 'read' && Number(read ?? 0) !== files) faults.push(`${kind} ${nonce}: ${read ?? 'none'} of its ${files} files were read`);
  }
  const done = effects.get(nonce) ?? 0;
  const isRefused = kind === 'ask' && !isConsent(verdictOf(stage.chats.indexOf(one.chat)));
  if (done > 1) faults.push(`${kind} ${nonce} took effect ${done} times`);
  if (done > 0 && isRefused) faults.push(`${kind} ${nonce} took effect although it was denied`);
  const answeredAt = given[0]?.at;
  const isDisturbed = answeredAt === undefined || kills.some((kill) => kill > at && kill < answeredAt + 60_000);
  if (HAS_EFFECT.has(kind) && done === 0 && !isRefused && !isDisturbed) faults.push(`${kind} ${nonce} took no effect`);
  faults.push(...judgeUndone(one, given, ours, said, prompts));
  return faults;
}

/** Of what was said before in its chat, only what was taken back is out of sight: as much as commands asked for. */
function judgeUndone(
  one: Said,
  given: readonly ReadOurs[],
  ours: readonly ReadOurs[],
  all: readonly Said[],
  prompts: readonly string[],
): string[] {
  const said = all.filter(({ chat }) => chat === one.chat);
  if (given.length === 0 || !said.some(({ kind }) => kind === 'undo')) return [];
  const earlier = said.slice(0, said.indexOf(one));
  const before = earlier.filter(({ kind }) => kind === 'tell');
  const answered = before.filter(({ nonce }) => ours.some(({ what }) => what === nonce));
  const prompt = prompts.findLast((text) => text.includes(`tell ${one.nonce}`));
  if (prompt === undefined) return [];
  const unseen = answered.filter(({ nonce }) => !prompt.includes(`tell ${nonce}`));
  const undone = earlier.filter(({ kind }) => kind === 'undo').length;
  return unseen.length > undone ? [`${one.nonce}: ${unseen.length} turns were taken back by ${undone} /undo`] : [];
}

function judgeGivenUp(count: number, said: readonly Said[], kills: readonly number[], wrong: string[]): number {
  const first = Math.min(...said.map(({ at }) => at));
  if (count > 0 && kills.filter((at) => at > first).length < 3) wrong.push(`a turn was given up after fewer than three kills`);
  return count;
}

const describeCopies = (found: readonly ReadOurs[] = []): string =>
  found.map(({ id, at, text, replyTo }) => `message ${id} to ${replyTo} at ${at} ${JSON.stringify(text.slice(0, 60))}`).join(', ');

const readDropped = (body: string): number => Number(/(\d+) messages? that/.exec(body)?.[1] ?? (/One message that/.test(body) ? 1 : 0));

/** What kills can explain in one chat. Each explains one repeat, and marks of what was begun and never went out. */
interface Doubts {
  /** Whether the answer to a request of this time cannot have been noted: it was the last of its life that changed the chat. */
  isCut(at: number): boolean;
  /** Whether there was a kill between two times. */
  has(after: number, before: number): boolean;
  /** Uses one up that explained no repeat yet; `false` when there is none. */
  use(after: number, before: number): boolean;
  /** Whether something that was begun at one time can be a repeat at another: not as long as the service knows our keys. */
  mayRepeat(begun: number, at: number): boolean;
  /** What there was to explain something, for whoever looks into it. */
  describe(): string;
}
/** An answer that came so long before the kill was noted; and a request that was on its way may be seen so long after it. */
const NOTED_MS = 2_000;
const UNDER_WAY_MS = 150;
/** For so long a service knows what it has by our keys: never, the two minutes that `traits.keyMs` says, and always. */
const KEYS_MS: Readonly<Record<ChatStage['platform'], number>> = { telegram: 0, discord: 120_000, slack: Infinity };

function createDoubts(chat: StageChat, { stage, kills }: Evidence): Doubts {
  const left = new Set(kills);
  let calls: number[] | undefined;
  const listCalls = (): number[] =>
    (calls ??= stage
      .calls(chat)
      .filter(({ kind }) => kind === 'send' || kind === 'edit')
      .map(({ at }) => at));
  return {
    mayRepeat: (begun, at) => at - begun >= KEYS_MS[stage.platform],
    describe: () =>
      `kills at ${kills.join(', ')}, of which are left ${[...left].join(', ')}; calls at ${listCalls().slice(-12).join(', ')}`,
    isCut: (at) =>
      kills.some(
        (kill) =>
          at <= kill + UNDER_WAY_MS && kill - at <= NOTED_MS && !listCalls().some((call) => call > at && call <= kill + UNDER_WAY_MS),
      ),
    has: (after, before) => kills.some((at) => at > after - UNDER_WAY_MS && at < before),
    use: (after, before) => {
      const kill = [...left].filter((at) => at > after - UNDER_WAY_MS && at < before).at(-1);
      return kill !== undefined && left.delete(kill);
    },
  };
}

/** Messages that say the same, in order: only a request that a kill cut off may have been repeated, and the repeat says so. */
function judgeCopies(what: string, found: readonly ReadOurs[], after: number, doubts: Doubts): { repeated: number; wrong: string[] } {
  const wrong: string[] = [];
  let repeated = 0;
  for (const [index, { isMarked, at }] of found.entries()) {
    if (!isMarked) continue;
    const before = found[index - 1];
    const isRepeat = before !== undefined && doubts.isCut(before.at) && doubts.mayRepeat(before.at, at);
    const isExplained = isRepeat ? doubts.use(before.at, at) : doubts.has(before?.at ?? after, at);
    if (!doubts.mayRepeat(after, at)) wrong.push(`${what} is marked as a repeat where none can be`);
    else if (!isExplained) wrong.push(`${what} is marked as a repeat at ${at}, and no kill explains it (${doubts.describe()})`);
    if (isRepeat) repeated++;
  }
  return { repeated, wrong };
}

const IN_NO_ORDER: ReadonlySet<SaidKind> = new Set(['background', 'aside', 'unknown']);

function isInOrder(said: readonly Said[], ours: readonly ReadOurs[]): boolean {
  const order = said.filter(({ kind, isEdit }) => !IN_NO_ORDER.has(kind) && !isEdit).map(({ nonce }) => nonce);
  const places = ours
    .filter(({ isMarked }) => !isMarked)
    .map(({ what }) => order.indexOf(what ?? ''))
    .filter((place) => place >= 0);
  return places.every((place, index) => index === 0 || place >= (places[index - 1] ?? 0));
}

import { randomHex } from '../../../base/ids.ts';
import type { ButtonPress } from '../../../contracts/platform-adapter.ts';
import type { UserQuestion } from '../../../contracts/ports.ts';
import type { FindAccount } from '../accounts/account.ts';
import type { ReplyAddress } from '../contract.ts';
import { SUSPENDED } from '../../../contracts/turn.ts';
import { CONSUMER_LEFT } from '../../../contracts/consent.ts';
import { closeCard, readButton, toCard, type PressedChoice } from './cards.ts';
import { answerOpenCard, findOpenCard, keepAnswer, readKeptAnswer, readOpenCard, type OpenCardDeps } from './kept-answers.ts';
import {
  answerStored,
  decideStored,
  keepVerdict,
  noteAnswered,
  OWNER_ALONE,
  readAnswered,
  type AnsweringWords,
  type LateAnswerDeps,
} from './late-answers.ts';
import { readChatType } from '../addresses/reply-address.ts';
import { describeScopes, readScope, readVerdict } from './verdicts.ts';

/**
 * Questions of the agent in chats: a card with buttons, or words. Each belongs to one chat and to the people who may answer it
 * there; a question for consent outlives the process that asked it, and is answered once.
 */
export interface Questions {
  /** Asks in the chat and waits for the answer. Asked again under the same id it shows no second card. */
  ask(question: UserQuestion, address: ReplyAddress, signal: AbortSignal): Promise<string>;
  /** Takes words as the answer to what was asked in the chat, and gives what to say to them; `undefined` when they answer nothing. */
  answerByWords(words: string, by: AnsweringWords): Promise<string | undefined>;
  answerByPress(press: ButtonPress, address: ReplyAddress): Promise<void>;
  /** The card could not be shown: whoever asked hears why, and waits no longer. */
  fail(token: string, why: string): void;
  /** `/approve` and `/deny`: gives the words for the chat. */
  decide(verdict: 'approve' | 'deny', scope: string, by: AnsweringWords): Promise<string>;
}
export interface ChatQuestionsDeps extends LateAnswerDeps, Pick<OpenCardDeps, 'sessions'> {
  readonly findAccount: FindAccount;
  /** Where an owner is asked about what somebody else wants done; nothing when no owner can be reached. */
  readonly findOwner: (address: ReplyAddress) => Promise<ReplyAddress | undefined>;
}

interface PendingQuestion {
  readonly token: string;
  readonly question: UserQuestion;
  /** Where it is asked, and who wants it done. */
  readonly address: ReplyAddress;
  readonly asker: ReplyAddress;
  answer(words: string): void;
  fail(why: Error): void;
}
type PendingQuestions = Map<string, PendingQuestion>;

export function createQuestions(deps: ChatQuestionsDeps): Questions {
  const pending: PendingQuestions = new Map();
  const inChat = async (here: ReplyAddress): Promise<PendingQuestion[]> => {
    const found: PendingQuestion[] = [];
    for (const each of pending.values()) if (await isSameChat(each.address, here, deps)) found.push(each);
    return found;
  };
  return {
    ask: (question, address, signal) => ask(question, address, pending, deps, signal),
    answerByWords: async (words, by) => {
      const { address } = by;
      // A word in the owner's chat belongs to the owner's own conversation: what others want done takes a press or /approve.
      const mine: PendingQuestion[] = [];
      for (const each of await inChat(address))
        if (mayAnswer(each, address) && (await isSameChat(each.asker, address, deps))) mine.push(each);
      const asked = await selectAsked(mine, by, deps);
      const [first] = asked;
      if (first === undefined)
        return (await answerBeforeAsked(words, by, pending, deps)) || (await answerStored(words, by, deps)) ? '' : undefined;
      const answer = first.question.act === undefined ? words : readVerdict(words, first.question);
      if (answer === undefined) return undefined;
      if (asked.length > 1 && first.question.choices.length > 0 && hasButtons(address, deps)) return describeSeveral(asked.length);
      await giveAnswer(first, answer, deps, by);
      return '';
    },
    fail: (token, why) => pending.get(token)?.fail(new Error(`The question could not be shown: ${why}.`)),
    answerByPress: (press, address) => answerPress(press, address, pending, deps),
    decide: async (verdict, scope, by) => {
      const { address } = by;
      const consents = (await inChat(address)).filter((each) => each.question.act !== undefined);
      const asked = await selectAsked(consents, by, deps);
      const [first] = asked;
      if (first === undefined) return decideStored(verdict, by, deps);
      if (!mayAnswer(first, address)) return OWNER_ALONE;
      if (asked.length > 1 && hasButtons(address, deps)) return describeSeveral(asked.length);
      const answer = readScope(verdict, scope, first.question);
      if (answer === undefined) return describeScopes(first.question);
      await giveAnswer(first, answer, deps, by);
      return verdict === 'deny' ? 'Denied.' : 'Approved.';
    },
  };
}

/** A question keeps the key that its chat had when it was asked, which leads to the one it has now. */
const isSameChat = async ({ routeKey }: ReplyAddress, here: ReplyAddress, { store }: ChatQuestionsDeps): Promise<boolean> =>
  routeKey === here.routeKey || (await store.route(routeKey))?.key === here.routeKey;

/** Which of them words are meant for. Those that are handled again, after a death, mean what they meant the first time and nothing that was asked since. */
async function selectAsked(
  waiting: readonly PendingQuestion[],
  by: AnsweringWords,
  deps: ChatQuestionsDeps,
): Promise<readonly PendingQuestion[]> {
  if (waiting.length === 0) return waiting;
  const before = await readAnswered(by, deps);
  return before === undefined ? waiting : waiting.filter(({ token }) => token === before);
}

const hasButtons = ({ target }: ReplyAddress, { findAccount }: ChatQuestionsDeps): boolean =>
  findAccount(target)?.kind.traits.hasButtons ?? true;
const describeSeveral = (count: number): string =>
  `${count} questions are waiting here, and I cannot tell which one you mean. Press a button of that one.`;

const mayAnswer = ({ question, address }: PendingQuestion, by: ReplyAddress): boolean =>
  by.role === 'owner' || (question.act === undefined && by.senderId === address.senderId);

async function ask(
  question: UserQuestion,
  asker: ReplyAddress,
  pending: PendingQuestions,
  deps: ChatQuestionsDeps,
  signal: AbortSignal,
): Promise<string> {
  const address = question.act === undefined || asker.role === 'owner' ? asker : await deps.findOwner(asker);
  if (address === undefined)
    throw new Error('No owner can be asked: set platforms.PLATFORM.owners, and write to the agent once as the owner.');
  if (asker.role !== 'owner' && question.act !== undefined && address.routeKey !== asker.routeKey) await countGuestQuestion(asker, deps);
  const token = question.id ?? question.repeatKey ?? randomHex(8);
  // The process that heard the answer ended before the call had it.
  const kept = question.repeatKey === undefined ? undefined : await readKeptAnswer(token, address, deps);
  if (kept !== undefined) return kept;
  const answered = Promise.withResolvers<string>();
  // It may be over, answered elsewhere or given up, before its card is planned and anybody waits here.
  answered.promise.catch(() => undefined);
  const leave = () => answered.reject(new Error('Nobody answered in time.'));
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  pending.set(token, { token, question, address, asker, answer: answered.resolve, fail: answered.reject });
  try {
    await deps.store.plan([toCard(token, question, { address, asker, hasButtons: hasButtons(address, deps) })]);
    return await answered.promise;
  } catch (error) {
    if (isOver(question, signal)) await closeCard(token, 'No longer open.', deps).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    pending.delete(token);
  }
}

/** The owner's chat is no place that others can fill. */
const MAX_GUEST_QUESTIONS = 10;
const GUEST_WINDOW_MS = 3_600_000;
async function countGuestQuestion({ routeKey }: ReplyAddress, { store }: ChatQuestionsDeps): Promise<void> {
  if ((await store.count(`questions of guests: ${routeKey}`, GUEST_WINDOW_MS)) > MAX_GUEST_QUESTIONS)
    throw new Error(
      `The owner was asked ${MAX_GUEST_QUESTIONS} times for this chat within an hour and is not asked again before that is over.`,
    );
}

/** Whether a question that ended without an answer cannot be answered any more: its turn was stopped, or its call waits no longer. */
const isOver = ({ id, act }: UserQuestion, { aborted, reason }: AbortSignal): boolean =>
  aborted && reason !== SUSPENDED && reason !== CONSUMER_LEFT && (id === undefined || act === undefined || !isLate(reason));
/** Consent that came too late for its call still counts: the question is kept, and its buttons answer it. */
const isLate = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';

/** Words that came between a start and the moment at which the call asks its question again. */
async function answerBeforeAsked(
  words: string,
  { address, session }: AnsweringWords,
  pending: PendingQuestions,
  deps: ChatQuestionsDeps,
): Promise<boolean> {
  const card = session === undefined ? undefined : await findOpenCard(session.id, deps);
  if (card?.content.type !== 'card') return false;
  await answerOpenCard(card, words, address, deps);
  // It may have been asked meanwhile.
  pending.get(card.content.questionId)?.answer(words);
  return true;
}

/** The same for a press. */
async function pressBeforeAsked(
  { token, index }: PressedChoice,
  address: ReplyAddress,
  pending: PendingQuestions,
  deps: ChatQuestionsDeps,
): Promise<string | undefined> {
  const card = await readOpenCard(token, deps);
  const choice = card?.content.type === 'card' ? card.content.buttons[index]?.label : undefined;
  if (card === undefined || choice === undefined) return undefined;
  await answerOpenCard(card, choice, address, deps);
  pending.get(token)?.answer(choice);
  return choice;
}

const isKept = ({ act, id }: UserQuestion): boolean => act !== undefined && id !== undefined;

/**
 * Consent is kept under the question's id before whoever asked hears of it: a death in between finds it there. Any other answer is
 * gone with this process, and its words are a message then.
 */
async function giveAnswer(
  { token, question, address, answer }: PendingQuestion,
  words: string,
  deps: ChatQuestionsDeps,
  by: AnsweringWords | { readonly pressed: string },
): Promise<void> {
  if (isKept(question) && 'key' in by) await noteAnswered(by, token, deps);
  if (question.repeatKey !== undefined) await keepAnswer(token, words, address, deps);
  await closeCard(token, words, deps, 'pressed' in by ? by.pressed : undefined);
  if (isKept(question)) await deps.approvals.decide(token, words === question.choices[1] ? 'denied' : 'allowed');
  answer(words);
}

async function answerPress(press: ButtonPress, address: ReplyAddress, pending: PendingQuestions, deps: ChatQuestionsDeps): Promise<void> {
  const read = readButton(press.value);
  if (read === undefined) return;
  const acknowledge = (words: string): void => {
    const account = deps.findAccount(address.target);
    if (press.handle !== undefined)
      void account?.sender.answerPress?.(press.handle, words, AbortSignal.timeout(5_000)).catch(() => undefined);
  };
  const asked = pending.get(read.token);
  const early = asked === undefined && (address.role === 'owner' || readChatType(address) === 'private');
  const choice = early ? await pressBeforeAsked(read, address, pending, deps) : undefined;
  if (choice !== undefined) return acknowledge(choice);
  if (asked === undefined && address.role === 'owner')
    return acknowledge(await keepVerdict(read.token, read.index === 1 ? 'denied' : 'allowed', deps, press.messageId));
  if (asked === undefined || !mayAnswer(asked, address) || !(await isSameChat(asked.address, address, deps)))
    return acknowledge(OWNER_ALONE);
  const chosen = asked.question.choices[read.index];
  if (chosen === undefined) return;
  await giveAnswer(asked, chosen, deps, { pressed: press.messageId });
  acknowledge(chosen);
}

import { toErrorMessage } from '../../../base/errors.ts';
import { readStringAt } from '../../../base/json.ts';
import type { GatewayStore } from '../../../contracts/gateway-store.ts';
import type { ApprovalLine, ApprovalService } from '../../../contracts/services/owner.ts';
import { nameTarget } from '../addresses/targets.ts';
import type { Session } from '../../../contracts/session.ts';
import type { ReplyAddress } from '../contract.ts';
import { closeCard, type CardDeps } from './cards.ts';
import { readYesOrNo } from './verdicts.ts';

export interface LateAnswerDeps extends CardDeps {
  readonly store: Pick<GatewayStore, 'plan' | 'deliveries' | 'route' | 'routes' | 'remember' | 'movedChats' | 'count'>;
  readonly approvals: ApprovalService;
  /** Lets a session go on with an answer that came late. */
  readonly wake: (sessionId: string) => void;
}

export const OWNER_ALONE = 'Only the owner of this agent can answer this.';

/** The words of somebody that may be an answer: `key` is the same however often they are handled. */
export interface AnsweringWords {
  readonly address: ReplyAddress;
  readonly key: string;
  /** The session that the chat leads to. */
  readonly session?: Session | undefined;
}
/** Which question somebody is about to answer: once it is answered, nothing else tells what the same words meant. */
export const noteAnswered = ({ address, key }: AnsweringWords, id: string, { store }: LateAnswerDeps): Promise<void> =>
  store.remember(address.routeKey, { [ANSWERING]: { key, id } });
export async function readAnswered({ address, key }: AnsweringWords, { store }: LateAnswerDeps): Promise<string | undefined> {
  const noted = (await store.route(address.routeKey))?.facts[ANSWERING];
  return readStringAt(noted, 'key') === key ? readStringAt(noted, 'id') : undefined;
}
const ANSWERING = 'answer';

/** `/approve` and `/deny` for what was asked before this process began. */
export async function decideStored(verdict: 'approve' | 'deny', by: AnsweringWords, deps: LateAnswerDeps): Promise<string> {
  if (by.address.role !== 'owner') return OWNER_ALONE;
  const id = await findAnswered(by, deps);
  return id === undefined
    ? 'Nothing is waiting for your approval in this chat.'
    : keepVerdict(id, verdict === 'deny' ? 'denied' : 'allowed', deps);
}

/** The question that words are meant for, noted with them: the one that they were meant for before, or the newest. */
async function findAnswered(by: AnsweringWords, deps: LateAnswerDeps): Promise<string | undefined> {
  const before = await readAnswered(by, deps);
  if (before !== undefined) return before;
  const stored = await findStored(by.address, deps);
  if (stored !== undefined) await noteAnswered(by, stored.id, deps);
  return stored?.id;
}

/** The newest question that is open and was asked in this chat or thread, by whatever process. */
async function findStored({ target }: ReplyAddress, { approvals, store }: LateAnswerDeps): Promise<ApprovalLine | undefined> {
  const open = (await approvals.list()).filter(({ state }) => state === 'open');
  const moved = open.length === 0 ? [] : await store.movedChats(target);
  // A card stays where it was sent, under the id that the chat had then.
  const here = new Set([target.chatId, ...moved.filter(({ to }) => to === target.chatId).map(({ from }) => from)]);
  for (const question of open.toReversed()) {
    const [card] = await store.deliveries({ key: `question:${question.id}` });
    if (card === undefined || !here.has(card.target.chatId)) continue;
    if (nameTarget({ ...card.target, chatId: target.chatId }) === nameTarget(target)) return question;
  }
  return undefined;
}

/** Whether words were a plain yes or no to a question that was asked before this process began, for this chat's own session. */
export async function answerStored(words: string, by: AnsweringWords, deps: LateAnswerDeps): Promise<boolean> {
  const isYes = readYesOrNo(words);
  if (isYes === undefined || by.address.role !== 'owner') return false;
  const id = (await readAnswered(by, deps)) ?? (await findOwn(by.address, deps));
  if (id === undefined) return false;
  await noteAnswered(by, id, deps);
  await keepVerdict(id, isYes ? 'allowed' : 'denied', deps);
  return true;
}

async function findOwn(address: ReplyAddress, deps: LateAnswerDeps): Promise<string | undefined> {
  const stored = await findStored(address, deps);
  const [route] = stored?.sessionId === undefined ? [] : await deps.store.routes({ sessionId: stored.sessionId, limit: 1 });
  return route?.key === address.routeKey ? stored?.id : undefined;
}

const VERDICTS = { allowed: 'Approved.', denied: 'Denied.' } as const;
const ANSWERED = 'This question was answered already, or is no longer open.';

/**
 * Keeps a yes or no by the question's id: the call that asked takes it when its turn goes on. The same answer again, by a second
 * press or after a death, is the same. Gives the words for the chat.
 */
export async function keepVerdict(id: string, wanted: 'allowed' | 'denied', deps: LateAnswerDeps, pressed?: string): Promise<string> {
  const { approvals, wake } = deps;
  try {
    const before = (await approvals.list()).find((question) => question.id === id);
    const isSame = before?.state === 'open' || before?.state === wanted || (before?.state === 'used' && wanted === 'allowed');
    await closeCard(id, isSame ? VERDICTS[wanted] : ANSWERED, deps, pressed);
    if (before === undefined || !isSame) return ANSWERED;
    await approvals.decide(id, wanted);
    if (before.sessionId === undefined || before.state === 'used') return VERDICTS[wanted];
    const text = `I now allow, once, what you asked for before:\n${before.summary}\nDo it exactly so if it still makes sense.`;
    if (wanted === 'allowed') await approvals.leave({ sessionId: before.sessionId, questionId: id, text });
    wake(before.sessionId);
    return VERDICTS[wanted];
  } catch (error) {
    return `Your answer could not be kept: ${toErrorMessage(error)}`;
  }
}

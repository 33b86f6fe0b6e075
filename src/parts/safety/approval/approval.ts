import { toErrorMessage } from '../../../base/errors.ts';
import { waitUnlessAborted } from '../../../base/waits.ts';
import type { UserQuestion } from '../../../contracts/ports.ts';
import { SUSPENDED } from '../../../contracts/turn.ts';
import { CONSUMER_LEFT, type ApprovalRequest, type Approver, type ApprovalVerdict } from '../../../contracts/consent.ts';
import { isCoveredInAdvance, type ConsentScope } from './classes.ts';
import type { Grants } from './grants.ts';
import { listGrantScopes, formatScope } from './grant-scopes.ts';
import type { StoredQuestion } from '../../../contracts/question-store.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { ReviewResult, Reviewer } from './reviewer.ts';
import { ANSWERS, CHOSEN, describeDenial, createApprovalQuestion, REFUSALS, UNTIL_END } from './words.ts';

export interface ApprovalOptions {
  /** Everything above the floor that it could look at is allowed in advance: by whom, in words. */
  readonly allowAll?: string;
  readonly grants: Grants;
  readonly open: OpenQuestions;
  /** Asks the person; absent when nobody is there. */
  readonly ask?: (question: UserQuestion, signal: AbortSignal) => Promise<string>;
  readonly reviewer?: Reviewer;
  readonly timeoutMs: number;
  /** Keeps entries in the owner's allow list. */
  allowAlways(entries: readonly string[]): Promise<void>;
  /** Denials of the reviewer in a row after which the agent is told to give up; 0 never. */
  readonly breaker: number;
}

/** Decides in order: allowed in advance, allowed before, allowed late, the reviewer, a person. Silence and failure are a denial. */
export function createApproval(options: ApprovalOptions): Approver {
  const inTurn = oneAtATime();
  let denials = 0;
  return {
    known: (action) => knownAnswer(action, options),
    ask: async (action, signal) => {
      const known = await knownAnswer(action, options);
      if (known !== undefined) return known;
      const review = await reviewOf(action, signal, options);
      if (review?.says === 'allow') {
        denials = 0;
        return { allow: true, by: `the reviewing model: ${review.why}` };
      }
      if (review?.says === 'deny') {
        denials++;
        return {
          allow: false,
          by: 'the reviewing model',
          reason: describeDenial(review.why, options.breaker > 0 && denials >= options.breaker),
        };
      }
      const verdict = await inTurn(() => askPerson(action, signal, options));
      if (verdict.allow) denials = 0;
      return verdict;
    },
  };
}

/** What a model thinks of it, where one may answer at all. */
async function reviewOf(
  action: ApprovalRequest,
  signal: AbortSignal,
  { grants, reviewer }: ApprovalOptions,
): Promise<ReviewResult | undefined> {
  if (reviewer === undefined || grants.needsPerson(action)) return undefined;
  return reviewer(action, signal).catch((error: unknown) => ({ says: 'ask' as const, why: toErrorMessage(error) }));
}

const TYPED = 'the owner, who typed it';

/** What needs no question: the owner typed it, everything is allowed, its like was, or somebody answered late. */
async function knownAnswer(action: ApprovalRequest, { allowAll, grants, open }: ApprovalOptions): Promise<ApprovalVerdict | undefined> {
  // What the floor could not look at is asked about all the same: it may be what nobody can allow.
  const inAdvance = action.byOwner === true ? TYPED : allowAll;
  if (inAdvance !== undefined && isCoveredInAdvance(action.key)) return { allow: true, by: inAdvance };
  const covered = await grants.covers(action);
  if (covered !== undefined) return { allow: true, by: covered };
  const used = await open.use(action).catch(() => undefined);
  if (used !== undefined) return { allow: true, by: `the owner, later (${used.id})` };
  // A consent that was taken by a process which died before the call ran: a question is asked for one call alone.
  const answer = await answerTo(action, open);
  if (answer === 'used') return { allow: true, by: `the owner, later (${action.questionId ?? ''})` };
  return answer === 'denied' ? { allow: false, by: 'the owner', reason: REFUSALS.no } : undefined;
}

/** What became of this very question, by its id. */
const answerTo = async ({ questionId }: ApprovalRequest, open: OpenQuestions): Promise<StoredQuestion['state'] | undefined> =>
  questionId === undefined ? undefined : (await open.list().catch(() => [])).find(({ id }) => id === questionId)?.state;

async function askPerson(action: ApprovalRequest, signal: AbortSignal, options: ApprovalOptions): Promise<ApprovalVerdict> {
  if (options.ask === undefined) return unanswered(action, options, REFUSALS.nobody);
  // While this one waited its turn, the answer to another may have covered it.
  const covered = await options.grants.covers(action);
  if (covered !== undefined) return { allow: true, by: covered };
  await options.open.begin(action).catch(() => undefined);
  using late = timeout(options.timeoutMs);
  using elsewhere = decidedElsewhere(action, options.open);
  try {
    const stop = AbortSignal.any([signal, late.signal, elsewhere.signal]);
    // A face may only listen for the stop: one that has come already, or that it overlooks, ends the question all the same.
    stop.throwIfAborted();
    const answer = await waitUnlessAborted(options.ask(createApprovalQuestion(action, options.grants.scopes(action)), stop), stop);
    if (answer === undefined) throw stop.reason;
    const verdict = await verdictOf(answer, action, options);
    await closeQuestion(action, options.open).catch(() => undefined);
    return verdict;
  } catch (error) {
    if ((late.signal.aborted || elsewhere.signal.aborted) && !signal.aborted)
      return (await knownAnswer(action, options)) ?? unanswered(action, options, REFUSALS.late(options.timeoutMs / 1000));
    if (signal.reason !== CONSUMER_LEFT && signal.reason !== SUSPENDED) await options.open.end(action).catch(() => undefined);
    return { allow: false, by: 'policy', reason: toErrorMessage(error) };
  }
}

/** A face that keeps the answer itself has it kept until the call has run; for all others the question is over. */
async function closeQuestion(action: ApprovalRequest, open: OpenQuestions): Promise<void> {
  const answer = await answerTo(action, open);
  if (answer === 'allowed') await open.use(action);
  else if (answer !== 'denied') await open.end(action);
}

/** Like `AbortSignal.timeout`, but gone with the answer: a long patience would hold on to the question for as long. */
function timeout(ms: number): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('nobody answered in time', 'TimeoutError')), ms).unref();
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

/** How often a question that waits looks whether it was answered by its id: by another face, or by `hermes approvals`. */
const LOOK_MS = 500;

function decidedElsewhere({ questionId }: ApprovalRequest, open: OpenQuestions): Disposable & { readonly signal: AbortSignal } {
  const decided = new AbortController();
  const look = async () => {
    if ((await open.list()).some(({ id, state }) => id === questionId && state !== 'open')) decided.abort('answered by its id');
  };
  // Whoever shows the question keeps the process alive, not this.
  const timer = questionId === undefined ? undefined : setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  return { signal: decided.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Kept, so that the owner can still say yes; when it cannot be kept it is simply a no. */
async function unanswered(action: ApprovalRequest, { open, grants }: ApprovalOptions, why: string): Promise<ApprovalVerdict> {
  const kept = await open.keep(action).catch(() => undefined);
  if (kept?.state === 'denied') return { allow: false, by: 'the owner', reason: REFUSALS.no };
  if (kept === undefined) return { allow: false, by: 'policy', reason: why };
  const trustable = grants.trustable(action);
  const reason = `${why} ${REFUSALS.canStill(kept.id)}${trustable === undefined ? '' : REFUSALS.canTrust(trustable)}`;
  return { allow: false, by: 'policy', reason, openId: kept.id, ...(trustable !== undefined && { trustable }) };
}

async function verdictOf(answer: string, action: ApprovalRequest, options: ApprovalOptions): Promise<ApprovalVerdict> {
  const offered = options.grants.scopes(action);
  const scope = scopeOf(answer, offered);
  if (scope === undefined) {
    // A yes that is not offered is a no in these words: it gives no consent to the question.
    const said = answer.trim().replace(/^No: /, '');
    return { allow: false, by: 'the owner', reason: said === '' || NO.test(said) ? REFUSALS.no : `the user said no: ${said}` };
  }
  // For good means by the owner's list, and only for as long as it stands there.
  if (scope === 'always')
    await options.allowAlways(listGrantScopes(action).flatMap((granted) => (granted.type === 'line' ? [] : formatScope(granted))));
  else if (scope !== 'once') await options.grants.grant(action, scope);
  return { allow: true, by: scope === 'once' ? 'the owner' : `the owner, ${ANSWERS[scope].toLowerCase()}` };
}

const PLAIN = new Map<string, ConsentScope>([
  ['once', 'once'],
  ['task', 'task'],
  ['session', 'session'],
  ['always', 'always'],
]);

const NO = /^\s*(?:no?|deny)[.!]?\s*$/i;

/** How far a plain yes goes by its words; a bare one as far as the shortest that is offered. */
function scopeNamed(answer: string, offered: readonly ConsentScope[]): ConsentScope | undefined {
  const said = answer.trim();
  if (said === UNTIL_END) return 'session';
  if (/^y(?:es)?$/i.test(said)) return offered[0];
  return CHOSEN.find((each) => ANSWERS[each] === said) ?? PLAIN.get(said.toLowerCase());
}

/** Only a plain yes is consent, and only as far as was offered. */
function scopeOf(answer: string, offered: readonly ConsentScope[]): ConsentScope | undefined {
  const scope = scopeNamed(answer, offered);
  return scope !== undefined && offered.includes(scope) ? scope : undefined;
}

/** Questions come one at a time, each after what was told before has been shown. */
function oneAtATime() {
  let before: Promise<unknown> = Promise.resolve();
  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = before.then(() => new Promise((done) => setImmediate(done))).then(work);
    before = mine.catch(() => {});
    return mine;
  };
}

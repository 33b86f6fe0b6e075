import type { SessionCommit } from '../../contracts/commits.ts';
import type { Entry, LogMessage } from '../../contracts/entry.ts';
import type { FailureType } from '../../contracts/failure.ts';
import type { ApprovalRequestInput, HookSession, HookTurn, TurnEndInput } from '../../contracts/hook-inputs.ts';
import type { HookEvent } from '../../contracts/hooks.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import { joinTextBlocks, NO_USAGE, type Usage } from '../../contracts/message.ts';
import type { Session } from '../../contracts/session.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { CallCell, TurnState } from '../../contracts/turn.ts';

/** What is known of a turn that runs here. */
interface TrackedTurn {
  readonly turnId: string;
  readonly model: string;
  readonly startedAt: number;
  readonly steps: number;
  readonly usage: Usage;
  readonly userMessage: string;
  readonly answer: string;
  readonly asking: ReadonlyMap<string, ApprovalRequestInput>;
  /** Calls that were counted before their commit was seen here. */
  readonly counted?: ReadonlySet<string>;
}

/** More than can run at once: a turn that another process finishes makes room. */
const MAX_TURNS = 1_000;
const GOOD: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'length', 'content_filter', 'paused']);

/**
 * Tells from what a session made durable what happened in it, in order. Whatever face the session has, its commits are the same,
 * and so is what is told of them.
 */
export function createHookFold(
  store: EarlierLog,
  begunAt = Date.now(),
): (commit: SessionCommit, session: Session) => Promise<readonly HookEvent[]> {
  const turns = new Map<string, TrackedTurn>();
  return async (commit, session) => {
    const place = placeOf(session);
    const before = (await readEarlierTurn(commit, session, turns.get(session.id), { store, begunAt })) ?? turns.get(session.id);
    const turn = followTurn(commit, session, before);
    if (turn === undefined || commit.change.turn === null) turns.delete(session.id);
    else turns.set(session.id, turn);
    const [oldest] = turns.keys();
    if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    return [
      ...commit.entries.flatMap((entry) => (isOpening(entry) ? toldOfOpening(entry, session, place) : [])),
      ...toldOfQuestions(before, turn, commit.change.turn),
      ...(commit.change.calls ?? []).flatMap((call) => toldOfCall(call, place)),
      ...commit.entries.flatMap((entry) => toldOfEntry(entry, place, turn)),
      ...(commit.change.end === undefined ? [] : toldOfEnd(commit.change.end, place)),
    ];
  };
}

/** What a turn needs that another process began: its log, and what it cost there. */
export type EarlierLog = Pick<SessionStore, 'entries' | 'calls'>;

/** Read once for such a turn. Nothing for one that began here, and for what is about no turn that goes on. */
async function readEarlierTurn(
  { change, entries }: SessionCommit,
  session: Session,
  known: TrackedTurn | undefined,
  { store, begunAt }: { readonly store: EarlierLog; readonly begunAt: number },
): Promise<TrackedTurn | undefined> {
  const turnId = change.turnId ?? change.turn?.turnId;
  const goesOnHere = (change.turn ?? undefined) !== undefined || entries.some(({ type }) => type === 'outcome');
  if (turnId === undefined || known?.turnId === turnId || !goesOnHere || entries.some(isOpening)) return undefined;
  const log = (await store.entries(session.id)).filter((entry) => entry.turnId === turnId);
  const calls = (await store.calls({ sessionId: session.id })).filter((call) => call.turnId === turnId);
  const [opening, said] = [log.find(isOpening), log.findLast(isAnswer)];
  const model = change.turn?.runtime.model ?? session.model;
  return {
    turnId,
    model,
    startedAt: opening?.at ?? 0,
    steps: calls.filter(({ result, purpose }) => purpose === undefined && GOOD.has(result)).length,
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    userMessage: opening === undefined ? '' : joinTextBlocks(opening.message),
    answer: said === undefined ? '' : joinTextBlocks(said.message),
    // What was asked before this program began, another one has told.
    asking: readQuestions(change.turn ?? null, { ...placeOf(session), turnId, model }, begunAt),
    counted: new Set(calls.map(({ id }) => id)),
  };
}

const placeOf = ({ id, platform, parent }: Session): HookSession => ({
  sessionId: id,
  platform,
  ...(parent?.kind === 'child' && { parentSessionId: parent.sessionId }),
});

const isAnswer = (entry: Entry): entry is LogMessage => entry.type === 'message' && entry.message.role === 'assistant';
const isOpening = (entry: Entry): entry is LogMessage =>
  entry.type === 'message' && entry.message.role === 'user' && entry.origin !== 'steer' && entry.turnId !== undefined;

function followTurn({ change, entries }: SessionCommit, session: Session, before: TrackedTurn | undefined): TrackedTurn | undefined {
  const turnId = change.turnId ?? change.turn?.turnId;
  if (turnId === undefined) return before;
  const known = before?.turnId === turnId ? before : undefined;
  const model = change.turn?.runtime.model ?? known?.model ?? session.model;
  const place = { ...placeOf(session), turnId, model };
  const opening = entries.find(isOpening);
  const said = entries.findLast(isAnswer);
  const calls = (change.calls ?? []).filter(({ id }) => known?.counted?.has(id) !== true);
  return {
    turnId,
    model,
    startedAt: change.turn?.startedAt ?? known?.startedAt ?? entries[0]?.at ?? 0,
    steps: change.turn?.steps ?? known?.steps ?? 0,
    usage: calls.reduce((sum, { usage }) => addUsage(sum, usage), known?.usage ?? NO_USAGE),
    userMessage: opening === undefined ? (known?.userMessage ?? '') : joinTextBlocks(opening.message),
    answer: said === undefined ? (known?.answer ?? '') : joinTextBlocks(said.message),
    asking: change.turn === undefined ? (known?.asking ?? NO_QUESTIONS) : readQuestions(change.turn, place),
    ...(known?.counted !== undefined && { counted: known.counted }),
  };
}

const readQuestions = (turn: TurnState | null, place: HookTurn, before = Infinity): ReadonlyMap<string, ApprovalRequestInput> =>
  new Map((turn?.phase === 'act' ? turn.calls : []).flatMap((cell) => readQuestion(cell, place, before)));

function readQuestion(cell: CallCell, place: HookTurn, before: number): [string, ApprovalRequestInput][] {
  if (cell.status !== 'asking' || cell.question.at >= before) return [];
  const { id, action } = cell.question;
  return [[cell.call.id, { ...place, questionId: id, tool: action.tool, summary: action.summary, reason: action.reason }]];
}

/** A child has no beginning of its own in the eyes of its owner: it is told as one. */
function toldOfOpening(entry: LogMessage, session: Session, place: HookSession): HookEvent[] {
  const goal = joinTextBlocks(entry.message);
  const { parent, copiedSeq = 0 } = session;
  if (entry.seq > copiedSeq + 2) return [];
  if (parent?.kind === 'child') return [{ name: 'subagent_start', input: { ...place, goal } }];
  const start: HookEvent = { name: 'on_session_start', input: { ...place, turnId: entry.turnId ?? '', model: session.model } };
  if (parent === undefined) return [start];
  const { sessionId: fromSessionId, kind: reason } = parent;
  return [start, { name: 'on_session_switch', input: { ...place, fromSessionId, reason } }];
}

/** A question is new, or its call has gone on without it: nothing runs before that is durable. */
function toldOfQuestions(before: TrackedTurn | undefined, now: TrackedTurn | undefined, turn: TurnState | null | undefined): HookEvent[] {
  const [old, current] = [before?.asking ?? NO_QUESTIONS, now?.asking ?? NO_QUESTIONS];
  const cells = new Map((turn?.phase === 'act' ? turn.calls : []).map((cell) => [cell.call.id, cell]));
  return [
    ...[...old].flatMap(([callId, input]): HookEvent[] =>
      current.get(callId)?.questionId === input.questionId
        ? []
        : [{ name: 'post_approval_response', input: { ...input, isAllowed: goesOn(cells.get(callId)) } }],
    ),
    ...[...current].flatMap(([callId, input]): HookEvent[] =>
      old.get(callId)?.questionId === input.questionId ? [] : [{ name: 'pre_approval_request', input }],
    ),
  ];
}
const NO_QUESTIONS: ReadonlyMap<string, ApprovalRequestInput> = new Map();
const goesOn = (cell: CallCell | undefined): boolean => cell !== undefined && !(cell.status === 'finished' && cell.refused === true);

function toldOfCall({ turnId, runtime, purpose, estimate, ms, result, usage, price }: CallRecord, place: HookSession): HookEvent[] {
  if (purpose === 'elsewhere') return [];
  const call = { ...place, turnId, model: runtime.model, provider: runtime.provider, ...(purpose !== undefined && { purpose }) };
  const told = { ...call, estimatedTokens: estimate, ms };
  return GOOD.has(result)
    ? [{ name: 'post_api_request', input: { ...told, finishReason: result, usage, ...(price !== undefined && { price }) } }]
    : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is no finish is a failure
      [{ name: 'api_request_error', input: { ...told, reason: result as FailureType } }];
}

function toldOfEntry(entry: Entry, place: HookSession, turn: TrackedTurn | undefined): HookEvent[] {
  if (entry.type === 'compaction' && entry.report !== undefined)
    return [{ name: 'post_compress', input: { ...place, report: entry.report } }];
  if (entry.type !== 'outcome' || turn === undefined) return [];
  const { outcome, exitReason } = entry;
  const { turnId, model, steps, usage, userMessage } = turn;
  const input: TurnEndInput = { ...place, turnId, model, outcome, exitReason, steps, usage, ms: Math.max(0, entry.at - turn.startedAt) };
  const assistantResponse = entry.notice ?? turn.answer;
  const isStopped = exitReason === 'interrupted' || exitReason === 'terminated';
  return [
    ...(outcome === 'answered'
      ? [{ name: 'post_llm_call', input: { ...place, turnId, model, userMessage, assistantResponse } } satisfies HookEvent]
      : []),
    ...(isStopped ? [{ name: 'agent_loop_stopped', input } satisfies HookEvent] : []),
    { name: 'turn_outcome', input },
    { name: 'on_session_end', input },
    ...(place.parentSessionId === undefined
      ? []
      : [{ name: 'subagent_stop', input: { ...place, outcome, summary: assistantResponse, ms: input.ms } } satisfies HookEvent]),
  ];
}

const toldOfEnd = (reason: NonNullable<SessionCommit['change']['end']>, place: HookSession): HookEvent[] => [
  ...(reason === 'reset' ? [{ name: 'on_session_reset', input: { ...place, reason } } satisfies HookEvent] : []),
  { name: 'on_session_finalize', input: { ...place, reason } },
];

const addUsage = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
  reasoning: one.reasoning + other.reasoning,
});

import { rm } from 'node:fs/promises';
import type { HttpListeners, HttpPlace } from '../../../base/http-server/contract.ts';
import { toErrorMessage } from '../../../base/errors.ts';
import { waitAtMost } from '../../../base/waits.ts';
import type { SessionHandle } from '../../../contracts/host.ts';
import type { Run } from '../../../contracts/run-store.ts';
import type { Session } from '../../../contracts/session-store.ts';
import { API_PLATFORM, PLAIN_SOURCE } from './request/access.ts';
import { createAllowance } from './allowance.ts';
import type { ApiContext, ApiKey, ApiServerDeps } from './http/contract.ts';
import { createApiRoute } from './http-route.ts';
import { createClientTools, type ClientCall } from './runs/client-tools.ts';
import type { OpenRunSession } from './runs/open-handles.ts';
import { createRunNews } from './runs/follow.ts';
import { createRunLines, settleRuns } from './runs/lines.ts';
import { createRunQuestions } from './runs/questions.ts';
import { createWorkspaces, type Workspaces } from './runs/workspaces.ts';
import { createRunWriter } from './runs/writer.ts';

/** The API of a home, until it is closed. */
export interface ApiServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Turns at work. */
  readonly running: number;
  /** Begins nothing new and waits for the turns that run, at most so long. What is left is gone on with after the next start. */
  drain(ms: number): Promise<void>;
}

const MAX_CRASHES = 3;

export async function openApiServer(deps: ApiServerDeps, listeners: HttpListeners, at: Partial<HttpPlace>): Promise<ApiServer> {
  await using opened = new AsyncDisposableStack();
  const { store } = deps.host;
  const news = createRunNews(store.runs);
  const writer = opened.use(createRunWriter({ runs: store.runs, clock: deps.clock, log: deps.log, onKept: news.tell }));
  let isDraining = false;
  const isAllowed = ({ owner }: Run): boolean => findKey(owner, deps) !== undefined;
  const workspaces = createWorkspaces({ ...deps, store, keepsWorkspaces: deps.keepsWorkspaces === true });
  const openSession: OpenRunSession = (session, run) => openApiSession(session, run, context, workspaces);
  const lines = opened.use(createRunLines({ ...deps, store, writer, openSession, onClosed: workspaces.leave, isAllowed }));
  const questions = createRunQuestions({ approvals: deps.approvals, tell: lines.tell, wake: lines.wake });
  const context: ApiContext = { ...deps, lines, news, questions, startedAt: deps.clock.now(), isDraining: () => isDraining };
  await workspaces.clear();
  await recover(context, writer);
  opened.use(follow(context, (signal) => followPosts(context, signal)));
  opened.use(follow(context, (signal) => followChanges(context, signal)));
  opened.use(follow(context, (signal) => sweepPlain(context, signal)));
  const route = opened.use(await listeners.listen(createApiRoute(context), at));
  const closing = opened.move();
  return {
    host: route.host,
    port: route.port,
    get running() {
      return lines.running;
    },
    drain: async (ms) => {
      isDraining = true;
      await waitAtMost(lines.idle(), ms);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

const findKey = (owner: string, { keys }: Pick<ApiServerDeps, 'keys'>): ApiKey | undefined => keys.find(({ name }) => name === owner);

/** A session as a program has it: nobody is present, and it may do what the key may that it belongs to. */
async function openApiSession(session: Session, run: Run | undefined, context: ApiContext, workspaces: Workspaces): Promise<SessionHandle> {
  const { host, questions } = context;
  const owner = await host.store.runs.findOwner(session.id);
  const key = findKey(owner?.owner ?? '', context);
  const system = owner?.facts['system'];
  workspaces.enter(session);
  const opening = host.openSession({
    ...context.session,
    session,
    platform: API_PLATFORM,
    maxCrashes: MAX_CRASHES,
    ...(key?.toolsets !== undefined && { toolsets: key.toolsets }),
    ...(run !== undefined && { tools: createClientTools(run, { sessionId: session.id, ...describeClient(session, context) }) }),
    // Whoever may not see what is remembered is not the owner.
    ...(key?.hasMemory !== true && { memory: false, forGuests: true }),
    ...(typeof system === 'string' && { systemMessage: system }),
    ...(key?.budget !== undefined && { allowance: createAllowance(key.name, key.budget, host.store.runs) }),
    // A completion of the model alone.
    ...(session.source === PLAIN_SOURCE && { toolsets: [], mcp: false, memory: false, contextFiles: false, prompt: false }),
    ports: { clarify: (question, signal) => questions.ask(session.id, question, signal) },
  });
  return opening.catch(async (error: unknown) => {
    await workspaces.leave(session);
    throw error;
  });
}

/** How tools of a session's client reach it. */
const describeClient = ({ id }: Session, { host: { store }, lines }: ApiContext) => ({
  findRun: async () => {
    const turn = await store.turn(id);
    return turn && store.runs.findByTurn(id, turn.turnId);
  },
  ask: (call: Omit<ClientCall, 'id'>) => lines.askClient(id, call),
});

const isOurs = ({ platform }: Session): boolean => platform === API_PLATFORM || platform === PLAIN_SOURCE;

/** How long a plain completion can be asked for after its answer, and how often those are looked for that are over. */
const [PLAIN_MS, SWEEP_MS] = [300_000, 60_000];

/** Plain completions leave no session behind. */
async function sweepPlain({ host: { store }, lines, clock, log }: ApiContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { id, cwd, updatedAt } of await store.list({ source: PLAIN_SOURCE, limit: 1_000 })) {
      const isOver =
        updatedAt < clock.now() - PLAIN_MS && (await store.turn(id)) === undefined && (await store.runs.listOpen(id)).length === 0;
      if (!isOver || !(await lines.close(id))) continue;
      await store.remove(id).catch((error: unknown) => log(`the plain completion ${id} could not be removed: ${toErrorMessage(error)}`));
      await rm(cwd, { recursive: true, force: true });
    }
    await clock.sleep(SWEEP_MS, signal);
  }
}

/** What was cut off, what waits, and what is over but was not told as over. */
async function recover({ host: { store }, lines }: ApiContext, writer: Parameters<typeof settleRuns>[1]['writer']): Promise<void> {
  const open = await store.runs.listOpen();
  for (const sessionId of new Set(open.map((run) => run.sessionId))) await settleRuns(sessionId, { store, writer });
  for (const { session } of await store.pending()) if (isOurs(session)) lines.wake(session.id);
}

/** A process in the background has ended, or an answer came late: its session goes on. Those of jobs are not ours. */
async function followPosts({ host, lines }: ApiContext, signal: AbortSignal): Promise<void> {
  for await (const { sessionId } of host.posted(signal)) {
    const [session] = await host.store.find(sessionId);
    if (session !== undefined && isOurs(session) && (await host.store.runs.findOwner(sessionId)) !== undefined) lines.wake(sessionId);
  }
}

/** Whatever another process writes may be what somebody waits for. One listener for all of them: watching costs, not hearing. */
async function followChanges({ host, news }: ApiContext, signal: AbortSignal): Promise<void> {
  for await (const { type } of host.store.changes(signal)) if (type === 'any') news.tellAll();
}

/** Follows something until it is closed. */
function follow({ log }: ApiContext, run: (signal: AbortSignal) => Promise<void>): AsyncDisposable {
  const stop = new AbortController();
  const following = run(stop.signal).catch((error: unknown) => log(`changes are no longer followed: ${toErrorMessage(error)}`));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await following;
    },
  };
}

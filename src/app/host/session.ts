import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { currentEpoch } from '../../agent/request.ts';
import { turnedAway } from '../../agent/agent.ts';
import { hostSession, type HostedSession } from '../../agent/hosted-session.ts';
import { dismissMessage } from '../../agent/inbox.ts';
import { nameSession, shortTitle } from '../../agent/naming.ts';
import type { BoundedPool, PoolSlot } from '../../base/bounded-pool.ts';
import { UsageError } from '../../base/errors.ts';
import type { NoticeBoard } from '../../base/notice-board.ts';
import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import type { ModelSelection, Notice, OpenSession, SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { RewindResult } from '../../contracts/rewind.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import { sharesFiles } from '../../contracts/terminal.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
import type { KeptShell } from '../../parts/terminals/kept-shell.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { openAgent, type SessionAgent } from './agent.ts';
import type { Route, SharedParts } from '../tools/home-parts.ts';
import { messageContent } from '../../parts/skills/message-content.ts';
import { NO_SERVERS } from './mcp.ts';
import { redactingAgent } from './redaction.ts';
import { titleModel } from './side-models.ts';

/** What a session needs of the host it is opened by. */
export interface HostServices {
  /** What all sessions share, with what the registries hold at this moment. */
  readonly shared: () => Promise<SharedParts>;
  readonly secrets: Secrets;
  readonly pool: BoundedPool;
  readonly board: NoticeBoard<Notice>;
  /** The owner's servers, connected for the first session that asks. */
  readonly mcp: (cwd: string) => Promise<Mcp>;
  /** Those that are open, and those that are about to be, so that they can be closed with the host. */
  readonly sessions: Set<AsyncDisposable>;
  readonly opening: Set<Promise<unknown>>;
  /** Aborted when the host is closed: no session is opened from then on. */
  readonly closed: AbortSignal;
}

/** Opens a session: its route and its agent at once, so that trouble with either is told here; its terminal with the first command. */
export async function openSession(host: HostServices, options: SessionOptions): Promise<OpenSession> {
  if (host.closed.aborted) throw hostClosed();
  const opening = openNow(host, options);
  host.opening.add(opening);
  try {
    return await opening;
  } finally {
    host.opening.delete(opening);
  }
}

async function openNow(host: HostServices, options: SessionOptions): Promise<OpenSession> {
  const start = await startSession(host, options);
  const hosted = attachAgent(host, options, start);
  const { session, resumed, shared } = start;
  try {
    // Its trouble is told here, not with the first message.
    const onFull = () => host.board.tell({ text: `Session ${session.id} waits to be opened: all that may be open at once are busy.`, sessionId: session.id });
    if ((await hosted.slot.acquire({ signal: host.closed, onFull })) === undefined) throw hostClosed();
    hosted.slot.release();
    if (host.closed.aborted) throw hostClosed();
  } catch (error) {
    await hosted[Symbol.asyncDispose]();
    if (!resumed) await shared.store.remove(session.id);
    throw error;
  }
  const handle = handleOf(host, options, start, hosted);
  host.sessions.add(handle);
  return handle;
}

const hostClosed = () => new Error('the host is closed, and opens no session any more; open another host to go on.');

/** What is known of a session before its agent is opened. */
interface SessionStart {
  readonly session: Session;
  readonly resumed: boolean;
  /** The prompt it goes on with. */
  readonly epoch: PromptEpoch | undefined;
  readonly route: Route;
  readonly cwd: string;
  readonly mcp: Mcp;
  /** What sessions share, as the registries stood when it was opened. */
  readonly shared: SharedParts;
}

/** A stored session is taken up; a new one is stored last, when nothing it needs is missing any more. */
async function startSession(host: HostServices, options: SessionOptions): Promise<SessionStart> {
  const shared = await host.shared();
  const resumed = options.session;
  const epoch = resumed === undefined ? undefined : await takeUp(resumed, shared);
  const route = await routeOf(options, epoch, shared);
  const cwd = resolve(options.cwd ?? resumed?.cwd ?? shared.config.settings['terminal.cwd']);
  mustBeFolder(cwd, options, shared);
  const mcp = options.mcp === false ? NO_SERVERS : await host.mcp(cwd);
  const session = resumed ?? (await beginSession(options, route, cwd, { shared, secrets: host.secrets }));
  return { session, resumed: resumed !== undefined, epoch, route, cwd, mcp, shared };
}

/** A folder that is not there is somebody's mistake, unless it lies elsewhere or was there once: then the nearest above it will do, which is told. */
function mustBeFolder(cwd: string, { session, cwd: named }: SessionOptions, { config }: SharedParts): void {
  const elsewhere = !sharesFiles(config.settings['terminal.backend']);
  if (elsewhere || (session !== undefined && named === undefined) || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new UsageError(`the session was to work in ${cwd}, and there is no such folder. Make it, or name another (cwd, or the setting terminal.cwd).`);
}

/** A session with the slot its agent has in the pool. */
interface AttachedSession extends HostedSession {
  readonly slot: PoolSlot<SessionAgent>;
  /** Where its calls go from the next turn on. */
  route: Route;
}

function attachAgent({ secrets, pool, board }: HostServices, options: SessionOptions, start: SessionStart): AttachedSession {
  const { session, mcp, shared } = start;
  const shell: KeptShell = {};
  let [first, epoch] = [true, start.epoch];
  const slot = pool.slot(async () => {
    // Opened again after it had to make room: it may have another prompt by now.
    if (!first) epoch = currentEpoch(await shared.store.entries(session.id));
    first = false;
    const plan = planOf(options, session, start.cwd, hosted.notice);
    return openAgent(shared, { ...plan, epoch, shell }, { route: attached.route, mcp });
  });
  const hosted = hostSession<SessionAgent>({
    sessionId: session.id,
    slot,
    agentOf: async (opened) => {
      // Whenever the model was chosen, also while the agent was being opened: this is where the next turn begins.
      await opened.setRoute(attached.route);
      return redactingAgent(opened.agent, secrets);
    },
    tell: ({ text, ...notice }) => board.tell({ ...notice, text: secrets.redact(text) }),
  });
  const attached: AttachedSession = { ...hosted, slot, route: start.route };
  return attached;
}

function handleOf(
  { secrets, sessions }: HostServices,
  options: SessionOptions,
  { session, resumed, shared }: SessionStart,
  hosted: AttachedSession,
): OpenSession {
  const { store } = shared;
  const naming = nameSession({ store, clock: systemClock, complete: () => titleModel(shared, hosted.route) }, session);
  const whileOpen =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      hosted.mustBeOpen();
      return work(...args);
    };
  const handle: OpenSession = {
    get session() {
      const { model, provider } = hosted.route.runtime;
      return { ...session, model, provider };
    },
    resumed,
    get runtime() {
      return hosted.route.runtime;
    },
    message: whileOpen(async (words) => ({ role: 'user', content: await messageContent(words, session.id, shared) })),
    send: (message, signal, more) =>
      naming.follow(hosted.events(signal, { run: (agent, stop) => agent.send(session, message, stop, more), turnedAway })),
    resume: (signal) =>
      naming.follow<Outcome | undefined>(hosted.events(signal, { run: (agent, stop) => agent.resume(session, stop), turnedAway })),
    compact: (signal, focus) =>
      hosted.events(signal, { run: (agent, stop) => agent.compact(session, stop, focus), turnedAway: () => givesOnly(false) }),
    tidy: (signal) =>
      hosted.events(signal, { run: (agent, stop) => agent.tidy(session, stop), turnedAway: () => givesOnly(false), isPatient: false }),
    post: whileOpen((item) => store.post({ ...item, sessionId: session.id })),
    dismiss: whileOpen((itemId, fate) => dismissMessage(store, session.id, itemId, fate)),
    rewind: (target, signal) =>
      hosted.events<RewindResult>(signal, {
        run: (agent, stop) => agent.rewind(session, target, stop),
        turnedAway: () => givesOnly({ ok: false, why: 'it was told to stop before there was room for the session' }),
      }),
    branch: whileOpen(async (more = {}) => {
      const { branchAt } = await import('../../agent/branch.ts');
      return secrets.redactAll(await branchAt(store, session.id, secrets.redactAll(more)));
    }),
    end: (reason, signal = NEVER) =>
      hosted.finish(signal, { run: (agent, stop) => agent.end(session, reason, stop), turnedAway: () => givesOnly(false), isPatient: false }),
    setModel: whileOpen(async (selection) => {
      hosted.route = await nextRoute(selection, options, session, { shared, current: hosted.route });
      return hosted.route.runtime;
    }),
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      await naming[Symbol.asyncDispose]();
      await hosted[Symbol.asyncDispose]();
    },
  };
  return handle;
}

/** No events, and this in the end. */
// oxlint-disable-next-line require-yield -- it has nothing to tell
async function* givesOnly<Result>(result: Result): AsyncGenerator<AgentEvent, Result> {
  return result;
}
const NEVER = new AbortController().signal;

/** A model of the caller's own goes by another name; everything else is chosen anew. */
async function nextRoute(
  selection: ModelSelection,
  { provider }: SessionOptions,
  { id }: Session,
  { shared, current }: { readonly shared: SharedParts; readonly current: Route },
): Promise<Route> {
  const { model, ...elsewhere } = selection;
  if (provider !== undefined && model !== undefined && Object.keys(elsewhere).length === 0)
    return { ...current, runtime: { ...current.runtime, model } };
  return selectRoute(selection, currentEpoch(await shared.store.entries(id)), shared);
}

/** A session that goes on: first it is told which of its processes ended while nobody was there. */
async function takeUp({ id }: Session, shared: SharedParts): Promise<PromptEpoch | undefined> {
  const { survivorsOf, tellOfEnds } = await import('../tools/processes.ts');
  await tellOfEnds(id, survivorsOf(shared), (item) => shared.store.post(item));
  return currentEpoch(await shared.store.entries(id));
}

/** The caller's own model, or the one that selection, session and settings lead to. */
async function routeOf({ provider, model = {} }: SessionOptions, epoch: PromptEpoch | undefined, shared: SharedParts): Promise<Route> {
  if (provider === undefined) return selectRoute(model, epoch, shared);
  const { runtime, ...connection } = provider;
  return { runtime, connection: shared.guard(connection) };
}

async function selectRoute(selection: ModelSelection, kept: PromptEpoch | undefined, shared: SharedParts): Promise<Route> {
  const { config, env, store, transport, notice, registered } = shared;
  const { providers } = registered;
  const runtime = await routeFor({ selection, config, env, kept, store, notice, providers });
  return { runtime, connection: shared.guard(connect({ config, env, store, transport, runtime, providers })) };
}

type SessionBeginning = { readonly shared: Pick<SharedParts, 'store'>; readonly secrets: Secrets };

function beginSession(options: SessionOptions, { runtime }: Route, cwd: string, { shared, secrets }: SessionBeginning): Promise<Session> {
  const { model, provider } = runtime;
  const { platform = DEFAULT_PLATFORM, source = platform, title } = options;
  const shown = title === undefined ? '' : shortTitle(secrets.redact(title));
  return shared.store.create({ platform, source, cwd, model, provider, ...(shown !== '' && { title: shown }) });
}

const DEFAULT_PLATFORM = 'cli';

/** The options with every default filled in; a stored session is held where it was. */
function planOf(options: SessionOptions, session: Session, cwd: string, notice: (words: string) => void): Omit<SessionPlan, 'epoch' | 'shell'> {
  const { toolsets, maxSteps, allowAll, systemMessage, readSecret, sampling } = options;
  return {
    platform: options.platform ?? session.platform,
    cwd,
    terminalTask: options.terminalTask ?? session.id,
    contextFiles: options.contextFiles !== false,
    ports: options.ports ?? {},
    notice,
    ...(toolsets !== undefined && { toolsets }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(options.prompt === false && { prompt: false }),
    ...(sampling !== undefined && { sampling }),
    ...(allowAll !== undefined && { allowAll }),
    ...(readSecret !== undefined && { readSecret }),
    ...(systemMessage !== undefined && { systemMessage }),
  };
}

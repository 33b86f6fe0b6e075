import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { currentEpoch } from '../../agent/request.ts';
import { hostSession, type HostedSession } from '../../agent/hosted-session.ts';
import type { BoundedPool, PoolSlot } from '../../base/bounded-pool.ts';
import type { NoticeBoard } from '../../base/notice-board.ts';
import type { AttachedText, ModelSelection, Notice, OpenSession, SessionOptions } from '../../contracts/host.ts';
import type { Text } from '../../contracts/message.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
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
  /** Those that are open, so that they can be closed with the host. */
  readonly sessions: Set<AsyncDisposable>;
}

/** Opens a session: its route and its agent at once, so that trouble with either is told here; its terminal with the first command. */
export async function openSession(host: HostServices, options: SessionOptions): Promise<OpenSession> {
  const start = await startSession(host, options);
  const hosted = attachAgent(host, options, start);
  // Its trouble is told here, not with the first message.
  await hosted.slot.acquire();
  hosted.slot.release();
  const handle = handleOf(host, options, start, hosted);
  host.sessions.add(handle);
  return handle;
}

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
  const mcp = options.mcp === false ? NO_SERVERS : await host.mcp(cwd);
  const session = resumed ?? (await beginSession(options, route, cwd, { shared, secrets: host.secrets }));
  return { session, resumed: resumed !== undefined, epoch, route, cwd, mcp, shared };
}

/** A session with the slot its agent has in the pool. */
interface AttachedSession extends HostedSession {
  readonly slot: PoolSlot<SessionAgent>;
  /** Where its calls go from the next turn on. */
  route: Route;
}

function attachAgent({ secrets, pool, board }: HostServices, options: SessionOptions, start: SessionStart): AttachedSession {
  const { session, mcp, shared } = start;
  let [first, epoch] = [true, start.epoch];
  const slot = pool.slot(async () => {
    // Opened again after it had to make room: it may have another prompt by now.
    if (!first) epoch = currentEpoch(await shared.store.entries(session.id));
    first = false;
    const plan = planOf(options, session, start.cwd, hosted.notice);
    return openAgent(shared, { ...plan, epoch }, { route: attached.route, mcp });
  });
  const hosted = hostSession({
    sessionId: session.id,
    slot,
    guard: (agent) => redactingAgent(agent, secrets),
    tell: ({ text, ...notice }) => board.tell({ ...notice, text: secrets.redact(text) }),
  });
  const attached: AttachedSession = { ...hosted, slot, route: start.route };
  return attached;
}

function handleOf(
  { secrets, sessions, board }: HostServices,
  options: SessionOptions,
  { session, resumed, shared }: SessionStart,
  hosted: AttachedSession,
): OpenSession {
  const { slot } = hosted;
  const naming = nameSession(session, shared, () => hosted.route);
  async function attach(given: AttachedText): Promise<Text> {
    const { attachText } = await import('../../parts/tools/attached-text.ts');
    const { spillTo } = await import('../../parts/tools/budget.ts');
    return attachText(
      given,
      session.id,
      spillTo(shared.home.spill, shared.config.settings, () => hosted.route.runtime.limits.window),
    );
  }
  const handle: OpenSession = {
    session,
    resumed,
    get runtime() {
      return hosted.route.runtime;
    },
    message: async (words, attached) => ({
      role: 'user',
      content: [
        ...(await messageContent(words, session.id, shared)),
        ...(attached === undefined ? [] : [await attach({ ...attached, text: secrets.redact(attached.text) })]),
      ],
    }),
    async *send(message, signal, more) {
      const outcome = yield* hosted.events(signal, (agent, stop) => agent.send(session, message, stop, more));
      if (outcome.type === 'answered') naming.begin();
      return outcome;
    },
    resume: (signal) => hosted.events(signal, (agent, stop) => agent.resume(session, stop)),
    compact: (signal, focus) => hosted.events(signal, (agent, stop) => agent.compact(session, stop, focus)),
    tidy: (signal) => hosted.events(signal, (agent, stop) => agent.tidy(session, stop)),
    post: (item) => {
      const whole = secrets.redactAll({ ...item, sessionId: session.id });
      return slot.peek()?.agent.post(whole) ?? shared.store.post(whole);
    },
    rewind: (target, signal) => hosted.events(signal, (agent, stop) => agent.rewind(session, target, stop)),
    branch: (more) => hosted.ask((agent) => agent.branch(session, more)),
    end: (reason, signal = NEVER) => hosted.finish(signal, (agent, stop) => agent.end(session, reason, stop)),
    setModel: async (selection) => {
      const next = await nextRoute(selection, options, session, { shared, current: hosted.route });
      await slot.peek()?.setRoute(next);
      hosted.route = next;
      return next.runtime;
    },
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      await naming[Symbol.asyncDispose]();
      await hosted[Symbol.asyncDispose]();
      const words = await leftBehind(session, shared);
      if (words !== undefined) board.tell({ sessionId: session.id, text: secrets.redact(words) });
    },
  };
  return handle;
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

/** How long closing waits for a title that is on its way. */
const MAX_NAMING_MS = 5_000;

/** A title by a cheap model, once the first answer stands. Nobody waits for it but whoever closes the session. */
function nameSession(session: Session, shared: SharedParts, route: () => Route): AsyncDisposable & { begin(): void } {
  const stop = new AbortController();
  let naming: Promise<unknown> | undefined;
  return {
    begin: () => {
      const complete = naming === undefined ? titleModel(shared, route()) : undefined;
      if (complete === undefined) return;
      const deps = { store: shared.store, complete, clock: systemClock };
      naming = import('../../agent/title.ts').then(({ giveTitle }) => giveTitle(deps, session, stop.signal)).catch(() => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      if (naming !== undefined) await Promise.race([naming, systemClock.sleep(MAX_NAMING_MS, stop.signal)]);
      stop.abort();
    },
  };
}

/** A session that goes on: first it is told which of its processes ended while nobody was there. */
async function takeUp({ id }: Session, shared: SharedParts): Promise<PromptEpoch | undefined> {
  const { survivorsOf, tellOfEnds } = await import('../tools/processes.ts');
  await tellOfEnds(id, survivorsOf(shared), (item) => shared.store.post(item));
  return currentEpoch(await shared.store.entries(id));
}

/** What goes on when a session is closed. Only a home that ever had such a process is asked. */
async function leftBehind({ id }: Session, shared: SharedParts): Promise<string | undefined> {
  if (!existsSync(shared.home.processes)) return undefined;
  const [{ leftRunning }, { survivorsOf }] = await Promise.all([
    import('../../parts/tools/builtin/terminal/survivors.ts'),
    import('../tools/processes.ts'),
  ]);
  return leftRunning(id, survivorsOf(shared)).catch(() => undefined);
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

/** The first words of the first message, until somebody gives a better title. */
const MAX_TITLE = 48;
const shortTitle = (words: string): string => words.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE).trim().toWellFormed();

/** The options with every default filled in; a stored session is held where it was. */
function planOf(options: SessionOptions, session: Session, cwd: string, notice: (words: string) => void): Omit<SessionPlan, 'epoch'> {
  const { toolsets, maxSteps, allowAll, systemMessage, readSecret } = options;
  return {
    platform: options.platform ?? session.platform,
    cwd,
    terminalTask: options.terminalTask ?? session.id,
    contextFiles: options.contextFiles !== false,
    ports: options.ports ?? {},
    notice,
    ...(toolsets !== undefined && { toolsets }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(allowAll !== undefined && { allowAll }),
    ...(readSecret !== undefined && { readSecret }),
    ...(systemMessage !== undefined && { systemMessage }),
  };
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { currentEpoch } from '../../agent/request.ts';
import { hostSession } from '../../agent/hosted-session.ts';
import type { BoundedPool } from '../../base/bounded-pool.ts';
import type { NoticeBoard } from '../../base/notice-board.ts';
import type { ModelSelection, Notice, OpenSession, SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import type { Mcp } from '../../parts/mcp/open.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { openAgent } from './agent.ts';
import type { Route, SharedParts } from '../tools/home-parts.ts';
import { messageContent } from '../../parts/skills/message-content.ts';
import { NO_SERVERS } from './mcp.ts';
import { redactingAgent } from './redaction.ts';
import { titleModel } from './side-models.ts';

/** What a session needs of the host it is opened by. */
export interface HostServices {
  readonly shared: SharedParts;
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
  const { shared, secrets, pool, board, sessions } = host;
  const resumed = options.session;
  const epoch = resumed === undefined ? undefined : await takeUp(resumed, shared);
  let route = await routeOf(options, epoch, shared);
  const cwd = resolve(options.cwd ?? resumed?.cwd ?? shared.config.settings['terminal.cwd']);
  const mcp = options.mcp === false ? NO_SERVERS : await host.mcp(cwd);
  const session = resumed ?? (await beginSession(options, route, cwd, host));
  let [first, known] = [true, epoch];
  const slot = pool.slot(async () => {
    // Opened again after it had to make room: it may have another prompt by now.
    if (!first) known = currentEpoch(await shared.store.entries(session.id));
    first = false;
    return openAgent(shared, { ...plan, epoch: known }, { route, mcp });
  });
  const { redact, redactAll } = secrets;
  const hosted = hostSession({
    sessionId: session.id,
    slot,
    guard: (agent) => redactingAgent(agent, secrets),
    tell: ({ text, ...notice }) => board.tell({ ...notice, text: redact(text) }),
  });
  const plan = planOf(options, session, cwd, hosted.notice);
  // Its trouble is told here, not with the first message.
  await slot.acquire();
  slot.release();

  const naming = nameSession(session, shared, () => route);
  /** A model of the caller's own goes by another name; everything else is chosen anew. */
  async function nextRoute(selection: ModelSelection): Promise<Route> {
    const { model, ...elsewhere } = selection;
    if (options.provider !== undefined && model !== undefined && Object.keys(elsewhere).length === 0)
      return { ...route, runtime: { ...route.runtime, model } };
    return selectRoute(selection, currentEpoch(await shared.store.entries(session.id)), shared);
  }
  const handle: OpenSession = {
    session,
    resumed: resumed !== undefined,
    get runtime() {
      return route.runtime;
    },
    message: async (words) => ({ role: 'user', content: await messageContent(words, session.id, shared) }),
    async *send(message, signal, more) {
      const outcome = yield* hosted.events(signal, (agent, stop) => agent.send(session, message, stop, more));
      if (outcome.type === 'answered') naming.begin();
      return outcome;
    },
    resume: (signal) => hosted.events(signal, (agent, stop) => agent.resume(session, stop)),
    compact: (signal, focus) => hosted.events(signal, (agent, stop) => agent.compact(session, stop, focus)),
    tidy: (signal) => hosted.events(signal, (agent, stop) => agent.tidy(session, stop)),
    post: (item) => {
      const whole = redactAll({ ...item, sessionId: session.id });
      return slot.peek()?.agent.post(whole) ?? shared.store.post(whole);
    },
    rewind: (target, signal) => hosted.events(signal, (agent, stop) => agent.rewind(session, target, stop)),
    branch: (more) => hosted.ask((agent) => agent.branch(session, more)),
    end: (reason) => hosted.ask((agent) => agent.end(session, reason)),
    setModel: async (selection) => {
      const next = await nextRoute(selection);
      await slot.peek()?.setRoute(next);
      route = next;
      return next.runtime;
    },
    [Symbol.asyncDispose]: async () => {
      sessions.delete(handle);
      await naming[Symbol.asyncDispose]();
      await hosted[Symbol.asyncDispose]();
      const words = await leftBehind(session, shared);
      if (words !== undefined) board.tell({ sessionId: session.id, text: redact(words) });
    },
  };
  sessions.add(handle);
  return handle;
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
  const { config, env, store, transport, notice } = shared;
  const runtime = await routeFor({ selection, config, env, kept, store, notice });
  return { runtime, connection: shared.guard(connect({ config, env, store, transport, runtime })) };
}

function beginSession(options: SessionOptions, { runtime }: Route, cwd: string, { shared, secrets }: HostServices): Promise<Session> {
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

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { currentEpoch } from '../../agent/request.ts';
import { hostSession } from '../../agent/hosted-session.ts';
import { shortTitle } from '../../agent/naming.ts';
import { UsageError } from '../../base/errors.ts';
import type { ModelSelection, OpenSession, SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { Session } from '../../contracts/session-store.ts';
import { sharesFiles } from '../../contracts/terminal.ts';
import { connect, routeFor } from '../../parts/providers/connect.ts';
import type { KeptShell } from '../../parts/terminals/kept-shell.ts';
import type { SessionPlan } from '../tools/home-parts.ts';
import { openAgent, type SessionAgent } from './agent.ts';
import { handleOf, type AttachedSession, type HostServices, type SessionStart } from './handle.ts';
import type { Route, SharedParts } from '../tools/home-parts.ts';
import { NO_SERVERS } from './mcp.ts';
import { redactingAgent } from './redaction.ts';

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
    const onFull = () =>
      host.board.tell({ text: `Session ${session.id} waits to be opened: all that may be open at once are busy.`, sessionId: session.id });
    if ((await hosted.slot.acquire({ signal: host.closed, onFull })) === undefined) throw hostClosed();
    hosted.slot.release();
    if (host.closed.aborted) throw hostClosed();
  } catch (error) {
    await hosted[Symbol.asyncDispose]();
    if (!resumed) await shared.store.remove(session.id);
    throw error;
  }
  const handle = handleOf(host, start, hosted);
  host.sessions.add(handle);
  return handle;
}

const hostClosed = () => new Error('the host is closed, and opens no session any more; open another host to go on.');

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
  if (elsewhere || (session !== undefined && named === undefined) || statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true)
    return;
  throw new UsageError(
    `the session was to work in ${cwd}, and there is no such folder. Make it, or name another (cwd, or the setting terminal.cwd).`,
  );
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
  const attached: AttachedSession = {
    ...hosted,
    slot,
    route: start.route,
    setModel: async (selection) => {
      attached.route = await nextRoute(selection, options, session, { shared, current: attached.route });
      return attached.route.runtime;
    },
  };
  return attached;
}

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
function planOf(
  options: SessionOptions,
  session: Session,
  cwd: string,
  notice: (words: string) => void,
): Omit<SessionPlan, 'epoch' | 'shell'> {
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

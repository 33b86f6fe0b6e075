import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { createHostedSession } from '../../agent/hosted-session.ts';
import { findCurrentEpoch } from '../../agent/request.ts';
import type { ModelSelection, SessionHandle, SessionOptions } from '../../contracts/host.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Session } from '../../contracts/session-store.ts';
import { replaceValues } from '../../parts/config/read-value.ts';
import { connect, resolveRoute } from '../../parts/providers/connect.ts';
import type { KeptShell } from '../../parts/terminals/shell/kept-shell.ts';
import type { ModelRoute, SharedParts } from '../tools/home-parts.ts';
import { type SessionAgent, openAgent } from './agent.ts';
import { withRedaction } from './redaction.ts';
import { openSessionServers, withCallerTools, withCallerToolset, withOwnServers } from './mcp.ts';
import { createSessionHandle } from './session-handle.ts';
import {
  type AttachedSession,
  type HostServices,
  type SessionStart,
  beginSession,
  refuseMissingFolder,
  restoreWorkspace,
  createSessionPlan,
  prepareResume,
} from './session-start.ts';

/** Opens a session: its route and its agent at once, so that trouble with either is told here; its terminal with the first command. */
export async function openSession(host: HostServices, options: SessionOptions): Promise<SessionHandle> {
  if (host.closed.aborted) throw hostClosed();
  using _opening = noteOpening(host);
  const start = await startSession(host, options);
  const hosted = attachAgent(host, options, start);
  await openFirst(host, start, hosted);
  const handle = createSessionHandle(host, start, hosted);
  host.sessions.add(handle);
  return handle;
}

/** Whoever closes the host waits until this is disposed of. */
function noteOpening({ opening }: HostServices): Disposable {
  const over = Promise.withResolvers<void>();
  opening.add(over.promise);
  return { [Symbol.dispose]: () => (opening.delete(over.promise), over.resolve()) };
}

/** Opens the agent; a session that was made for one that cannot be opened goes again. */
async function openFirst(
  host: HostServices,
  { session, resumed, shared, ownServers }: SessionStart,
  hosted: AttachedSession,
): Promise<void> {
  const text = `Session ${session.id} is waiting: the maximum number of sessions is open and busy.`;
  const onFull = () => host.board.tell({ text, sessionId: session.id });
  try {
    if ((await hosted.slot.acquire({ signal: host.closed, onFull })) === undefined) throw hostClosed();
    hosted.slot.release();
    if (host.closed.aborted) throw hostClosed();
  } catch (error) {
    await hosted[Symbol.asyncDispose]();
    await ownServers?.[Symbol.asyncDispose]();
    if (!resumed) await shared.store.remove(session.id);
    throw error;
  }
}

const hostClosed = () => new Error('the host is closed and cannot open sessions. Open another host.');

/** A stored session is taken up; a new one is stored last, when nothing it needs is missing any more. */
async function startSession(host: HostServices, options: SessionOptions): Promise<SessionStart> {
  const shared = withTerminalSettings(await host.shared(), options);
  const resumed = options.session;
  const epoch = resumed === undefined ? undefined : await prepareResume(resumed, shared);
  const route = await routeOf(options, epoch, shared);
  const cwd = resolve(options.cwd ?? resumed?.cwd ?? shared.config.settings['terminal.cwd']);
  restoreWorkspace(cwd, options, shared);
  refuseMissingFolder(cwd, options, shared);
  const mcp = await openSessionServers(host, options, cwd);
  try {
    const session = resumed ?? (await beginSession(options, route, cwd, { shared, secrets: host.secrets }));
    for (const text of mcp.own?.notices ?? []) host.board.tell({ text: host.secrets.redact(text), sessionId: session.id });
    return {
      session,
      resumed: resumed !== undefined,
      epoch,
      route,
      cwd,
      mcp: withCallerTools(mcp.all, options, shared.registered.tools),
      ...(mcp.own && { ownServers: mcp.own }),
      hasAllowance: options.allowance !== undefined,
      shared,
    };
  } catch (error) {
    await mcp.own?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** A session may have commands run elsewhere than others of its host. */
function withTerminalSettings(shared: SharedParts, { terminal }: SessionOptions): SharedParts {
  if (terminal === undefined) return shared;
  const foreign = Object.keys(terminal).find((key) => !key.startsWith('terminal.'));
  if (foreign !== undefined) throw new UsageError(`a session can have settings terminal.* of its own, but not ${foreign}.`);
  const settings = replaceValues(shared.config.settings, terminal, shared.registered.settings);
  return { ...shared, config: { ...shared.config, settings } };
}

function attachAgent({ secrets, pool, board }: HostServices, options: SessionOptions, start: SessionStart): AttachedSession {
  const { session, mcp, shared } = start;
  const shell: KeptShell = {};
  let [first, epoch] = [true, start.epoch];
  const slot = pool.slot(async () => {
    // Opened again after it had to make room: it may have another prompt by now.
    if (!first) epoch = findCurrentEpoch(await shared.store.entries(session.id));
    first = false;
    const plan = createSessionPlan(withCallerToolset(withOwnServers(options, epoch, start), epoch), session, start.cwd, hosted.notice);
    const now = {
      ...plan,
      epoch,
      shell,
      get allowAll() {
        return attached.allowAll;
      },
    };
    return openAgent(shared, now, { route: attached.route, mcp });
  });
  const hosted = createHostedSession<SessionAgent>({
    sessionId: session.id,
    slot,
    agentOf: async (opened) => {
      // Whenever the model was chosen, also while the agent was being opened: this is where the next turn begins.
      await opened.setRoute(attached.route);
      return withRedaction(opened.agent, secrets);
    },
    tell: ({ text, ...notice }) => board.tell({ ...notice, text: secrets.redact(text) }),
  });
  const attached: AttachedSession = {
    ...hosted,
    slot,
    route: start.route,
    allowAll: options.allowAll,
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
  { shared, current }: { readonly shared: SharedParts; readonly current: ModelRoute },
): Promise<ModelRoute> {
  const { model, ...elsewhere } = selection;
  if (provider !== undefined && model !== undefined && Object.keys(elsewhere).length === 0)
    return { ...current, runtime: { ...current.runtime, model } };
  return selectRoute(selection, findCurrentEpoch(await shared.store.entries(id)), shared);
}

/** The caller's own model, or the one that selection, session and settings lead to. */
async function routeOf({ provider, model = {} }: SessionOptions, epoch: PromptEpoch | undefined, shared: SharedParts): Promise<ModelRoute> {
  if (provider === undefined) return selectRoute(model, epoch, shared);
  const { runtime, ...connection } = provider;
  return { runtime, connection: shared.guard(connection) };
}

async function selectRoute(selection: ModelSelection, kept: PromptEpoch | undefined, shared: SharedParts): Promise<ModelRoute> {
  const { config, env, store, transport, notice, registered } = shared;
  const { providers } = registered;
  const runtime = await resolveRoute({ selection, config, env, kept, store, notice, providers });
  return { runtime, connection: shared.guard(connect({ config, env, store, transport, runtime, providers })) };
}

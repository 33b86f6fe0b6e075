import {
  RequestError,
  type AgentContext,
  type ClientCapabilities,
  type ListSessionsRequest,
  type ListSessionsResponse,
} from '@agentclientprotocol/sdk';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isUsageError, toErrorMessage } from '../../../base/errors.ts';
import { forwardLines } from '../../../base/notice-board.ts';
import type { Host, SessionOptions } from '../../../contracts/host.ts';
import { isStoreError, type Session } from '../../../contracts/session-store.ts';
import { openAcpSession, type AcpSession, type AcpSessionDeps } from './session.ts';

export interface ClientSessionsDeps extends Pick<AcpSessionDeps, 'listModels' | 'allowAll' | 'notice'> {
  openHost(): Promise<Host>;
}
/** The sessions one client has open, and the host they are opened on. */
export interface ClientSessions extends AsyncDisposable {
  /** Refused (`auth_required`) while no model can be reached. */
  open(options: OpenOptions): Promise<AcpSession>;
  /** Refused when the client has not opened it. */
  get(id: string): AcpSession;
  /** A stored session, opened or not. */
  stored(id: string): Promise<Session>;
  list(request: ListSessionsRequest): Promise<ListSessionsResponse>;
  /** Closes a session; `end` also ends it. */
  close(id: string, how: 'close' | 'end'): Promise<void>;
  remove(id: string): Promise<void>;
  /** Throws, in words for a person, when no model can be reached. */
  checkModel(): Promise<void>;
}
export interface OpenOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly session: SessionOptions;
}

const PLATFORM = 'acp';
const PAGE = 50;

export function createClientSessions(deps: ClientSessionsDeps): ClientSessions {
  const open = new Map<string, AcpSession>();
  const hosts = createHostHolder(deps, (text, sessionId) => (open.get(sessionId ?? '')?.notice ?? deps.notice)(text));

  /** A profile without a usable model is read again with the next try: its owner may have set one up meanwhile. */
  async function onHost<Result>(work: (host: Host) => Promise<Result>): Promise<Result> {
    const host = await hosts.host();
    try {
      return await work(host);
    } catch (error) {
      if (!isUsageError(error)) throw error;
      if (open.size === 0) await hosts.close();
      throw RequestError.authRequired(undefined, toErrorMessage(error));
    }
  }
  async function close(id: string, how: 'close' | 'end'): Promise<void> {
    const session = open.get(id);
    open.delete(id);
    try {
      if (how === 'end') await session?.end();
    } finally {
      await session?.[Symbol.asyncDispose]();
    }
  }
  async function stored(id: string): Promise<Session> {
    const found = (await (await hosts.host()).store.find(id)).find((each) => each.id === id);
    if (found === undefined) throw RequestError.sessionNotFound(id);
    return found;
  }
  return {
    open: async ({ client, capabilities, session: options }) => {
      refuseFolder(options.cwd ?? '');
      // One that this client has open already keeps what was chosen for it.
      const chosen = open.get(options.session?.id ?? '')?.chosen();
      if (options.session !== undefined) await close(options.session.id, 'close');
      const session = await onHost((host) => openAcpSession({ ...deps, host, client, capabilities }, options, chosen));
      open.set(session.id, session);
      return session;
    },
    get: (id) => {
      const session = open.get(id);
      if (session === undefined) throw RequestError.sessionNotFound(id);
      return session;
    },
    stored,
    list: async (request) => listSessions((await hosts.host()).store, request),
    close: async (id, how) => {
      if (!open.has(id)) throw RequestError.sessionNotFound(id);
      await close(id, how);
    },
    remove: async (id) => {
      await stored(id);
      await close(id, 'close');
      await explainBusy(async () => (await hosts.host()).store.remove(id));
    },
    checkModel: () =>
      onHost(async (host) => {
        const session = await host.openSession({ platform: PLATFORM, mcp: false });
        await session[Symbol.asyncDispose]();
        await host.store.remove(session.session.id);
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([...open.keys()].map((id) => close(id, 'close')));
      await hosts.close();
    },
  };
}

/** The host, opened with the first session: a client that only asks what we can do waits for nothing. */
function createHostHolder({ openHost }: Pick<ClientSessionsDeps, 'openHost'>, tell: (text: string, sessionId: string | undefined) => void) {
  let opened: Promise<{ readonly host: Host; readonly notices: AsyncDisposable }> | undefined;
  const open = async () => {
    const host = await openHost();
    return { host, notices: forwardLines(host.notices, ({ text, sessionId }) => tell(text, sessionId)) };
  };
  return {
    host: async (): Promise<Host> => {
      opened ??= open();
      try {
        return (await opened).host;
      } catch (error) {
        opened = undefined;
        throw isUsageError(error) ? RequestError.authRequired(undefined, error.message) : error;
      }
    },
    close: async (): Promise<void> => {
      const closing = opened;
      opened = undefined;
      const { host, notices } = (await closing?.catch(() => undefined)) ?? {};
      await host?.[Symbol.asyncDispose]();
      await notices?.[Symbol.asyncDispose]();
    },
  };
}

function refuseFolder(cwd: string): void {
  if (isAbsolute(cwd) && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw RequestError.invalidParams(
    { cwd },
    `the working directory ${JSON.stringify(cwd)} is not the absolute path of a folder that exists.`,
  );
}

async function listSessions(store: Host['store'], { cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
  const start = cursor === undefined || cursor === null ? 0 : Number(cursor);
  if (!Number.isInteger(start) || start < 0) throw RequestError.invalidParams({ cursor }, 'the cursor is not one of a previous answer.');
  const found = await store.list({ platform: PLATFORM, limit: start + PAGE + 1, ...(typeof cwd === 'string' && { cwd }) });
  const sessions = found.slice(start, start + PAGE).map(({ id: sessionId, cwd: folder, title, updatedAt }) => ({
    sessionId,
    cwd: folder,
    ...(title !== undefined && { title }),
    updatedAt: new Date(updatedAt).toISOString(),
  }));
  return { sessions, ...(found.length > start + PAGE && { nextCursor: String(start + PAGE) }) };
}

async function explainBusy(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isStoreError(error, 'busy')) throw RequestError.invalidRequest(undefined, error.message);
    throw error;
  }
}

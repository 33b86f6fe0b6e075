import { agent, RequestError, type AgentApp, type AgentContext, type ClientCapabilities } from '@agentclientprotocol/sdk';
import type { ResumeSessionRequest, SetSessionConfigOptionRequest } from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../../../contracts/host.ts';
import { describeAgent, SETUP_METHOD } from './capabilities.ts';
import { toServerEntries } from './mcp-servers.ts';
import { createClientSessions, type ClientSessions, type ClientSessionsDeps } from './client-sessions.ts';
import type { AcpSession } from './session.ts';
import { openProtocolStream, type ProtocolStreams } from './stream.ts';

export interface AcpServerOptions extends ClientSessionsDeps {
  readonly streams: ProtocolStreams;
  /** Ends the service as a client that hangs up does. */
  readonly signal: AbortSignal;
}

/**
 * Serves one client until it hangs up. Its sessions are closed then: a turn that runs is stopped, and that is stored. What the
 * protocol carries is all that is ever written to the output.
 */
export async function serveAcp({ streams, signal, ...deps }: AcpServerOptions): Promise<void> {
  await using sessions = createClientSessions(deps);
  const connection = buildApp(sessions).connect(openProtocolStream(streams));
  const hangUp = (): void => connection.close();
  signal.addEventListener('abort', hangUp, { once: true });
  if (signal.aborted) hangUp();
  await connection.closed;
}

function buildApp(sessions: ClientSessions): AgentApp {
  let capabilities: ClientCapabilities = {};
  const open = (client: AgentContext, session: SessionOptions): Promise<AcpSession> => sessions.open({ client, capabilities, session });
  const reopen = async (client: AgentContext, { sessionId, cwd, mcpServers = [] }: ResumeSessionRequest): Promise<AcpSession> =>
    open(client, { session: await sessions.stored(sessionId), cwd, mcpServers: toServerEntries(mcpServers) });
  const app = agent({ name: 'hermes' })
    .onRequest('initialize', ({ params }) => {
      capabilities = params.clientCapabilities ?? {};
      return describeAgent(params);
    })
    .onRequest('authenticate', async ({ params: { methodId } }) => {
      if (methodId !== SETUP_METHOD) throw RequestError.invalidParams({ methodId }, `there is no method ${methodId}. Use ${SETUP_METHOD}.`);
      await sessions.checkModel();
    })
    .onRequest('session/new', async ({ params: { cwd, mcpServers }, client }) => {
      const session = await open(client, { cwd, mcpServers: toServerEntries(mcpServers) });
      return { sessionId: session.id, ...(await introduce(session)) };
    })
    .onRequest('session/load', async ({ params, client }) => {
      const session = await reopen(client, params);
      await session.replay();
      return introduce(session);
    })
    .onRequest('session/resume', async ({ params, client }) => introduce(await reopen(client, params)));
  return addSessionMethods(app, sessions);
}

/** What there is to choose, and once the client has heard that, what can be typed: before, it would not know the session. */
async function introduce(session: AcpSession): Promise<Awaited<ReturnType<AcpSession['state']>>> {
  const state = await session.state();
  setImmediate(() => void session.announce().catch(() => {}));
  return state;
}

function addSessionMethods(app: AgentApp, sessions: ClientSessions): AgentApp {
  return app
    .onRequest('session/list', ({ params }) => sessions.list(params))
    .onRequest('session/close', ({ params: { sessionId } }) => sessions.close(sessionId, 'end'))
    .onRequest('session/delete', ({ params: { sessionId } }) => sessions.remove(sessionId))
    .onRequest('session/set_mode', async ({ params: { sessionId, modeId } }) => {
      await sessions.get(sessionId).setOption('mode', modeId);
    })
    .onRequest('session/set_config_option', async ({ params }) => ({
      configOptions: await sessions.get(params.sessionId).setOption(params.configId, String(readValue(params))),
    }))
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, signal }) => ({
      stopReason: await sessions.get(sessionId).prompt(prompt, signal),
    }))
    .onNotification('session/cancel', ({ params: { sessionId } }) => sessions.get(sessionId).cancel());
}

const readValue = (params: SetSessionConfigOptionRequest): unknown => ('value' in params ? params.value : undefined);

import { agent, type AgentApp, type ClientCapabilities, type SetSessionConfigOptionRequest } from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../../../contracts/host.ts';
import { describeAgent, SETUP_METHOD } from './capabilities.ts';
import { toServerEntries } from './mcp-servers.ts';
import { createClientSessions, type ClientSessions, type ClientSessionsDeps } from './client-sessions.ts';
import type { AcpSession } from './session.ts';
import { openProtocolStream, type ProtocolStreams } from './stream.ts';
import { RequestError } from '@agentclientprotocol/sdk';

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
  /** The client knows the session by then. */
  const announce = (session: AcpSession): void => void setImmediate(() => void session.announce().catch(() => {}));
  const app = agent({ name: 'hermes' });
  const open = async (client: Parameters<ClientSessions['open']>[0]['client'], options: SessionOptions): Promise<AcpSession> => {
    const session = await sessions.open({ client, capabilities, session: options });
    announce(session);
    return session;
  };
  app
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
      return { sessionId: session.id, ...(await session.state()) };
    })
    .onRequest('session/load', async ({ params: { sessionId, cwd, mcpServers }, client }) => {
      const session = await open(client, { session: await sessions.stored(sessionId), cwd, mcpServers: toServerEntries(mcpServers) });
      await session.replay();
      return session.state();
    })
    .onRequest('session/resume', async ({ params: { sessionId, cwd, mcpServers = [] }, client }) => {
      const session = await open(client, { session: await sessions.stored(sessionId), cwd, mcpServers: toServerEntries(mcpServers) });
      return session.state();
    });
  return addSessionMethods(app, sessions);
}

function addSessionMethods(app: AgentApp, sessions: ClientSessions): AgentApp {
  return app
    .onRequest('session/list', ({ params }) => sessions.list(params))
    .onRequest('session/close', ({ params: { sessionId } }) => sessions.close(sessionId, 'end'))
    .onRequest('session/delete', ({ params: { sessionId } }) => sessions.remove(sessionId))
    .onRequest('session/set_mode', ({ params: { sessionId, modeId } }) => sessions.get(sessionId).setMode(modeId))
    .onRequest('session/set_config_option', async ({ params }) => ({
      configOptions: await sessions.get(params.sessionId).setConfigOption(params.configId, readValue(params)),
    }))
    .onRequest('session/prompt', async ({ params: { sessionId, prompt }, signal }) => ({
      stopReason: await sessions.get(sessionId).prompt(prompt, signal),
    }))
    .onNotification('session/cancel', ({ params: { sessionId } }) => sessions.get(sessionId).cancel());
}

const readValue = (params: SetSessionConfigOptionRequest): unknown => ('value' in params ? params.value : undefined);

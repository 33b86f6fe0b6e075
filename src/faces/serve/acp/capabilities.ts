import type { AuthMethod, ClientCapabilities, InitializeRequest, InitializeResponse } from '@agentclientprotocol/sdk';
import { version } from '../../../base/version.ts';

/** Version 1 is the stable protocol; a client that asks for a later one is answered with this one and decides. */
const PROTOCOL_VERSION = 1;

/** What the editor is told of us. */
export const describeAgent = ({ clientCapabilities = {} }: InitializeRequest): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'hermes', title: 'Hermes', version },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: false },
    sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
  },
  authMethods: [setupMethod(clientCapabilities)],
});

export const SETUP_METHOD = 'hermes-setup';

/** A client that can open a terminal runs the setup itself; any other tells its person to. */
const setupMethod = ({ auth }: ClientCapabilities): AuthMethod => ({
  id: SETUP_METHOD,
  name: 'Set up Hermes',
  description: 'Choose a provider and a key. In a terminal: hermes setup',
  ...(auth?.terminal === true && { type: 'terminal', args: ['--setup'] }),
});

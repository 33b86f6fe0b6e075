import { client, ndJsonStream, type ClientConnection, type ClientContext, type SessionUpdate } from '@agentclientprotocol/sdk';
import type { ClientApp, ClientCapabilities, InitializeResponse } from '@agentclientprotocol/sdk';
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { AcpStage } from './stage.ts';

/** A client of the official SDK, with the agent it started. */
export interface TestClient extends AsyncDisposable {
  readonly agent: ClientContext;
  readonly initialized: InitializeResponse;
  readonly updates: readonly SessionUpdate[];
  /** What the agent wrote to standard error. */
  said(): string;
  /** Hangs up; gives the exit code. */
  hangUp(): Promise<number | null>;
}
export interface TestClientOptions {
  readonly capabilities?: ClientCapabilities;
  handle?(app: ClientApp): void;
}

export async function startClient(stage: AcpStage, { capabilities = {}, handle }: TestClientOptions = {}): Promise<TestClient> {
  const child = spawn(stage.command, [...stage.args], { cwd: stage.cwd, env: { ...stage.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const updates: SessionUpdate[] = [];
  const app = client({ name: 'test' }).onNotification('session/update', ({ params }) => void updates.push(params.update));
  handle?.(app);
  const connection: ClientConnection = app.connect(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node types its own web streams apart from the global ones
    ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>),
  );
  const hangUp = async (): Promise<number | null> => {
    child.stdin.end();
    return exited;
  };
  const initialized = await connection.agent
    .request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
    .catch((error) => {
      child.kill();
      throw new Error(`the agent did not start: ${err}`, { cause: error });
    });
  return {
    agent: connection.agent,
    initialized,
    updates,
    said: () => err,
    hangUp,
    [Symbol.asyncDispose]: async () => {
      await hangUp();
      connection.close();
    },
  };
}

export const textOf = (updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate'] = 'agent_message_chunk'): string =>
  updates
    .flatMap((update) => (update.sessionUpdate === kind && 'content' in update && isText(update.content) ? [update.content.text] : []))
    .join('');
const isText = (content: unknown): content is { readonly text: string } =>
  typeof content === 'object' && content !== null && 'text' in content;
export const ofKind = <Kind extends SessionUpdate['sessionUpdate']>(updates: readonly SessionUpdate[], kind: Kind) =>
  updates.filter((update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => update.sessionUpdate === kind);

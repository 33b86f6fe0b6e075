import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serveChat } from '../../examples/socket-chat/socket-chat.ts';
import { resolveHome, openHost, type Host } from '../../src/index.ts';
import { startWireServer, type RecordedRequest, type Reply, type WireServer } from '../../src/testing/index.ts';

/** A chat server on a host with a home of its own, and a model behind a real wire. */
export interface ChatStage extends AsyncDisposable {
  readonly host: Host;
  readonly wire: WireServer;
  /** The folder sessions work in. */
  readonly cwd: string;
  connect(): Promise<ChatClient>;
  /** Lets a command that waits for this name go on. */
  release(name: string): void;
}
/** Somebody at the other end of the socket. */
export interface ChatClient extends AsyncDisposable {
  /** Everything that came in, read or not. */
  readonly lines: readonly string[];
  send(line: string): void;
  /** Reads up to the first line that has not been read and matches, and gives it. */
  until(pattern: RegExp): Promise<string>;
}

export async function stageChat(answer: (request: RecordedRequest) => Reply): Promise<ChatStage> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-chat-'));
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const wire = closing.use(await startWireServer({ answer, models: ['first-model', 'second-model'] }));
  const env = { PATH: process.env['PATH'], HOME: folder };
  const host = closing.use(await openHost({ env, home: resolveHome({ HERMES_HOME: join(folder, 'home') }) }));
  const path = join(folder, 'chat.sock');
  closing.use(await serveChat({ host, path, session: { cwd, model: { model: 'first-model', baseUrl: `${wire.url}/v1` } } }));
  const opened = closing.move();
  return {
    host,
    wire,
    cwd,
    connect: () => connect(path),
    release: (name) => writeFileSync(join(cwd, name), ''),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function connect(path: string): Promise<ChatClient> {
  const socket = createConnection(path);
  await once(socket, 'connect');
  const lines: string[] = [];
  const incoming = createInterface({ input: socket })[Symbol.asyncIterator]();
  return {
    lines,
    send: (line) => void socket.write(`${line}\n`),
    until: async (pattern) => {
      for (;;) {
        const { value, done } = await incoming.next();
        if (done === true) throw new Error(`The connection ended before ${pattern}:\n${lines.join('\n')}`);
        lines.push(value);
        if (pattern.test(value)) return value;
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (socket.closed) return;
      socket.end();
      await once(socket.resume(), 'close');
    },
  };
}

/** A command that goes on when the stage releases the name. */
export const waitFor = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;
export const command = (line: string): Reply => ({ calls: [{ name: 'terminal', arguments: { command: line } }] });

/** The messages of a model call, as their roles and words. */
export function messagesIn({ body }: RecordedRequest): { readonly role: string; readonly text: string }[] {
  const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
  return messages.map(({ role, content }) => ({ role, text: typeof content === 'string' ? content : JSON.stringify(content) }));
}
/** The last message, if it is the user's. */
export const askedIn = (request: RecordedRequest): string | undefined => {
  const last = messagesIn(request).at(-1);
  return last?.role === 'user' ? last.text : undefined;
};

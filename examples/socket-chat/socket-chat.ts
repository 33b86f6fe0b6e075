/**
 * A small face: a chat of lines over a unix socket. A project of somebody else's imports the same names from 'hermes-ts'.
 *
 *     node examples/socket-chat/socket-chat.ts ~/.hermes/chat.sock
 *     nc -U ~/.hermes/chat.sock
 *
 * A line is a message to the client's current session; while a turn runs there it joins that turn. A line that begins with
 * `/` is a command of the table below. What comes back is a line for each thing: number of the session, what it is, words.
 */
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { homeAt, openHost, visibleLine, type Host, type SessionOptions } from '../../src/index.ts';
import { openChat, type Chat, type Tell } from './chat.ts';

export interface ChatServerOptions {
  readonly host: Host;
  /** The socket. Whoever can open it speaks as the owner; nobody else may. */
  readonly path: string;
  /** What every session is opened with. */
  readonly session?: SessionOptions;
}

/** The owner sits at this machine, as in a terminal. */
const AT_THIS_MACHINE: SessionOptions = { platform: 'cli', source: 'socket-chat' };

/** What one connection has open. */
interface Client {
  readonly host: Host;
  readonly chats: readonly Chat[];
  current: Chat;
  /** Opens one more and makes it the current one. */
  open(options: SessionOptions): Promise<void>;
}
type Command = (client: Client, words: string) => void | Promise<void>;

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['approve', ({ current }) => current.answer(({ choices }) => choices[0])],
  ['deny', ({ current }, why) => current.answer(({ choices }) => (why === '' ? choices[1] : why))],
  ['answer', ({ current }, words) => current.answer(({ choices }) => choices[Number(words) - 1] ?? words)],
  ['undo', ({ current }) => current.undo()],
  ['stop', ({ current }) => current.stop()],
  ['model', async ({ current }, model) => current.tell('model', (await current.session.setModel({ model })).model)],
  ['branch', branch],
  ['new', ({ open }) => open({})],
  ['sessions', ({ chats }) => chats.forEach(({ tell, session }) => tell('session', `${session.session.id} ${session.runtime.model}`))],
  ['switch', switchTo],
]);

async function branch({ current, open }: Client): Promise<void> {
  const result = await current.session.branch();
  return result.ok ? open({ session: result.session }) : current.tell('error', result.why);
}
/** To a session of this connection by its number, or to a stored one by id or title. */
async function switchTo(client: Client, ref: string): Promise<void> {
  const chat = client.chats[Number(ref) - 1];
  if (chat !== undefined) return void (client.current = chat);
  const [stored, another] = await client.host.store.find(ref);
  if (stored !== undefined && another === undefined) return client.open({ session: stored });
  client.current.tell('error', `${stored === undefined ? 'No session' : 'More than one session'} is called ${ref}.`);
}

async function obey(client: Client, line: string): Promise<void> {
  const [, name, words = ''] = /^\/(\w+)\s*(.*)$/.exec(line) ?? [];
  if (name === undefined) return client.current.say(line);
  const command = COMMANDS.get(name);
  if (command !== undefined) return command(client, words.trim());
  client.current.tell('error', `There is no /${name}, only ${[...COMMANDS.keys()].join(', ')}.`);
}

async function serveClient(socket: Socket, { host, session: defaults }: ChatServerOptions, chats: Chat[]): Promise<void> {
  const reader = createInterface({ input: socket });
  socket.on('error', () => {}).on('close', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  const openNext = async (options: SessionOptions): Promise<Chat> => {
    const number = chats.length + 1;
    const tell: Tell = (what, words) => void socket.write(`${number} ${what} ${visibleLine(words)}\n`);
    const chat = await openChat(host, { ...AT_THIS_MACHINE, ...defaults, ...options }, tell);
    chats.push(chat);
    tell('session', chat.session.session.id);
    return chat;
  };
  try {
    const current = await openNext({});
    const client: Client = { host, chats, current, open: async (options) => void (client.current = await openNext(options)) };
    for await (const line of lines) await obey(client, line).catch((error: unknown) => client.current.tell('error', String(error)));
  } catch (error) {
    socket.write(`0 error ${visibleLine(String(error))}\n`);
  } finally {
    await Promise.all(chats.map(({ close }) => close()));
    socket.end();
  }
}

/** Serves until it is disposed of; then every turn is stopped and every session closed. The host stays open. */
export async function serveChat(options: ChatServerOptions): Promise<AsyncDisposable> {
  const clients = new Map<Socket, { readonly chats: readonly Chat[]; readonly over: Promise<void> }>();
  // A client that hangs up hears of the end when its sessions are closed.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const chats: Chat[] = [];
    clients.set(socket, { chats, over: serveClient(socket, options, chats).finally(() => clients.delete(socket)) });
  });
  const closing = new AbortController();
  const noticing = (async () => {
    for await (const { text: words, sessionId } of options.host.notices(closing.signal))
      for (const { session, tell } of [...clients.values()].flatMap(({ chats }) => chats))
        if (sessionId === undefined || session.session.id === sessionId) tell('notice', words);
  })();
  await once(server.listen(options.path), 'listening');
  chmodSync(options.path, 0o600);
  return {
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      const closed = once(server.close(), 'close');
      for (const socket of clients.keys()) socket.destroy();
      await Promise.all([closed, noticing, ...[...clients.values()].map(({ over }) => over)]);
    },
  };
}

if (import.meta.main) {
  const [, , path = 'chat.sock'] = process.argv;
  await using host = await openHost({ env: process.env, home: homeAt(process.env) });
  await using _server = await serveChat({ host, path, session: { cwd: process.cwd() } });
  await once(process, 'SIGINT');
}

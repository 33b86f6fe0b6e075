/**
 * A small face: a chat of lines over a unix socket. A project of somebody else's imports the same names from 'hermes-ts'.
 *
 *     npx node examples/socket-chat/socket-chat.ts ~/.hermes/chat.sock
 *     nc -U ~/.hermes/chat.sock
 *
 * A line is a message to the client's current session; while a turn runs there it joins that turn. A line that begins with
 * `/` is a command: those of OWN below, and all that `/help` lists. What comes back is a line for each thing: number of the
 * session, what it is, words.
 */
import { EventEmitter, once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createTurnRunner, resolveHome, openHost, toVisibleLine, joinTextBlocks, type Host, type SessionOptions } from '../../src/index.ts';
import type { AgentEvent, CommandFollowUp, Outcome, UserQuestion } from '../../src/index.ts';

export interface ChatServerOptions {
  readonly host: Host;
  /** The socket. Whoever can open it speaks as the owner; nobody else may. */
  readonly path: string;
  /** What every session is opened with. */
  readonly session?: SessionOptions;
}
/** Tells the client one thing about one session. */
type Tell = (what: string, words: string) => void;

/** Text is told when it is whole: what streams in may still be void (`recovering`), and a line that went out cannot be. */
function tellEvent(event: AgentEvent, tell: Tell): void {
  if (event.type === 'sampled' && joinTextBlocks(event.message) !== '') tell('text', joinTextBlocks(event.message));
  if (event.type === 'tool_started') tell('started', `${event.call.name} ${JSON.stringify(event.call.input)}`);
  if (event.type === 'tool_finished')
    tell(event.result.failed ? 'failed' : 'finished', `${event.result.name} ${joinTextBlocks(event.result)}`);
  if (event.type === 'inbox') tell('posted', event.fate);
  if (event.type === 'notice') tell('notice', event.text);
  if (event.type === 'settled') tell('outcome', `${event.outcome.exitReason}${ourWords(event.outcome)}`);
}
/** What the model said has been told already. */
const ourWords = (outcome: Outcome): string =>
  outcome.type === 'answered' || (outcome.type !== 'failed' && outcome.words === 'model') ? '' : `: ${outcome.text}`;

/** What is asked in one session: the first question is answered first, and a turn that is stopped takes its question along. */
function openQuestions(tell: Tell) {
  const open: { readonly question: UserQuestion; readonly answers: EventEmitter }[] = [];
  return {
    clarify: async (question: UserQuestion, signal: AbortSignal): Promise<string> => {
      const asked = { question, answers: new EventEmitter() };
      open.push(asked);
      tell('question', question.question);
      if (question.act !== undefined) tell('act', question.act);
      for (const note of question.notes ?? []) tell('note', note);
      for (const [index, choice] of question.choices.entries()) tell('choice', `${index + 1} ${choice}`);
      return once(asked.answers, 'answer', { signal })
        .then(([words]) => String(words))
        .finally(() => open.splice(open.indexOf(asked), 1));
    },
    answer: (choose: (choices: readonly string[]) => string | undefined): void => {
      const [asked] = open;
      const words = asked && choose(asked.question.choices);
      if (words === undefined) tell('error', asked ? 'There is no such choice.' : 'Nothing is asked now.');
      else asked?.answers.emit('answer', words);
    },
  };
}

/** One session in use by one client. */
type Chat = Awaited<ReturnType<typeof openChat>>;
async function openChat(host: Host, options: SessionOptions, tell: Tell) {
  const { clarify, answer } = openQuestions(tell);
  const session = await host.openSession({ ...options, ports: { clarify } });
  const turns = createTurnRunner(session, {
    event: (event) => tellEvent(event, tell),
    error: (error) => tell('error', String(error)),
  });
  /** Runs a command; gives what is left for the client to do. A line that is none is a message. */
  const type = async (line: string): Promise<CommandFollowUp | undefined> => {
    const outcome = await host.commands.run(line, { place: 'terminal', session, busy: turns.busy });
    if (outcome.type === 'done') for (const words of outcome.text.split('\n')) if (words !== '') tell('done', words);
    if (outcome.type === 'unknown' || outcome.type === 'refused') tell('error', outcome.words);
    if (outcome.type === 'queue')
      void turns
        .idle()
        .then(() => type(line))
        .catch((error: unknown) => tell('error', String(error)));
    if (outcome.type === 'text') await say(line);
    const step = outcome.type === 'done' ? outcome.followUp : undefined;
    if (step?.type === 'send') await turns.send(step.message);
    if (step?.type === 'resume') turns.resume();
    if (step?.type === 'stop') turns.stop();
    return step;
  };
  const say = async (words: string): Promise<void> => {
    if ((await turns.send(await session.message(words))) !== undefined) tell('posted', 'waiting');
  };
  const closing = new AbortController();
  const noticing = (async () => {
    for await (const { text, sessionId = session.session.id } of host.notices(closing.signal))
      if (sessionId === session.session.id) tell('notice', text);
  })();
  const close = async (): Promise<void> => {
    await turns[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    closing.abort();
    await noticing;
  };
  tell('session', session.session.id);
  return { tell, answer, type, close };
}

/** What one connection has open. */
interface Client {
  readonly chats: readonly Chat[];
  current: Chat;
  /** Opens one more and makes it the current one. */
  open(options: SessionOptions): Promise<void>;
}
/** What only this face knows: its questions and the sessions of a connection. */
const OWN: Readonly<Record<string, (client: Client, words: string) => void | Promise<void>>> = {
  approve: ({ current }) => current.answer(([yes]) => yes),
  deny: ({ current }, why) => current.answer(([, no]) => (why === '' ? no : why)),
  answer: ({ current }, words) => current.answer((choices) => choices[Number(words) - 1] ?? words),
  open: ({ open }) => open({}),
  go: (client, number) => void (client.current = client.chats[Number(number) - 1] ?? client.current),
};

async function obey(client: Client, line: string): Promise<void> {
  const [, name = '', words = ''] = /^\/(\w+)\s*(.*)$/.exec(line) ?? [];
  const own = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  if (own !== undefined) return own(client, words.trim());
  const step = await client.current.type(line);
  if (step?.type === 'open') await client.open({ session: step.session });
  if (step?.type === 'new') await client.open(step.title === undefined ? {} : { title: step.title });
}

async function serveClient(socket: Socket, { host, session: defaults }: ChatServerOptions): Promise<void> {
  const chats: Chat[] = [];
  const reader = createInterface({ input: socket });
  socket.on('error', () => {}).on('close', () => reader.close());
  const lines = reader[Symbol.asyncIterator]();
  const open = async (options: SessionOptions): Promise<Chat> => {
    const number = chats.length + 1;
    const tell: Tell = (what, words) => void socket.write(`${number} ${what} ${toVisibleLine(words)}\n`);
    // The owner sits at this machine, as in a terminal.
    const chat = await openChat(host, { platform: 'cli', source: 'socket-chat', ...defaults, ...options }, tell);
    chats.push(chat);
    return chat;
  };
  try {
    const client: Client = { chats, current: await open({}), open: async (options) => void (client.current = await open(options)) };
    for await (const line of lines) await obey(client, line).catch((error: unknown) => client.current.tell('error', String(error)));
  } catch (error) {
    socket.write(`0 error ${toVisibleLine(String(error))}\n`);
  } finally {
    await Promise.all(chats.map(({ close }) => close()));
    socket.end();
  }
}

/** Serves until it is disposed of; then every turn is stopped and every session closed. The host stays open. */
export async function serveChat(options: ChatServerOptions): Promise<AsyncDisposable> {
  const clients = new Map<Socket, Promise<void>>();
  // A client that hangs up hears of the end when its sessions are closed.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    clients.set(
      socket,
      serveClient(socket, options).finally(() => clients.delete(socket)),
    );
  });
  await once(server.listen(options.path), 'listening');
  chmodSync(options.path, 0o600);
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of clients.keys()) socket.destroy();
      await Promise.all([closed, ...clients.values()]);
    },
  };
}

if (import.meta.main) {
  const [, , path = 'chat.sock'] = process.argv;
  await using host = await openHost({ env: process.env, home: resolveHome(process.env) });
  await using _server = await serveChat({ host, path, session: { cwd: process.cwd() } });
  await once(process, 'SIGINT');
}

import { readNumberAt, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type { AdapterOptions, Chat, ConnectOptions, ConnectResult, PlatformAdapter } from '../../contracts/platform-adapter.ts';
import { ChannelBook, isForum, takesThreads } from './channels.ts';
import { menuOf, publishMenu } from './commands.ts';
import { DiscordConnection, type DiscordConnectionDeps } from './connection.ts';
import { downloadMedia } from './download.ts';
import { EPHEMERAL } from './outbound.ts';
import { DiscordRest } from './rest.ts';
import { readResumePoint, readSession, type ResumePoint } from './resume-point.ts';
import { DiscordSender } from './sender.ts';
import { readSettings, type DiscordSettings } from './settings.ts';

const INTERACTION_TYPES = { command: 2, component: 3 } as const;
const CALLBACKS = { deferredMessage: 5, deferredUpdate: 6 } as const;

/** What outlives a connection. */
interface DiscordState {
  readonly settings: DiscordSettings;
  readonly rest: DiscordRest;
  readonly channels: ChannelBook;
  readonly sender: DiscordSender;
  readonly closing: AbortSignal;
  readonly log: (words: string) => void;
  /** People whose private chats could not be opened: they are not asked for again. */
  readonly unreachable: Set<string>;
  connection?: DiscordConnection;
}

export function openDiscordAdapter({ settings: given, log }: AdapterOptions): PlatformAdapter {
  const settings = readSettings(given);
  const life = new AbortController();
  const closing = life.signal;
  const rest = new DiscordRest(settings);
  const channels = new ChannelBook(rest);
  const sender = new DiscordSender({ rest, channels, settings, closing });
  const state: DiscordState = { settings, rest, channels, sender, closing, log, unreachable: new Set() };
  return {
    connect: (options) => connect(state, options),
    send: (message, signal) => sender.send(message, signal),
    edit: (message, signal) => sender.edit(message, signal),
    findSent: (message, _since, signal) => sender.findSent(message, signal),
    remove: (at, signal) => sender.remove(at, signal),
    showTyping: (place, signal) => sender.showTyping(place, signal),
    react: (at, reaction, signal) => sender.react(at, reaction, signal),
    answerPress: (handle, words, signal) => sender.answerPress(handle, words, signal),
    download: (media, to, signal) => downloadMedia(rest, media, to, signal),
    listChats: (signal) => listChats(rest, signal),
    publishCommands: async (commands, signal) => {
      if (!settings.publishesCommands) return;
      const trouble = await publishMenu(rest, menuOf(commands), signal);
      if (trouble !== undefined) log(`Discord did not take the menu of commands: ${trouble}`);
    },
    [Symbol.asyncDispose]: async () => {
      life.abort();
      await state.connection?.[Symbol.asyncDispose]();
      rest[Symbol.dispose]();
    },
  };
}

async function connect(state: DiscordState, { resume, cursors, people = [], signal }: ConnectOptions): Promise<ConnectResult> {
  const known = { cursors, people };
  const from = findResumePoint(resume, cursors, state.connection === undefined);
  const result = await openConnection(state, from, known, signal);
  // A session of a process before us that is over needs no pause: the fresh login follows at once.
  const isOver = from !== undefined && resume === undefined && result.type === 'failed' && result.kind === 'broken' && !result.resume;
  return isOver && !signal.aborted ? openConnection(state, undefined, known, signal) : result;
}

/** A session that is behind goes on only where its channels are known. */
function findResumePoint(resume: Json | undefined, cursors: ConnectOptions['cursors'], isFirst: boolean): ResumePoint | undefined {
  const point = readResumePoint(resume) ?? (isFirst ? readSession(cursors) : undefined);
  return isFirst && point?.isBehind === true ? undefined : point;
}

async function openConnection(
  state: DiscordState,
  from: ResumePoint | undefined,
  known: Pick<DiscordConnectionDeps, 'cursors' | 'people'>,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const { rest, channels, settings, sender, unreachable } = state;
  await state.connection?.[Symbol.asyncDispose]();
  const found = from === undefined ? await findGateway(state, signal) : ({ type: 'found', url: from.url } as const);
  if (found.type === 'failed') return found;
  const connection = new DiscordConnection(found.url, from, {
    rest,
    channels,
    settings,
    ...known,
    unreachable,
    onInteraction: (data) => void acknowledge(state, data),
    onThread: (id, plan) => sender.planThread(id, plan),
  });
  state.connection = connection;
  const end = () => void connection[Symbol.asyncDispose]();
  signal.addEventListener('abort', end, { once: true });
  void connection.ended.then(() => signal.removeEventListener('abort', end));
  if (signal.aborted) end();
  if (await connection.login()) return { type: 'connected', connection };
  await connection[Symbol.asyncDispose]();
  return { type: 'failed', ...(await connection.ended) };
}

async function findGateway(
  { settings, rest }: DiscordState,
  signal: AbortSignal,
): Promise<{ type: 'found'; url: string } | Extract<ConnectResult, { type: 'failed' }>> {
  if (settings.gatewayUrl !== undefined) return { type: 'found', url: settings.gatewayUrl };
  const answer = await rest.call('GET', '/gateway/bot', { signal });
  const url = answer.type === 'ok' ? readStringAt(answer.body, 'url') : undefined;
  if (url !== undefined) return { type: 'found', url };
  if (answer.type === 'limited')
    return { type: 'failed', kind: 'broken', why: 'Discord asked for fewer calls', retryAfterMs: answer.retryAfterMs };
  const why = 'why' in answer ? answer.why : 'Discord did not say where its gateway is';
  return { type: 'failed', kind: answer.type === 'refused' && answer.status === 401 ? 'refused' : 'broken', why };
}

/** Commands and presses must be heard of within three seconds, long before there is an answer. */
async function acknowledge({ rest, closing, log }: DiscordState, data: Json): Promise<void> {
  const [id = '', token = ''] = [readStringAt(data, 'id'), readStringAt(data, 'token')];
  const isCommand = readNumberAt(data, 'type') === INTERACTION_TYPES.command;
  if (!isCommand && readNumberAt(data, 'type') !== INTERACTION_TYPES.component) return;
  // Only who gave the command sees that it is worked on; the answer is a message like any other, which can be sent just once.
  const body = isCommand ? { type: CALLBACKS.deferredMessage, data: { flags: EPHEMERAL } } : { type: CALLBACKS.deferredUpdate };
  const answer = await rest.call('POST', `/interactions/${id}/${token}/callback`, { body, signal: closing });
  if (answer.type !== 'ok' && !closing.aborted) log(`Discord did not take the acknowledgement of a command: ${explain(answer)}`);
}

async function listChats(rest: DiscordRest, signal: AbortSignal): Promise<readonly Chat[]> {
  const guilds = await rest.call('GET', '/users/@me/guilds', { signal });
  const chats: Chat[] = [];
  for (const guild of guilds.type === 'ok' && Array.isArray(guilds.body) ? guilds.body : []) {
    const answer = await rest.call('GET', `/guilds/${readStringAt(guild, 'id')}/channels`, { signal });
    for (const channel of answer.type === 'ok' && Array.isArray(answer.body) ? answer.body : []) chats.push(...listedChat(channel));
  }
  return chats;
}

const explain = (answer: object): string => ('why' in answer ? String(answer.why) : 'too many calls');

function listedChat(channel: Json): Chat[] {
  const [chatId, type] = [readStringAt(channel, 'id'), readNumberAt(channel, 'type') ?? -1];
  const [name, topic] = [readStringAt(channel, 'name'), readStringAt(channel, 'topic')];
  if (chatId === undefined || !(takesThreads({ type }) || isForum({ type }))) return [];
  return [{ chatId, type: 'channel', ...(name !== undefined && { name }), ...(topic !== undefined && { topic }) }];
}

import { isObject, readStringAt } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import type {
  AdapterOptions,
  Chat,
  ConnectionEnd,
  ConnectOptions,
  ConnectResult,
  MenuCommand,
  PlatformAdapter,
} from '../../contracts/platform-adapter.ts';
import { explainFailure, SlackClient, type SlackFailure } from './client.ts';
import { createCommittedKeys, createConnection, createInbox, type CommittedKeys } from './connection.ts';
import { createDirectory, type SlackDirectory } from './directory.ts';
import { downloadFile } from './files.ts';
import { answerPress, editMessage, findMessage, removeMessage, sendMessage, showReaction, showStatus } from './sending.ts';
import { readSettings, type SlackSettings } from './settings.ts';
import { openSocket, type SlackSocket } from './socket.ts';
import { CHANNEL_TYPES, createWorkspaces, pagesOf, type SlackInstall, type SlackWorkspaces } from './workspaces.ts';

/** What outlives a connection. */
interface SlackState {
  readonly settings: SlackSettings;
  readonly client: SlackClient;
  readonly workspaces: SlackWorkspaces;
  readonly directory: SlackDirectory;
  readonly committed: CommittedKeys;
  readonly commands: Set<string>;
  readonly log: (words: string) => void;
  socket?: SlackSocket;
  /** When our last socket ended without a word: Slack may still count it. */
  brokenAt: number;
}

export function openSlackAdapter({ settings: given, log }: AdapterOptions): PlatformAdapter {
  const settings = readSettings(given);
  const life = new AbortController();
  const client = new SlackClient(settings.apiUrl);
  const workspaces = createWorkspaces(client, settings.botTokens);
  const state: SlackState = {
    settings,
    client,
    workspaces,
    directory: createDirectory(client, life.signal),
    committed: createCommittedKeys(),
    commands: new Set(),
    log,
    brokenAt: Number.NEGATIVE_INFINITY,
  };
  const deps = { client, workspaces };
  const until = (signal: AbortSignal) => AbortSignal.any([signal, life.signal]);
  return {
    connect: (options) => connect(state, { ...options, signal: until(options.signal) }),
    send: (message, signal) => sendMessage(message, deps, until(signal)),
    edit: (edit, signal) => editMessage(edit, deps, until(signal)),
    remove: (at, signal) => removeMessage(at, deps, until(signal)),
    findSent: (message, since, signal) => findMessage(message, since, deps, until(signal)),
    showTyping: (place, signal) => showStatus(place, settings.statusText, deps, until(signal)),
    react: (at, reaction, signal) => showReaction(at, reaction, deps, until(signal)),
    answerPress: (handle, words, signal) => answerPress(handle, words, client, until(signal)),
    download: async (media, to, signal) => {
      const token = await findToken(state, readStringAt(media.handle, 'team'), until(signal));
      return downloadFile(media, to, { client, token, signal: until(signal), apiUrl: settings.apiUrl });
    },
    listChats: (signal) => listChats(state, until(signal)),
    // Slack's menu is part of the app's manifest; the names serve for `!name` in threads.
    publishCommands: async (commands: readonly MenuCommand[]) => {
      state.commands.clear();
      for (const { name } of commands) state.commands.add(name);
    },
    [Symbol.asyncDispose]: async () => {
      life.abort();
      await state.socket?.[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}

async function connect(state: SlackState, { cursors, signal }: ConnectOptions): Promise<ConnectResult> {
  const { client, settings, workspaces, committed, log } = state;
  await state.socket?.[Symbol.asyncDispose]();
  const login = await workspaces.login(signal);
  if (login.type !== 'in') return { type: 'failed', ...toEnd(login, 'SLACK_BOT_TOKEN') };
  const openedAt = client.now();
  const answer = await client.call('apps.connections.open', {}, { token: settings.appToken, signal });
  const url = answer.type === 'ok' ? readStringAt(answer.body, 'url') : undefined;
  if (answer.type !== 'ok') return { type: 'failed', ...toEnd(answer, 'SLACK_APP_TOKEN') };
  if (url === undefined) return { type: 'failed', kind: 'broken', why: 'Slack gave no address to connect to.' };
  const inbox = createInbox(committed);
  const opened = await openSocket({ url, pingMs: settings.pingMs, signal, onEnvelope: inbox.put });
  if (opened.type === 'failed') return opened;
  const { socket } = opened;
  state.socket = socket;
  if (socket.count > 1 && performance.now() - state.brokenAt > GHOST_MS) {
    await socket[Symbol.asyncDispose]();
    return { type: 'failed', ...busy(socket.count) };
  }
  void socket.ended.then(({ kind }) => kind === 'broken' && (state.brokenAt = performance.now()));
  const { directory, commands } = state;
  const now = () => client.now();
  return {
    type: 'connected',
    connection: createConnection({
      client,
      socket,
      inbox,
      cursors,
      openedAt,
      committed,
      log,
      settings,
      installs: login.installs,
      directory,
      commands,
      now,
      learn: workspaces.learn,
    }),
  };
}

/** Slack needs about a minute to see that a socket is dead. */
const GHOST_MS = 120_000;

const busy = (count: number): ConnectionEnd => ({
  kind: 'busy',
  why: `Slack counts ${count} connections of this app: another program receives with the same SLACK_APP_TOKEN, and each gets only a part of the messages. Stop it, or use another app.`,
  retryAfterMs: 5_000,
});

const WRONG =
  /^(?:invalid_auth|not_authed|not_allowed_token_type|account_inactive|token_revoked|token_expired|missing_scope|no_permission|access_denied)$/;

function toEnd(failure: SlackFailure, variable: string): ConnectionEnd {
  if (failure.type === 'error' && WRONG.test(failure.error))
    return { kind: 'refused', why: `Slack refuses the login (${failure.error}). Check ${variable} and the scopes of the app.` };
  const why = `Slack could not be reached: ${explainFailure(failure)}`;
  return { kind: 'broken', why, ...(failure.type === 'limited' && { retryAfterMs: failure.retryAfterMs }) };
}

/** The token of the workspace a file belongs to. */
async function findToken({ settings, workspaces }: SlackState, team: string | undefined, signal: AbortSignal): Promise<string> {
  const [only = '', ...others] = settings.botTokens;
  if (others.length === 0) return only;
  const login = await workspaces.login(signal);
  return (login.type === 'in' ? login.installs.find(({ teamId }) => teamId === team)?.token : undefined) ?? only;
}

async function listChats({ client, workspaces, directory }: SlackState, signal: AbortSignal): Promise<readonly Chat[]> {
  const login = await workspaces.login(signal);
  const chats: Chat[] = [];
  for (const install of login.type === 'in' ? login.installs : []) {
    for (const types of CHANNEL_TYPES) {
      const params = { types, exclude_archived: true, limit: 200 };
      for await (const page of pagesOf(client, 'users.conversations', params, { token: install.token, signal })) {
        const channels = page.type === 'ok' ? page.body['channels'] : [];
        for (const channel of Array.isArray(channels) ? channels : []) chats.push(...(await toChat(channel, install, directory)));
      }
    }
  }
  return chats;
}

async function toChat(channel: Json, install: SlackInstall, directory: SlackDirectory): Promise<Chat[]> {
  const chatId = readStringAt(channel, 'id');
  if (chatId === undefined || !isObject(channel)) return [];
  const type = channel['is_im'] === true ? 'private' : channel['is_mpim'] === true ? 'group' : 'channel';
  const user = readStringAt(channel, 'user');
  const name = user === undefined ? readStringAt(channel, 'name') : (await directory.person(install, user)).name;
  const topic = readStringAt(channel, 'topic', 'value');
  return [{ chatId, type, ...(name !== undefined && { name }), ...(topic !== undefined && topic !== '' && { topic }) }];
}

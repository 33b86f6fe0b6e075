import type { Json, JsonObject } from '../../../base/json-types.ts';

/** What Slack knows, as data: workspaces, people, apps, channels and messages. Whoever changes it calls the functions of this folder. */
export interface SlackWorld {
  readonly now: () => number;
  readonly workspaces: SlackWorkspace[];
  readonly users: SlackUser[];
  readonly apps: SlackApp[];
  readonly bots: SlackBot[];
  readonly channels: SlackChannel[];
  readonly files: SlackFile[];
  /** The last id of each kind, and the last timestamp in microseconds. */
  readonly counts: Map<string, number>;
}

export interface SlackWorkspace {
  readonly id: string;
  readonly name: string;
}
export interface SlackUser {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly isBot: boolean;
}
/** One app may be installed in several workspaces; their events all come by the sockets of its one app-level token. */
export interface SlackApp {
  readonly id: string;
  readonly appToken: string;
}
/** An app in one workspace. */
export interface SlackBot {
  readonly app: SlackApp;
  readonly teamId: string;
  readonly userId: string;
  readonly botId: string;
  readonly botToken: string;
}
export type SlackChannelKind = 'channel' | 'private' | 'im' | 'mpim';
export interface SlackChannel {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly kind: SlackChannelKind;
  readonly members: Set<string>;
  /** In order of time, deleted ones too. */
  readonly messages: SlackMessage[];
  isArchived: boolean;
}
export interface SlackFile {
  readonly id: string;
  readonly teamId: string;
  readonly user: string;
  readonly name: string;
  readonly mimetype: string;
  title: string;
  bytes: Buffer | undefined;
}
/** One state of a message, and which request of a bot made it (the `id` of that request in the log). */
export interface SlackRevision {
  readonly text: string;
  readonly at: number;
  readonly request?: number;
}
export interface SlackMessage {
  readonly ts: string;
  readonly channel: string;
  readonly user: string;
  readonly bot?: SlackBot;
  readonly threadTs?: string;
  readonly files: readonly SlackFile[];
  /** Messages that it shares, as the wire shows them. */
  readonly attachments?: readonly Json[];
  readonly metadata?: JsonObject;
  /** Only this person sees it, and no history tells of it. */
  readonly onlyFor?: string;
  readonly reactions: { readonly name: string; readonly user: string }[];
  readonly history: SlackRevision[];
  text: string;
  blocks: readonly Json[];
  editedTs?: string;
  isDeleted: boolean;
}

export const createWorld = (now: () => number): SlackWorld => ({
  now,
  workspaces: [],
  users: [],
  apps: [],
  bots: [],
  channels: [],
  files: [],
  counts: new Map(),
});

/** `T0001`, `T0002` … for the kind `T`. */
export function nextId(world: SlackWorld, kind: string): string {
  const count = (world.counts.get(kind) ?? 0) + 1;
  world.counts.set(kind, count);
  return `${kind}${String(count).padStart(10, '0')}`;
}

/** Seconds and microseconds as Slack writes them; never the same twice, always growing. */
export function nextTs(world: SlackWorld): string {
  const micros = Math.max((world.counts.get('ts') ?? 0) + 1, world.now() * 1000);
  world.counts.set('ts', micros);
  const digits = String(micros);
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

export function addWorkspace(world: SlackWorld, name: string): SlackWorkspace {
  const workspace = { id: nextId(world, 'T'), name };
  world.workspaces.push(workspace);
  return workspace;
}

export function addUser(world: SlackWorld, teamId: string, name: string, isBot = false): SlackUser {
  const user = { id: nextId(world, 'U'), teamId, name, isBot };
  world.users.push(user);
  return user;
}

export function addApp(world: SlackWorld): SlackApp {
  const id = nextId(world, 'A');
  const app = { id, appToken: `xapp-1-${id}-0123456789-abcdef` };
  world.apps.push(app);
  return app;
}

export function installApp(world: SlackWorld, app: SlackApp, teamId: string, name: string): SlackBot {
  const user = addUser(world, teamId, name, true);
  const bot = { app, teamId, userId: user.id, botId: nextId(world, 'B'), botToken: `xoxb-${teamId}-${user.id}-abcdefghijkl` };
  world.bots.push(bot);
  return bot;
}

export interface NewSlackChannel {
  readonly teamId: string;
  readonly name: string;
  readonly kind: SlackChannelKind;
  readonly members: readonly string[];
}

export function addChannel(world: SlackWorld, { members, ...given }: NewSlackChannel): SlackChannel {
  const id = nextId(world, given.kind === 'im' ? 'D' : given.kind === 'channel' ? 'C' : 'G');
  const channel = { ...given, id, members: new Set(members), messages: [], isArchived: false };
  world.channels.push(channel);
  return channel;
}

/** The direct conversation of exactly these people, new when there is none. */
export function openDirect(world: SlackWorld, teamId: string, members: readonly string[]): SlackChannel {
  const kind = members.length > 2 ? 'mpim' : 'im';
  const isTheirs = (channel: SlackChannel) =>
    channel.kind === kind && channel.members.size === members.length && members.every((id) => channel.members.has(id));
  return world.channels.find(isTheirs) ?? addChannel(world, { teamId, kind, name: members.join('-'), members });
}

/** How Slack says no: the `error` of an answer that is not ok. */
export class SlackRefusal extends Error {
  readonly code: string;
  readonly more: JsonObject;
  constructor(code: string, more: JsonObject = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

export function findOr<Found>(list: readonly Found[], isIt: (item: Found) => boolean, refusal: string): Found {
  const found = list.find(isIt);
  if (found === undefined) throw new SlackRefusal(refusal);
  return found;
}

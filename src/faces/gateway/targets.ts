import type { ChatTarget } from '../../contracts/gateway-store.ts';
import type { ChatType } from '../../contracts/platform-adapter.ts';

/** A chat that something can be sent to. */
export interface DirectoryChat {
  readonly target: ChatTarget;
  readonly type?: ChatType;
  /** Chosen by others, unless it is an alias of the owner's. */
  readonly name?: string;
  /** Where the platform's own name alone leads. */
  readonly isHome?: true;
}
export interface TargetContext {
  /** Platforms that are set up, by name. */
  readonly platforms: readonly string[];
  readonly chats: readonly DirectoryChat[];
  /** The chat the conversation is held in. */
  readonly origin?: ChatTarget;
}
export type TargetResult = { readonly ok: true; readonly chat: DirectoryChat } | { readonly ok: false; readonly why: string };

const HOW_TO_LIST = 'hermes send --list, or send_message with action: list, shows the chats there are.';

/**
 * The chat that is meant by `origin`, `platform`, `platform:chat`, `platform:chat:thread` or `platform:#name`. What could mean
 * two chats means none of them.
 */
export function resolveTarget(wanted: string, { platforms, chats, origin }: TargetContext): TargetResult {
  const words = wanted.trim();
  if (words.toLowerCase() === 'origin')
    return origin === undefined
      ? refuse('this conversation is not held in a chat, so it has no origin. Name a platform or a chat.')
      : { ok: true, chat: chats.find(({ target }) => nameTarget(target) === nameTarget(origin)) ?? { target: origin } };
  const colon = words.indexOf(':');
  const platform = (colon === -1 ? words : words.slice(0, colon)).toLowerCase();
  const place = colon === -1 ? '' : words.slice(colon + 1).trim();
  if (!platforms.includes(platform))
    return refuse(
      `${platform === '' ? 'a target begins with a platform' : `no platform "${platform}" is set up here`}. ${listPlatforms(platforms)}`,
    );
  const here = chats.filter(({ target }) => target.platform === platform);
  if (place === '') return findHome(platform, here);
  return place.startsWith('#') ? findNamed(platform, place, here) : findPlace(platform, place, here);
}

const refuse = (why: string): TargetResult => ({ ok: false, why });
const listPlatforms = (platforms: readonly string[]): string =>
  platforms.length === 0 ? 'Set one up with hermes gateway setup.' : `There is ${platforms.join(', ')}.`;

function findHome(platform: string, here: readonly DirectoryChat[]): TargetResult {
  const home = here.find(({ isHome }) => isHome === true);
  return home === undefined
    ? refuse(
        `${platform} has no home channel. Send /sethome in the chat that is to be it, set ${platform.toUpperCase()}_HOME_CHANNEL, or name a chat.`,
      )
    : { ok: true, chat: home };
}

/** An id that is known comes first, then a name, then whatever looks like an id. */
function findPlace(platform: string, place: string, here: readonly DirectoryChat[]): TargetResult {
  const known = here.filter(({ target }) => formatPlace(target) === place);
  const [first] = known;
  if (first !== undefined) return { ok: true, chat: known.find(({ target }) => target.account === 'main') ?? first };
  if (listNamed(place, here).length > 0) return findNamed(platform, place, here);
  const read = readPlace(place);
  if (read === undefined) return findNamed(platform, place, here);
  // A topic of a chat that is known is reached by the bot that knows the chat.
  const { account = 'main' } = here.find(({ target }) => target.chatId === read.chatId)?.target ?? {};
  return { ok: true, chat: { target: { platform, account, ...read } } };
}

/** As ids are written down: Matrix has colons of its own. */
const MATRIX = /^([!@][^:]+:[^:]+(?::\d+)?)(?::(\$.+))?$/;
function readPlace(place: string): Pick<ChatTarget, 'chatId' | 'threadId'> | undefined {
  const [chatId = '', threadId, ...more] = MATRIX.exec(place)?.slice(1, 3) ?? place.split(':');
  const isId = more.length === 0 && /\d/.test(chatId) && !/\s/.test(chatId);
  return isId || MATRIX.test(place) ? { chatId, ...(threadId !== undefined && threadId !== '' && { threadId }) } : undefined;
}

const listNamed = (name: string, here: readonly DirectoryChat[]): readonly DirectoryChat[] => {
  const wanted = plainName(name);
  return [
    ...new Map(
      here.filter(({ name: own }) => wanted !== '' && plainName(own ?? '') === wanted).map((chat) => [nameTarget(chat.target), chat]),
    ).values(),
  ];
};
const plainName = (name: string): string => name.trim().replace(/^#/, '').toLowerCase();

function findNamed(platform: string, name: string, here: readonly DirectoryChat[]): TargetResult {
  const found = listNamed(name, here);
  const [only] = found;
  if (only === undefined) return refuse(`no chat on ${platform} is called "${name}". ${HOW_TO_LIST}`);
  if (found.length === 1) return { ok: true, chat: only };
  return refuse(`"${name}" could be ${found.map(({ target }) => formatTarget(target)).join(' or ')}. Name one of them.`);
}

/** One name for each chat and topic. */
export const nameTarget = ({ platform, account, chatId, threadId = '' }: ChatTarget): string =>
  JSON.stringify([platform, account, chatId, threadId]);
const formatPlace = ({ chatId, threadId }: Pick<ChatTarget, 'chatId' | 'threadId'>): string =>
  threadId === undefined ? chatId : `${chatId}:${threadId}`;
/** As a target is typed. */
export const formatTarget = (target: ChatTarget): string => `${target.platform}:${formatPlace(target)}`;

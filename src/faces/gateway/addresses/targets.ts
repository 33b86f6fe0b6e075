import type { AccountRef, ChatTarget } from '../../../contracts/gateway-store.ts';
import type { ChatType, PlatformTraits } from '../../../contracts/platform-adapter.ts';

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
  /** Those that are set up. */
  readonly accounts: readonly (AccountRef & { readonly kind?: { readonly traits: Pick<PlatformTraits, 'isMachine'> } })[];
  readonly chats: readonly DirectoryChat[];
  /** The chat the conversation is held in. */
  readonly origin?: ChatTarget;
  /** Where whoever named the chat finds the chats there are; the command of a shell when left out. */
  readonly howToList?: string;
}
export type TargetResult = { readonly ok: true; readonly chat: DirectoryChat } | { readonly ok: false; readonly why: string };

/**
 * The chat that is meant by `origin`, `platform`, `platform:chat`, `platform:chat:thread` or `platform:#name`; the name of an
 * account may stand behind the platform. What could mean two chats means none of them. A chat that several accounts are in is
 * reached by the one the conversation is held with, else by the main one.
 */
export function resolveTarget(wanted: string, { accounts, chats, origin, howToList = 'hermes send --list' }: TargetContext): TargetResult {
  const words = wanted.trim();
  if (words.toLowerCase() === 'origin')
    return origin === undefined
      ? refuse('this conversation is not held in a chat, so it has no origin. Name a platform or a chat.')
      : { ok: true, chat: chats.find(({ target }) => nameTarget(target) === nameTarget(origin)) ?? { target: origin } };
  const { platform, account, place } = splitTarget(words, accounts);
  const platforms = [...new Set(accounts.map((each) => each.platform))];
  if (!platforms.includes(platform))
    return refuse(
      `${platform === '' ? 'a target begins with a platform' : `no platform "${platform}" is set up here`}. ${listPlatforms(platforms)}`,
    );
  const near = account ?? (origin?.platform === platform ? origin.account : 'main');
  const here = chats
    .filter(({ target }) => target.platform === platform && (account === undefined || target.account === account))
    .toSorted((one, other) => rankAccount(one, near) - rankAccount(other, near));
  if (place === '' && accounts.some((each) => each.platform === platform && each.kind?.traits.isMachine === true))
    return refuse(`${platform} has no home channel. Name an address, as in ${platform}:NAME. To see them: ${howToList}`);
  if (place === '') return findHome(platform, here);
  const named = { platform, place, near, howToList };
  return place.startsWith('#') ? findNamed(named, here) : findPlace(named, here);
}

/** A target in its parts. What stands behind the platform is an account where there is one of that name. */
export function splitTarget(
  wanted: string,
  accounts: readonly AccountRef[],
): { readonly platform: string; readonly account?: string; readonly place: string } {
  const [first = '', second, ...more] = wanted.trim().split(':');
  const platform = first.toLowerCase();
  const name = second?.trim().toLowerCase();
  const account = accounts.find((each) => each.platform === platform && each.account.toLowerCase() === name)?.account;
  if (account === undefined) return { platform, place: [...(second === undefined ? [] : [second]), ...more].join(':').trim() };
  return { platform, account, place: more.join(':').trim() };
}

const rankAccount = ({ target: { account } }: DirectoryChat, near: string): number => (account === near ? 0 : account === 'main' ? 1 : 2);

const refuse = (why: string): TargetResult => ({ ok: false, why });
const listPlatforms = (platforms: readonly string[]): string =>
  platforms.length === 0 ? 'Set one up with hermes gateway setup.' : `Set up here: ${platforms.join(', ')}.`;

function findHome(platform: string, here: readonly DirectoryChat[]): TargetResult {
  const home = here.find(({ isHome }) => isHome === true);
  return home === undefined
    ? refuse(
        `${platform} has no home channel. Send /sethome in the chat you want to use, set ${platform.toUpperCase()}_HOME_CHANNEL, or name a chat.`,
      )
    : { ok: true, chat: home };
}

interface WantedPlace {
  readonly platform: string;
  readonly place: string;
  /** The account that is meant where nothing says otherwise. */
  readonly near: string;
  readonly howToList: string;
}

/** An id that is known comes first, then a name, then whatever looks like an id. */
function findPlace(wanted: WantedPlace, here: readonly DirectoryChat[]): TargetResult {
  const { platform, place, near } = wanted;
  const known = here.find(({ target }) => formatPlace(target) === place);
  if (known !== undefined) return { ok: true, chat: known };
  const read = listNamed(place, here).length > 0 ? undefined : readPlace(place);
  if (read === undefined) return findNamed(wanted, here);
  // A topic of a chat that is known is reached by the bot that knows the chat.
  const { account = near } = here.find(({ target }) => target.chatId === read.chatId)?.target ?? {};
  return { ok: true, chat: { target: { platform, account, ...read } } };
}

/** An address of mail, which needs no figure. */
const ADDRESS = /^[^@]+@[^@]+$/;
/** As ids are written down: Matrix has colons of its own. */
const MATRIX = /^([!@][^:]+:[^:]+(?::\d+)?)(?::(\$.+))?$/;
function readPlace(place: string): Pick<ChatTarget, 'chatId' | 'threadId'> | undefined {
  const [chatId = '', threadId, ...more] = MATRIX.exec(place)?.slice(1, 3) ?? place.split(':');
  const isId = more.length === 0 && (/\d/.test(chatId) || ADDRESS.test(chatId)) && !/\s/.test(chatId);
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

function findNamed({ platform, place: name, howToList }: WantedPlace, here: readonly DirectoryChat[]): TargetResult {
  const found = listNamed(name, here);
  const [only] = found;
  if (only === undefined) return refuse(`no chat on ${platform} is called "${name}". To see the chats: ${howToList}`);
  // One chat, however many accounts are in it.
  if (found.every(({ target }) => formatPlace(target) === formatPlace(only.target))) return { ok: true, chat: only };
  return refuse(`"${name}" could be ${found.map(({ target }) => formatTarget(target)).join(' or ')}. Name one of them.`);
}

/** One name for each chat and topic. */
export const nameTarget = ({ platform, account, chatId, threadId = '' }: ChatTarget): string =>
  JSON.stringify([platform, account, chatId, threadId]);
const formatPlace = ({ chatId, threadId }: Pick<ChatTarget, 'chatId' | 'threadId'>): string =>
  threadId === undefined ? chatId : `${chatId}:${threadId}`;
/** As a target is typed, with its account where that is not the main one, or one of several. */
export const formatTarget = (target: ChatTarget, namesAccount = target.account !== 'main'): string =>
  [target.platform, ...(namesAccount ? [target.account] : []), formatPlace(target)].join(':');

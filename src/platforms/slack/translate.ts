import type { Chat, PlatformEvent, QuotedMessage } from '../../contracts/platform-adapter.ts';
import type { SlackDirectory } from './directory.ts';
import { isOwn, mentions, threadOf, toCommand, toInbound, toPress, type Heard, type HeardMessage } from './inbound.ts';
import { readStringAt } from '../../base/json.ts';
import type { SlackSettings } from './settings.ts';
import type { SlackInstall } from './workspaces.ts';

export interface TranslateDeps {
  readonly settings: Pick<SlackSettings, 'gate' | 'repliesInThread' | 'overlapMs'>;
  readonly installs: readonly SlackInstall[];
  readonly directory: SlackDirectory;
  readonly commands: ReadonlySet<string>;
  readonly now: () => number;
  /** A channel was seen with this token. */
  readonly learn: (channel: string, token: string) => void;
}

/** What was heard as an event; nothing for our own words. `stuck`: it cannot be told now whether it is meant for us. */
export async function translate(heard: Heard, deps: TranslateDeps): Promise<PlatformEvent | 'stuck' | undefined> {
  const { installs, directory } = deps;
  const install = installs.find(({ teamId }) => teamId === heard.teamId) ?? installs[0];
  if (install === undefined) return undefined;
  if (heard.type === 'message') deps.learn(heard.channel, install.token);
  if (heard.type === 'message') return translateMessage(heard, install, deps);
  const path = heard.type === 'press' ? ['container', 'channel_id'] : ['channel_id'];
  const chat = await directory.chat(install, readStringAt(heard.body, ...path) ?? '', undefined);
  return heard.type === 'press' ? toPress(heard, chat) : toCommand(heard, chat, deps.now());
}

async function translateMessage(
  message: HeardMessage,
  install: SlackInstall,
  deps: TranslateDeps,
): Promise<PlatformEvent | 'stuck' | undefined> {
  const { directory, commands, settings } = deps;
  if (isOwn(message, install)) {
    if (message.threadTs !== undefined) directory.follow(message.channel, message.threadTs);
    return undefined;
  }
  const [chat, sender] = await Promise.all([
    directory.chat(install, message.channel, message.channelType),
    message.user.startsWith('B') || message.user === 'USLACKBOT' ? { isBot: true } : directory.person(install, message.user),
  ]);
  const address = await findAddress(message, install, chat, deps);
  if (address === undefined) return 'stuck';
  const facts = { install, chat, sender, commands, repliesInThread: settings.repliesInThread, ...address };
  const thread = threadOf(message, facts);
  if (facts.isAddressed && thread !== undefined) directory.follow(message.channel, thread);
  return toInbound(message, facts);
}

interface MessageAddress {
  readonly isAddressed: boolean;
  readonly root?: QuotedMessage;
}

async function findAddress(
  message: HeardMessage,
  install: SlackInstall,
  chat: Pick<Chat, 'type'>,
  deps: TranslateDeps,
): Promise<MessageAddress | undefined> {
  const { directory, settings } = deps;
  const { channel, threadTs } = message;
  const isKnown = threadTs === undefined ? true : directory.isFollowed(channel, threadTs);
  const lookUp = () => (threadTs === undefined ? undefined : directory.lookUp(install, message, threadTs));
  const certain = isSurelyAddressed(message, install, chat, settings.gate);
  if (certain === true) {
    // Where we come into a thread, its beginning says what it is about.
    const found = isKnown === true || chat.type === 'private' ? undefined : await lookUp();
    return { isAddressed: true, ...(found?.root !== undefined && { root: found.root }) };
  }
  if (certain === false) return { isAddressed: false };
  if (isKnown !== undefined) return { isAddressed: isKnown };
  const found = await lookUp();
  return found === undefined ? undefined : { isAddressed: found.isOurs };
}

/** By the message alone; undefined when it depends on whether we are in its thread. */
function isSurelyAddressed(
  message: HeardMessage,
  install: SlackInstall,
  chat: Pick<Chat, 'type'>,
  gate: SlackSettings['gate'],
): boolean | undefined {
  if (chat.type === 'private' || mentions(message.text, install)) return true;
  if (gate.strictChannels.has(message.channel)) return false;
  if (!gate.isRequired || gate.freeChannels.has(message.channel)) return true;
  if (message.threadTs === undefined || gate.isRequiredInThreads) return false;
  return message.parentUser === install.userId ? true : undefined;
}

import type { Env } from '../../../base/env.ts';
import type { AccountRef, ChatTarget, GatewayStore, MovedChat } from '../../../contracts/gateway-store.ts';
import type { ChatPlace } from '../../../contracts/platform-adapter.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import { findChatRoutes } from '../addresses/find-routes.ts';
import { describeMovedSettings, findMentions, findVariables } from '../accounts/moved-settings.ts';
import { describeAccount, type ReplyAddress, type WriteLog } from '../contract.ts';
import { CHANNEL_ALIASES, readAliasFile } from '../send/directory.ts';

export interface TellMovedDeps {
  readonly store: Pick<GatewayStore, 'plan' | 'deliveries' | 'routes'>;
  readonly accounts: Pick<AccountBook, 'find'>;
  /** The table `platforms`, as it is written. */
  readonly platforms: Readonly<Record<string, unknown>>;
  readonly env: Env;
  /** The profile's folder. */
  readonly root: string;
  readonly findOwner: (from: AccountRef) => Promise<ReplyAddress | undefined>;
  readonly log: WriteLog;
}

/** Tells the owner once, in the log and in a chat, which lines of the settings name a chat by an id it no longer has. */
export async function tellMoved(target: ChatTarget, to: ChatPlace, deps: TellMovedDeps): Promise<void> {
  const account = deps.accounts.find(target);
  // After a second move settings may still have the first id.
  for (const move of account?.moved ?? []) if (move.to === to.chatId) await tellMove(target, move, deps);
}

async function tellMove(ref: AccountRef, move: MovedChat, deps: TellMovedDeps): Promise<void> {
  const { store, accounts, log } = deps;
  const { platform, account } = ref;
  const mentions = listMentions(platform, move.from, deps);
  const key = `moved:${platform}:${account}:${move.from}:${move.to}`;
  if (mentions.length === 0 || (await store.deliveries({ key, limit: 1 })).length > 0) return;
  const [route] = await findChatRoutes(store, { platform, account, chatId: move.to });
  const words = describeMovedSettings(accounts.find(ref)?.kind.label ?? platform, move, mentions, route?.chat.name);
  log(`${describeAccount(ref)}: ${words}`);
  const owner = await deps.findOwner(ref);
  if (owner !== undefined) await store.plan([{ key, target: owner.target, content: { type: 'text', markdown: words } }]);
}

const listMentions = (platform: string, chatId: string, { platforms, env, root }: TellMovedDeps): readonly string[] => [
  ...findMentions(platforms[platform], `platforms.${platform}`, chatId),
  ...findVariables(env, platform, chatId),
  ...findMentions(readAliasFile(root)?.[platform], `${CHANNEL_ALIASES}: ${platform}`, chatId),
];

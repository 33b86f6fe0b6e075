import type { Blobs } from '../../contracts/blobs.ts';
import type { ChatTarget, NewDelivery, Route } from '../../contracts/gateway-store.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { FoundChats, ResultChats, ResultTarget } from '../../faces/cron/contract.ts';
import { isOwnersChat } from '../../faces/gateway/access/access.ts';
import type { GatewayAccount } from '../../faces/gateway/accounts/account.ts';
import { isSameAccount } from '../../faces/gateway/contract.ts';
import { takeFiles } from '../../faces/gateway/send/named-files.ts';
import { findTarget } from '../../faces/gateway/send/sends.ts';
import { formatTarget, nameTarget } from '../../faces/gateway/addresses/targets.ts';

export interface ResultChatsDeps {
  readonly store: Pick<SessionStore, 'fact' | 'gateway'>;
  /** Those of the settings as they are now. */
  readonly accounts: () => readonly GatewayAccount[];
  /** The profile's folder. */
  readonly root: string;
  readonly blobs: Pick<Blobs, 'put'>;
}

/** The chats of the gateway, as jobs see them. What goes out waits for the gateway when none runs. */
export const createResultChats = (deps: ResultChatsDeps): ResultChats => ({
  find: async ({ deliver, origin }) => {
    const found = await Promise.all(deliver.map((target) => findChat(target, origin, deps)));
    const routes = await deps.store.gateway.routes({});
    const targets = new Map(found.flatMap(({ target }) => (target === undefined ? [] : [[nameTarget(target), target] as const])));
    return {
      targets: [...targets.values()].map((target): ResultTarget => ({ target, isPrivate: isPrivate(target, routes) })),
      problems: found.flatMap(({ problem }) => problem ?? []),
    } satisfies FoundChats;
  },
  prepare: async ({ markdown, ...message }, readFile) => {
    const kind = deps.accounts().find((account) => isSameAccount(account, message.target))?.kind;
    const files =
      kind === undefined || readFile === undefined
        ? { markdown, deliveries: [] }
        : await takeFiles({ ...message, markdown, canCaption: false, kind }, { blobs: deps.blobs, readFile });
    const text: readonly NewDelivery[] =
      files.markdown.trim() === '' ? [] : [{ ...message, content: { type: 'text', markdown: files.markdown } }];
    return [...text, ...files.deliveries];
  },
});

interface FoundChat {
  readonly target?: ChatTarget;
  readonly problem?: string;
}

/** Where the chat a job was made in is gone, or it was made in none, the home channel takes its place. */
async function findChat(wanted: string, origin: ChatTarget | undefined, deps: ResultChatsDeps): Promise<FoundChat> {
  if (wanted === 'local') return {};
  if (wanted !== 'origin') {
    const found = await findTarget(wanted, { ...deps, accounts: deps.accounts() });
    return found.ok ? { target: found.chat.target } : { problem: `${wanted}: ${found.why}` };
  }
  const hasOrigin = origin !== undefined && deps.accounts().some((account) => isSameAccount(account, origin));
  if (hasOrigin) return { target: origin };
  const home = findHome(deps.accounts());
  const lost = origin === undefined ? {} : { problem: `${formatTarget(origin)}: ${origin.platform} is no longer set up.` };
  return home === undefined ? lost : { target: home };
}

/** The home channel of the first account that has one. */
export function findHome(accounts: readonly GatewayAccount[]): ChatTarget | undefined {
  const [first] = accounts.filter(({ homeChannel }) => homeChannel !== undefined);
  if (first?.homeChannel === undefined) return undefined;
  const { name: _name, ...place } = first.homeChannel;
  return { platform: first.platform, account: first.account, ...place };
}

const isPrivate = (target: ChatTarget, routes: readonly Route[]): boolean =>
  routes.some(
    (route) =>
      nameTarget(route.target) === nameTarget(target) && isOwnersChat(route.chat, route.facts['owner'] === true ? 'owner' : 'guest'),
  );

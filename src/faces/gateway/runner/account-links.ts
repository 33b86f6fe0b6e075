import { isDeepStrictEqual } from 'node:util';
import type { AccountRef } from '../../../contracts/gateway-store.ts';
import type { AccountSettings } from '../../../contracts/platform-adapter.ts';
import type { AccountBook } from '../accounts/account-book.ts';
import type { GatewayAccount, RunningAccount } from '../accounts/account.ts';
import { isSameAccount } from '../contract.ts';
import type { PlatformLink } from '../link/contract.ts';
import type { AppliedAccounts, Gateway } from './contract.ts';

/** An account and the link to its service. */
export interface AccountLink {
  readonly account: RunningAccount;
  readonly link: PlatformLink;
  /** What it was opened with. */
  readonly settings: AccountSettings;
  readonly isPaused: boolean;
}

/** The links of all accounts. */
export interface AccountLinks extends AsyncDisposable, Pick<Gateway, 'setPaused'> {
  readonly states: Gateway['accounts'];
  running(): readonly RunningAccount[];
  /**
   * Makes the links those of the accounts there are now. One that changes is closed first, because a credential has one
   * connection at a time; all others go on. One that is paused is opened with what is set when it is resumed.
   */
  apply(): Promise<AppliedAccounts>;
}

export function createAccountLinks(accounts: AccountBook, open: (account: GatewayAccount) => AccountLink): AccountLinks {
  const links: AccountLink[] = [];
  // One change at a time: two of them would open an account twice.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const done = last.then(change);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    get states() {
      return links.map(({ account: { ref }, link, isPaused }) => ({ ref, state: link.state(), isPaused }));
    },
    running: () => links.map(({ account }) => account),
    apply: () => inTurn(() => applyAccounts(links, accounts, open)),
    setPaused: (ref, isPaused) => inTurn(() => setPaused(links, accounts.find(ref), isPaused, open)),
    [Symbol.asyncDispose]: () => inTurn(async () => void (await Promise.all(links.map(closeLink)))),
  };
}

const closeLink = ({ link }: AccountLink): Promise<void> => Promise.resolve(link[Symbol.asyncDispose]());

async function applyAccounts(
  links: AccountLink[],
  accounts: AccountBook,
  open: (account: GatewayAccount) => AccountLink,
): Promise<AppliedAccounts> {
  const gone = links.filter(({ account: { ref } }) => accounts.find(ref) === undefined);
  const fresh = accounts.all().filter((account) => !links.some(({ account: { ref } }) => isSameAccount(account, ref)));
  const changed = links.filter(({ account: { ref }, settings, isPaused }) => {
    const now = accounts.find(ref);
    return now !== undefined && !isPaused && !isDeepStrictEqual(now.settings, settings);
  });
  for (const link of gone) links.splice(links.indexOf(link), 1);
  await Promise.all([...gone, ...changed].map(closeLink));
  for (const link of changed) links[links.indexOf(link)] = open(accounts.find(link.account.ref) ?? link.account.config);
  links.push(...fresh.map(open));
  return { opened: fresh.map(toRef), reopened: changed.map(({ account }) => account.ref), closed: gone.map(({ account }) => account.ref) };
}

const toRef = ({ platform, account }: AccountRef): AccountRef => ({ platform, account });

async function setPaused(
  links: AccountLink[],
  account: GatewayAccount | undefined,
  isPaused: boolean,
  open: (config: GatewayAccount) => AccountLink,
): Promise<boolean> {
  const at = account === undefined ? -1 : links.findIndex(({ account: { ref } }) => isSameAccount(ref, account));
  const found = links[at];
  if (account === undefined || found === undefined) return false;
  if (isPaused && !found.isPaused) {
    links[at] = { ...found, isPaused: true };
    await closeLink(found);
  }
  if (!isPaused && found.isPaused) links[at] = open(account);
  return true;
}

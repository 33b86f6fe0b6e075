import type { AccountRef, GatewayStore, MovedChat } from '../../../contracts/gateway-store.ts';
import type { GatewayAccount, HomeChannel } from './account.ts';
import { isSameAccount, nameAccount } from '../contract.ts';
import { followMoves } from './moved-settings.ts';

/**
 * The accounts as they are now: as the settings have them, with chats that moved under the ids they have now. Whoever goes by
 * the settings of an account asks here each time.
 */
export interface AccountBook {
  all(): readonly GatewayAccount[];
  find(ref: AccountRef): GatewayAccount | undefined;
  /** The settings say this from now on. */
  replace(accounts: readonly GatewayAccount[]): Promise<void>;
  /** A chat goes on under another id; what the settings say of it holds there at once. */
  follow(ref: AccountRef, move: MovedChat): void;
  /** The one thing of an account that is changed by a command. */
  setHome(ref: AccountRef, home: HomeChannel): void;
}

export async function openAccountBook(accounts: readonly GatewayAccount[], store: Pick<GatewayStore, 'movedChats'>): Promise<AccountBook> {
  let written: readonly GatewayAccount[] = [];
  let current: readonly GatewayAccount[] = [];
  const moves = new Map<string, readonly MovedChat[]>();
  const update = (): void => void (current = written.map((account) => followMoves(account, moves.get(nameAccount(account)) ?? [])));
  const replace = async (next: readonly GatewayAccount[]): Promise<void> => {
    const known = await Promise.all(next.map(async (account) => [nameAccount(account), await store.movedChats(account)] as const));
    // What was heard of and is not stored yet stays.
    for (const [name, stored] of known) moves.set(name, (moves.get(name) ?? []).reduce(addMove, stored));
    written = next;
    update();
  };
  await replace(accounts);
  return {
    all: () => current,
    find: (ref) => current.find((account) => isSameAccount(account, ref)),
    replace,
    follow: (ref, move) => {
      const name = nameAccount(ref);
      moves.set(name, addMove(moves.get(name) ?? [], move));
      update();
    },
    setHome: (ref, homeChannel) => {
      written = written.map((account) => (isSameAccount(account, ref) ? { ...account, homeChannel } : account));
      update();
    },
  };
}

/** Every id leads to the last one, however often a chat moved. */
const addMove = (known: readonly MovedChat[], { from, to }: MovedChat): readonly MovedChat[] => [
  ...known.filter((move) => move.from !== from && move.from !== to).map((move) => (move.to === from ? { ...move, to } : move)),
  { from, to },
];

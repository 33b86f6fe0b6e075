import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayStore } from '../../../../src/contracts/gateway-store.ts';
import { openSqliteStore } from '../../../../src/parts/store/sqlite/store.ts';

/** A store at a clock that stands still until it is moved. */
export interface PeopleStore extends AsyncDisposable {
  readonly store: GatewayStore;
  pass(ms: number): void;
  /** Closes it and opens it again, as after a restart. */
  reopen(): Promise<void>;
  /** Every byte it has written. */
  bytes(): string;
}

export async function openPeopleStore(): Promise<PeopleStore> {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-people-'));
  let now = 1_800_000_000_000;
  const open = () => openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', notice: () => {}, now: () => now });
  let store = await open();
  return {
    get store() {
      return store.gateway;
    },
    pass: (ms) => void (now += ms),
    reopen: async () => {
      await store[Symbol.asyncDispose]();
      store = await open();
    },
    bytes: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n'),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { StoreHolder } from '../../../src/parts/store/sqlite/holder.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-store-'));
after(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
/** A place no other test uses; gone when the file's tests are done. */
export const freshPath = (): string => join(root, String(++count), 'state.db');

/** A process on this host that no longer runs: its pid lives on, started at another time. */
export const DEAD: StoreHolder = { host: hostname(), pid: process.pid, started: 'long ago' };

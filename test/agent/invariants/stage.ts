import { hostname } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { SessionStore } from '../../../src/contracts/session-store.ts';
import type { Terminal } from '../../../src/contracts/terminal.ts';
import type { Approver } from '../../../src/contracts/consent.ts';
import type { AnyTool, Toolkit } from '../../../src/contracts/tool.ts';
import { collectDefaults } from '../../../src/contracts/settings.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { spillTo } from '../../../src/parts/tools/budget.ts';
import { toolSettings } from '../../../src/parts/tools/settings.ts';
import { createToolkit } from '../../../src/parts/tools/toolkit.ts';
import { tempFolder, testClock } from '../setup.ts';

/** Where the stories of one file take place: one store, one clock that only goes on. */
export interface Stage {
  readonly store: SessionStore;
  readonly clock: ReturnType<typeof testClock>;
  readonly folder: string;
}
/** A claim of a process that is not there any more falls at once, as after a kill. */
const NOBODY = { host: hostname(), pid: 2 ** 30, started: 'long ago' };

export async function openStage(): Promise<Stage> {
  const folder = tempFolder();
  const store = await openSqliteStore({ path: join(folder, 'state.db'), durability: 'process', holder: NOBODY });
  after(() => store[Symbol.asyncDispose]());
  return { store, clock: testClock(), folder };
}

const NOBODY_THERE: Approver = { ask: async () => ({ allow: false, by: 'nobody', reason: 'nobody is there' }) };

/** The real toolkit around some tools, without a terminal. */
export const toolkitOf = (tools: readonly AnyTool[], folder: string, approval: Approver = NOBODY_THERE): Promise<Toolkit> =>
  createToolkit({
    tools,
    toolsets: ['test'],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no tool of these tests has commands to run
    terminal: {} as Terminal,
    ports: {},
    approval,
    spill: spillTo(folder, collectDefaults(toolSettings)),
  });

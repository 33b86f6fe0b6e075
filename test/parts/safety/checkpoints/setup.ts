import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import type { ToolCallInfo } from '../../../../src/contracts/safety.ts';
import type { UndoRecorder } from '../../../../src/contracts/undo.ts';
import { filterCheckpoints } from '../../../../src/parts/safety/checkpoints/history.ts';
import { rollBack, type RollbackFate, type RollbackOptions } from '../../../../src/parts/safety/checkpoints/rollback.ts';
import type { CheckpointGroup, CheckpointLimits } from '../../../../src/parts/safety/checkpoints/retention.ts';
import type { SnapshotBounds } from '../../../../src/parts/safety/checkpoints/snapshot.ts';
import { openCheckpoints, type Checkpoints } from '../../../../src/parts/safety/checkpoints/store.ts';
import { createUndo, type UndoOptions } from '../../../../src/parts/safety/checkpoints/undo.ts';
import { openTrash } from '../../../../src/parts/safety/trash/trash.ts';

export const LIMITS: CheckpointLimits = { maxTurns: 1_000, maxBytes: 500_000_000, keepMs: 7 * 86_400_000 };
export const BOUNDS: SnapshotBounds = { maxFiles: 5_000, maxFileBytes: 1_000_000, maxBytes: 500_000_000, apart: [], patienceMs: 60_000 };

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-undo-')));
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A folder to work in beside a home, with everything an undo needs. */
export interface Bench {
  readonly top: string;
  readonly home: string;
  readonly work: string;
  readonly store: Checkpoints;
  readonly undo: UndoRecorder;
  readonly rollback: RollbackOptions;
  at(name: string): string;
  /** Runs `act` as a call of a tool would run, between before and after. Gives the notice. */
  tool(paths: readonly string[], act: () => void, turnId?: string): Promise<string | undefined>;
  command(command: string, act: () => void, turnId?: string): Promise<string | undefined>;
  list(): CheckpointGroup[];
  back(number: number, ask?: { readonly all?: boolean; readonly only?: string }): Promise<RollbackFate[]>;
}

export function bench(
  top: string,
  given: Partial<Pick<UndoOptions, 'kind' | 'bounds' | 'mask'>> & { readonly limits?: CheckpointLimits; readonly now?: () => number } = {},
): Bench {
  const [home, work] = [join(top, 'home'), join(top, 'work')];
  for (const folder of [home, work]) mkdirSync(folder, { recursive: true });
  const { limits = LIMITS, bounds = BOUNDS, now, ...rest } = given;
  const store = openCheckpoints(join(home, 'checkpoints'), limits, now);
  const undo = createUndo({ store, kind: 'local', bounds, context: { home, profile: join(home, '.hermes'), own: [] }, ...rest });
  const trash = openTrash(join(home, 'trash'), { keepMs: LIMITS.keepMs, maxBytes: 500_000_000 });
  const rollback: RollbackOptions = {
    store,
    bounds,
    discard: async (path) => void (await trash.put(path, 'rollback')),
  };
  const run = async (call: ToolCallInfo, act: () => void, turnId: string): Promise<string | undefined> => {
    const notice = await undo.before(call, turnId);
    act();
    await undo.after(call, turnId);
    return notice;
  };
  const list = (): CheckpointGroup[] => filterCheckpoints(store.records(), { folder: work });
  return {
    top,
    home,
    work,
    store,
    undo,
    rollback,
    at: (name) => join(work, name),
    tool: (paths, act, turnId = 't1') => run(toolCall(work, paths), act, turnId),
    command: (command, act, turnId = 't1') => run(commandCall(work, command), act, turnId),
    list,
    back: async (number, ask = {}) => {
      const groups = list();
      const since = groups[number - 1];
      if (since === undefined) throw new Error(`there is no checkpoint ${number}`);
      return rollBack({ groups, since, sessionId: 's1', ...ask }, rollback);
    },
  };
}

export const toolCall = (cwd: string, paths: readonly string[]): ToolCallInfo => ({
  tool: 'write_file',
  input: {},
  cwd,
  sessionId: 's1',
  effects: { kind: 'write', resources: paths.map((path) => `path:${join(cwd, path)}`) },
});
export const commandCall = (cwd: string, command: string): ToolCallInfo => ({
  tool: 'terminal',
  input: { command },
  cwd,
  sessionId: 's1',
  effects: { kind: 'write', resources: ['*'] },
});

export function put(folder: string, files: Readonly<Record<string, string>>, mode?: number): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
    if (mode !== undefined) chmodSync(join(folder, name), mode);
  }
}

/** Every name below a folder with all that a rollback promises to bring back. */
export function stateOf(folder: string, below = ''): Record<string, string> {
  const rows: [string, string][] = [];
  for (const name of readdirSync(join(folder, below)).toSorted()) {
    const path = join(below, name);
    const found = lstatSync(join(folder, path));
    const mode = (found.mode & 0o7777).toString(8);
    if (found.isSymbolicLink()) rows.push([path, `link ${readlinkSync(join(folder, path))}`]);
    else if (found.isDirectory()) rows.push([path, `folder ${mode}`], ...Object.entries(stateOf(folder, path)));
    else
      rows.push([
        path,
        `file ${mode} ${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}`,
      ]);
  }
  return Object.fromEntries(rows);
}

/** Numbers by chance that come again with their seed. */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

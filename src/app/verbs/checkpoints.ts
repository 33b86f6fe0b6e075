import { join, resolve } from 'node:path';
import { nearestReal } from '../../base/real-path.ts';
import { UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { shellWord } from '../../base/shell.ts';
import {
  checkpointJson,
  megabytes,
  renderCheckpoint,
  renderCheckpoints,
  renderStatus,
  statusJson,
  type CheckpointFile,
  type CheckpointLine,
} from '../../faces/cli/checkpoints.ts';
import { count } from '../../faces/cli/figures.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { checkpointsOf, type CheckpointFilter } from '../../parts/safety/checkpoints/history.ts';
import type { ChangedFile, CheckpointRecord as KeptRecord } from '../../parts/safety/checkpoints/model.ts';
import type { CheckpointGroup } from '../../parts/safety/checkpoints/retention.ts';
import type { Pruned } from '../../parts/safety/checkpoints/store.ts';
import { loadConfig } from '../config.ts';
import { processScreen } from '../screen.ts';
import { environment } from '../../parts/config/environment.ts';
import { checkpointStore } from '../../parts/safety/checkpoints/open.ts';
import { openHost, type AppHost } from '../host/host.ts';
import * as back from './rollback.ts';

type Placed = JsonFlag & { readonly cwd?: string };

export async function list(flags: Placed & { readonly everywhere?: boolean }): Promise<number> {
  return listIn(flags.everywhere === true ? {} : placeOf(flags).scope, await opened(), flags);
}

export async function listIn(
  scope: CheckpointFilter,
  { home, config }: Pick<AppHost, 'home' | 'config'>,
  flags: JsonFlag,
): Promise<number> {
  const store = checkpointStore(home, config.settings);
  const rows = checkpointsOf(store.records(), scope).map(lineOf);
  const screen = processScreen();
  if (flags.json === true) screen.json(rows.map(checkpointJson));
  else screen.out(renderCheckpoints(rows, screen));
  return 0;
}

export async function show(ref: string, flags: Placed): Promise<number> {
  const { home, config } = await opened();
  const records = checkpointStore(home, config.settings).records();
  const groups = checkpointsOf(records, scopeOf(ref, flags, records));
  const found = back.oneOf(groups, ref);
  const line = lineOf(found, groups.indexOf(found));
  const screen = processScreen();
  if (flags.json === true) screen.json(checkpointJson(line));
  else screen.out(renderCheckpoint(line, screen));
  return 0;
}

export async function diff(ref: string, file: string | undefined, flags: Placed): Promise<number> {
  await using workshop = await openHost({ env: process.env, home: homeAt(process.env) });
  return await back.diff(ref, file, placeFor(ref, flags, workshop), workshop, flags);
}

export async function restore(ref: string, file: string | undefined, flags: Placed & { readonly all?: boolean }): Promise<number> {
  await using workshop = await openHost({ env: process.env, home: homeAt(process.env) });
  const wish = { ref, ...(file !== undefined && { file }), ...(flags.all === true && { all: true }) };
  return await back.restore(ref, wish, placeFor(ref, flags, workshop), workshop, flags);
}

export const prune = (flags: JsonFlag): Promise<number> => tidied('prune', flags);

export async function clear(flags: JsonFlag & { readonly yes?: boolean }): Promise<number> {
  if (flags.yes !== true) throw new UsageError('this clears every checkpoint away for good; say so with --yes.');
  return tidied('clear', flags);
}

export async function status(flags: JsonFlag): Promise<number> {
  const { home, config } = await opened();
  const figures = checkpointStore(home, config.settings).status();
  const maxBytes = config.settings['checkpoints.max_total_size_mb'] * 1_048_576;
  const row = { enabled: config.settings['checkpoints.enabled'], folder: join(home.root, 'checkpoints'), ...figures, maxBytes };
  const screen = processScreen();
  if (flags.json === true) screen.json(statusJson(row));
  else screen.out(renderStatus(row, screen));
  return 0;
}

async function tidied(how: 'prune' | 'clear', flags: JsonFlag): Promise<number> {
  const { home, config } = await opened();
  const store = checkpointStore(home, config.settings);
  const gone: Pruned = await store[how]();
  const screen = processScreen();
  if (flags.json === true) screen.json(gone);
  else screen.out(`${count(gone.checkpoints, 'checkpoint')} cleared away, ${megabytes(gone.bytes)} MB made free.\n`);
  return 0;
}

async function opened(): Promise<Pick<AppHost, 'home' | 'config'>> {
  const home = homeAt(process.env);
  return { home, config: await loadConfig(home.config, environment(home.env, process.env)) };
}

const placeOf = ({ cwd }: Placed): back.Place => {
  const base = nearestReal(resolve(cwd ?? '.'));
  const from = cwd === undefined ? [] : ['--cwd', cwd];
  const say = (words: readonly string[]): string => ['hermes checkpoints restore', ...[...words, ...from].map(shellWordOf)].join(' ');
  return { base, scope: { folder: base }, sessionId: '', say };
};
const shellWordOf = (word: string): string => (/^[\w./:@%+=-]+$/.test(word) ? word : shellWord(word));

const placeFor = (ref: string, flags: Placed, { home, config }: Pick<AppHost, 'home' | 'config'>): back.Place => ({
  ...placeOf(flags),
  scope: scopeOf(ref, flags, checkpointStore(home, config.settings).records()),
});

/** A number is one of the list of a folder. An id may be one of another folder: that one is then rolled back, not this. */
function scopeOf(ref: string, flags: Placed, records: readonly KeptRecord[]): CheckpointFilter {
  const here = placeOf(flags).scope;
  const known = (scope: CheckpointFilter): CheckpointGroup[] => checkpointsOf(records, scope).filter(({ head }) => head.id.startsWith(ref));
  if (back.isNumber(ref) || known(here).length > 0) return here;
  const [only, ...others] = known({});
  return only === undefined || others.length > 0 ? {} : { folder: only.head.root };
}

const lineOf = ({ head, members }: CheckpointGroup, index: number): CheckpointLine => {
  const { id, at, tool, what, root, sessionId, turnId } = head;
  const changed = members.flatMap(({ root: under, left, files }) =>
    left === undefined
      ? files.map(({ path }): CheckpointFile => ({ path: join(under, path), change: 'unknown' }))
      : left.files.filter(isNoFolder).map((file): CheckpointFile => ({ path: join(under, file.path), change: changeOf(file) })),
  );
  const files = [...new Map(changed.map((file) => [file.path, file])).values()];
  return { number: index + 1, id, at, tool, what, root, sessionId, turnId, cutOff: members.some(({ left }) => left === undefined), files };
};
const isNoFolder = ({ before, after }: ChangedFile): boolean => before.is !== 'folder' && after.is !== 'folder';
const changeOf = ({ before, after }: ChangedFile): CheckpointFile['change'] =>
  before.is === 'absent' ? 'made' : after.is === 'absent' ? 'deleted' : 'changed';

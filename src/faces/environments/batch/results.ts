import { basename, join } from 'node:path';
import { makeFolder } from '../../../base/folders.ts';
import type { BatchContext, BatchProgress, BatchResult } from '../../../contracts/services/batches.ts';
import type { RolloutDeps } from '../rollout.ts';
import { writeFigures } from '../run-folder.ts';
import { eachLine, openLineReader, openWholeFile, type StoredLine } from '../lines.ts';
import type { BatchPrompt, ReadPrompts } from './prompts.ts';
import { readRow, toTrajectoryLine, type BatchFilter, type BatchRow } from './row.ts';
import { describeFile, toPythonStatistics } from './statistics.ts';

export interface BatchDeps extends RolloutDeps<BatchPrompt>, BatchContext<BatchProgress> {
  readonly read: ReadPrompts;
  readonly filters: readonly BatchFilter[];
  /** Names of all tools there are. */
  readonly knownTools: readonly string[];
  /** The folder for `rows.jsonl`, `trajectories.jsonl` and `statistics.json`. */
  readonly out: string;
  readonly configHash: string;
  /** The name of the model, where the run names one. */
  readonly model?: string;
}

/** What is remembered of a row while others are made; the row itself is in the file. */
interface RowFigures extends Pick<StoredLine, 'at' | 'size'> {
  readonly hasFailed: boolean;
  /** The filter that leaves it out. */
  readonly filter: string | undefined;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly seconds: number;
  readonly model: string;
}

export const findFilter = (row: BatchRow, filters: readonly BatchFilter[]): BatchFilter | undefined =>
  filters.find((filter) => filter.applies(row));

/** The last row of each prompt under the same settings. Lines that cannot be read are none: their prompts are asked again. */
export function findRows({ configHash, filters, read: { prompts } }: BatchDeps, path: string): ReadonlyMap<string, RowFigures> {
  const wanted = new Set(prompts.map(({ id }) => id));
  const rows = new Map<string, RowFigures>();
  for (const { at, size, value } of eachLine(path)) {
    const row = readRow(value);
    if (row === undefined || row.config_hash !== configHash || !wanted.has(row.prompt_id)) continue;
    const { error, tokens_in: tokensIn, tokens_out: tokensOut, seconds, model } = row;
    const filter = findFilter(row, filters)?.name;
    rows.set(row.prompt_id, { at, size, hasFailed: error !== null, filter, tokensIn, tokensOut, seconds, model });
  }
  return rows;
}

/** Made anew from the rows each time, in the order of the prompts: other filters cost no model call. */
export function writeResults(deps: BatchDeps, path: string): Omit<BatchResult, 'resumed' | 'skipped' | 'seconds'> {
  const {
    read: { prompts },
    filters,
    out,
    settings,
    model = '',
    now,
  } = deps;
  const rows = findRows(deps, path);
  const made = prompts.flatMap(({ id }) => rows.get(id) ?? []);
  const kept = prompts.filter(({ id }) => rows.has(id) && rows.get(id)?.filter === undefined);
  const target = join(out, 'trajectories.jsonl');
  writeTrajectories(deps, { path, target, kept, rows });
  const dropped = Object.fromEntries(filters.map((filter) => [filter.name, made.filter((row) => row.filter === filter.name).length]));
  const sum = (valueOf: (row: RowFigures) => number): number => made.reduce((total, row) => total + valueOf(row), 0);
  writeFigures(join(out, 'statistics.json'), {
    // In the Python system a run has the name of its folder.
    run_name: basename(out),
    distribution: settings.distribution,
    total_prompts: prompts.length,
    total_batches: 1,
    batch_size: prompts.length,
    // A row whose place failed knows of no model.
    model: made.findLast((row) => row.model !== '')?.model ?? model,
    completed_at: new Date(now()).toISOString(),
    duration_seconds: sum(({ seconds }) => seconds),
    kept: kept.length,
    dropped,
    ...toPythonStatistics(describeFile(target)),
  });
  return {
    out,
    prompts: prompts.length,
    kept: kept.length,
    dropped,
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    isStopped: made.length < prompts.length,
  };
}

interface TrajectoryFileOptions {
  readonly path: string;
  readonly target: string;
  readonly kept: readonly BatchPrompt[];
  readonly rows: ReadonlyMap<string, RowFigures>;
}
/** Whole or not at all, and one row in memory at a time. */
function writeTrajectories({ knownTools, out }: BatchDeps, { path, target, kept, rows }: TrajectoryFileOptions): void {
  makeFolder(out);
  using reader = openLineReader(path);
  using file = openWholeFile(target);
  for (const prompt of kept) {
    const found = rows.get(prompt.id);
    const row = found === undefined ? undefined : readRow(reader.read(found));
    if (row !== undefined) file.append(toTrajectoryLine(row, prompt, knownTools));
  }
  file.finish();
}

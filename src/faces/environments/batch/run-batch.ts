import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { formatCount } from '../../../base/screen/figures.ts';
import type { SessionOptions } from '../../../contracts/host.ts';
import type { BatchProgress, BatchResult } from '../../../contracts/services/batches.ts';
import { limitWorkers, runLimited } from '../evaluate.ts';
import { openLineFile } from '../result-file.ts';
import { runRollout } from '../rollout.ts';
import { createToolsetDraw } from '../toolsets.ts';
import type { BatchPrompt } from './prompts.ts';
import { findFilter, findRows, writeResults, type BatchDeps } from './results.ts';
import { FILTERS, type BatchFilter, type BatchRow } from './row.ts';

/** Those that usually apply, less those to keep, and those that are named besides. */
export function selectFilters(keep: readonly string[], drop: readonly string[]): readonly BatchFilter[] {
  const unknown = [...keep, ...drop].find((name) => !FILTERS.some((filter) => filter.name === name));
  if (unknown !== undefined)
    throw new UsageError(`there is no filter ${unknown}. There are: ${FILTERS.map(({ name }) => name).join(', ')}.`);
  if (keep.includes('error')) throw new UsageError('conversations that failed cannot be kept. Leave out --keep error.');
  return FILTERS.filter(({ name, isUsual }) => drop.includes(name) || (isUsual && !keep.includes(name)));
}

/** Asks every prompt that has no row yet, several at a time, and writes each row as its conversation ends. */
export async function runBatch(deps: BatchDeps): Promise<BatchResult> {
  const {
    out,
    settings,
    signal,
    read: { prompts, skipped },
  } = deps;
  const begun = deps.now();
  const path = join(out, 'rows.jsonl');
  const found = findRows(deps, path);
  // What failed is tried again.
  const left = prompts.filter(({ id }) => found.get(id)?.hasFailed !== false);
  const counts = {
    done: prompts.length - left.length,
    kept: [...found.values()].filter(({ filter }) => filter === undefined).length,
    failed: 0,
    running: 0,
  };
  const tell = (last?: BatchProgress['last']): void =>
    deps.onProgress({ ...counts, of: prompts.length, ...(last !== undefined && { last }) });
  const draw = createToolsetDraw(settings);
  using file = openLineFile(path);
  tell();
  await runLimited(left, limitWorkers(settings), signal, async (prompt) => {
    counts.running++;
    try {
      const row = await askPrompt(deps, prompt, draw(prompt.id));
      file.append(row);
      const filter = findFilter(row, deps.filters);
      counts[row.error === null ? 'done' : 'failed']++;
      if (filter === undefined) counts.kept++;
      counts.running--;
      tell({ index: prompt.index, words: row.error ?? filter?.describe ?? formatCount(row.api_calls, 'model call') });
    } catch (error) {
      counts.running--;
      // What the signal stopped was no attempt; the next run makes it.
      if (!signal.aborted) throw error;
    }
  });
  return { ...writeResults(deps, path), resumed: prompts.length - left.length, skipped, seconds: (deps.now() - begun) / 1_000 };
}

/** The session is looked at from outside: which tools it had stands in its log. */
async function askPrompt(deps: BatchDeps, prompt: BatchPrompt, toolsets: readonly string[] | undefined): Promise<BatchRow> {
  let sessionId: string | undefined;
  const host = {
    store: deps.host.store,
    openSession: async (options?: SessionOptions) => {
      const session = await deps.host.openSession(options);
      sessionId = session.session.id;
      return session;
    },
  };
  const { scored, result } = await runRollout({ ...deps, host }, { task: prompt, attempt: 1, toolsets, signal: deps.signal });
  const entries = sessionId === undefined ? [] : await deps.host.store.entries(sessionId);
  const epoch = entries.findLast((entry) => entry.type === 'epoch')?.epoch;
  return {
    prompt_id: prompt.id,
    config_hash: deps.configHash,
    timestamp: new Date(deps.now()).toISOString(),
    model: epoch?.model ?? '',
    error: scored.error ?? null,
    completed: scored.finishedNaturally,
    api_calls: scored.turnsUsed,
    toolsets_used: toolsets ?? epoch?.toolsets ?? [],
    tokens_in: scored.tokensIn,
    tokens_out: scored.tokensOut,
    seconds: scored.agentSeconds,
    tools: epoch?.tools ?? [],
    messages: result.messages,
  };
}

import type { JsonObject } from '../../../base/json-types.ts';
import type { BatchContext, CompressionProgress, CompressionResult } from '../../../contracts/services/batches.ts';
import { compressConversation, type CompressDeps, type CompressedConversation, type CompressionKind } from './compress.ts';
import { eachLine, openWholeFile } from '../lines.ts';
import { readTurns } from './read-sharegpt.ts';

export interface CompressFileOptions extends Omit<CompressDeps, 'signal'>, BatchContext<CompressionProgress> {
  readonly file: string;
  readonly out: string;
}
/** Conversations at a time: their summaries are waited for together. */
const AT_ONCE = 8;

/** In the same order, into a file that is there whole or not at all. Everything else in a line stays. */
export async function compressFile({ file, out, signal, onProgress, ...deps }: CompressFileOptions): Promise<CompressionResult> {
  const kinds: Record<CompressionKind, number> = { untouched: 0, clipped: 0, model: 0, rules: 0 };
  const figures = { trajectories: 0, unreadable: 0, stillOver: 0, tokensBefore: 0, tokensAfter: 0, turnsRemoved: 0, modelFailures: 0 };
  const count = (made: CompressedConversation): void => {
    kinds[made.kind]++;
    figures.trajectories++;
    figures.tokensBefore += made.tokensBefore;
    figures.tokensAfter += made.tokensAfter;
    figures.turnsRemoved += made.turnsRemoved;
    figures.stillOver += Number(made.isOver);
    figures.modelFailures += Number(made.failure !== undefined);
  };
  const of = countLines(file);
  using target = openWholeFile(out);
  for (const lines of inGroups(eachValue(file), AT_ONCE)) {
    if (signal.aborted) break;
    const made = await Promise.all(lines.map((line) => compressLine(line, { ...deps, signal })));
    for (const each of made) {
      if (each === undefined) figures.unreadable++;
      else {
        count(each.compressed);
        target.append(each.line);
      }
    }
    onProgress({ done: figures.trajectories + figures.unreadable, of, compressed: figures.trajectories - kinds.untouched });
  }
  const isStopped = signal.aborted;
  if (!isStopped) target.finish();
  const { untouched, clipped, model: summarizedByModel, rules: summarizedByRules } = kinds;
  return { out, ...figures, untouched, clipped, summarizedByModel, summarizedByRules, isStopped };
}

async function compressLine(line: JsonObject | undefined, deps: CompressDeps) {
  const turns = line === undefined ? undefined : readTurns(line);
  if (turns === undefined) return undefined;
  const compressed = await compressConversation(turns, deps);
  return { compressed, line: { ...line, conversations: compressed.turns } };
}

function* eachValue(file: string): Generator<JsonObject | undefined> {
  for (const { value } of eachLine(file)) yield value;
}

function countLines(file: string): number {
  let count = 0;
  for (const _line of eachLine(file)) count++;
  return count;
}

function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/folders.ts';
import { parseJson, readStringAt, toStableJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json-types.ts';
import { sha256 } from '../../base/sha256.ts';
import type { AgentResult, ScoredAttempt } from '../../contracts/environment.ts';
import { eachLine, type StoredLine } from './lines.ts';
import type { Rollout } from './rollout.ts';

/** What makes two runs the same run: attempts of one are not paid for again in the other. */
export const hashConfig = (values: JsonObject): string => `sha256:${sha256(toStableJson(values))}`;

/** One attempt as a line of `samples.jsonl`, under the names of the Python environments. */
export interface SampleLine {
  readonly run_id: string;
  readonly config_hash: string;
  readonly task_name: string;
  readonly category: string | null;
  readonly difficulty: string | null;
  readonly attempt: number;
  readonly passed: boolean;
  readonly reward: number;
  readonly rewards: Readonly<Record<string, number>>;
  readonly note: string | null;
  readonly turns_used: number;
  readonly finished_naturally: boolean;
  readonly agent_seconds: number;
  readonly verify_seconds: number;
  readonly error: string | null;
  /** Absent in lines that were written before it was told. */
  readonly lost?: boolean;
  readonly outgrown?: true;
  readonly tokens_in: number;
  readonly tokens_out: number;
  readonly tools?: AgentResult['tools'];
  readonly messages: AgentResult['messages'];
  readonly reasoning_per_turn: AgentResult['reasoningPerTurn'];
  readonly tool_errors: AgentResult['toolErrors'];
  /** Absent in lines that were written before tokens were kept. */
  readonly managed_state?: AgentResult['managedState'];
}

/** A reward of 1 is a pass, and nothing below it. */
export const isPass = ({ reward }: Pick<ScoredAttempt, 'reward'>): boolean => reward >= 1;

export function toSampleLine({ scored, result }: Rollout, run: { readonly id: string; readonly configHash: string }): SampleLine {
  return {
    run_id: run.id,
    config_hash: run.configHash,
    task_name: scored.task,
    category: scored.category ?? null,
    difficulty: scored.difficulty ?? null,
    attempt: scored.attempt,
    passed: isPass(scored),
    reward: scored.reward,
    rewards: { reward: scored.reward, ...scored.metrics },
    note: scored.note ?? null,
    turns_used: scored.turnsUsed,
    finished_naturally: scored.finishedNaturally,
    agent_seconds: scored.agentSeconds,
    verify_seconds: scored.rewardSeconds,
    error: scored.error ?? null,
    lost: isLost(scored),
    ...(scored.outgrown === true && { outgrown: true }),
    tokens_in: scored.tokensIn,
    tokens_out: scored.tokensOut,
    ...(result.tools !== undefined && { tools: result.tools }),
    messages: result.messages,
    reasoning_per_turn: result.reasoningPerTurn,
    tool_errors: result.toolErrors,
    managed_state: result.managedState,
  };
}

/** An attempt as it was when its line was written. */
export const toRollout = (line: SampleLine): Rollout => ({
  scored: toScoredAttempt(line),
  result: {
    ...(line.tools !== undefined && { tools: line.tools }),
    messages: line.messages,
    turnsUsed: line.turns_used,
    finishedNaturally: line.finished_naturally,
    reasoningPerTurn: line.reasoning_per_turn,
    toolErrors: line.tool_errors,
    managedState: line.managed_state ?? null,
  },
});

export function toScoredAttempt(line: SampleLine): ScoredAttempt {
  const { reward: _reward, ...metrics } = line.rewards;
  return {
    task: line.task_name,
    ...(line.category !== null && { category: line.category }),
    ...(line.difficulty !== null && { difficulty: line.difficulty }),
    attempt: line.attempt,
    reward: line.reward,
    metrics,
    ...(line.note !== null && { note: line.note }),
    turnsUsed: line.turns_used,
    finishedNaturally: line.finished_naturally,
    agentSeconds: line.agent_seconds,
    rewardSeconds: line.verify_seconds,
    tokensIn: line.tokens_in,
    tokensOut: line.tokens_out,
    ...(line.error !== null && { error: line.error }),
    ...(line.lost === true && { lost: true }),
    ...(line.outgrown === true && { outgrown: true }),
  };
}

/** A line of ours, whatever it holds besides, and where it is. */
export interface StoredObject extends StoredLine {
  readonly value: JsonObject;
}
/** Lines of a file that a run may have been killed in the middle of, one by one: what does not parse is no line. */
export function* eachObject(path: string): Generator<StoredObject> {
  for (const { at, size, value } of eachLine(path)) if (value !== undefined) yield { at, size, value };
}

/** All lines at once: only for files of figures. Conversations and tokens of a long training fill more than the memory there is. */
export const readLines = (path: string): readonly JsonObject[] => [...eachObject(path)].map(({ value }) => value);

/** It tells nothing of the model, which said nothing at all or was cut off by its server or its place: the next run makes it again. */
export const isLost = ({ error, turnsUsed, lost, outgrown }: Pick<ScoredAttempt, 'error' | 'turnsUsed' | 'lost' | 'outgrown'>): boolean =>
  lost === true || (error !== undefined && turnsUsed === 0 && outgrown !== true);

/** An attempt that stands in a file: its figures, and where the conversation can be read again. */
export interface StoredAttempt extends Pick<StoredLine, 'at' | 'size'> {
  readonly scored: ScoredAttempt;
}

/** The attempts of a configuration that need not be made again. */
export const readMadeAttempts = (path: string, configHash: string): readonly StoredAttempt[] =>
  readAttempts(path, configHash).filter(({ scored }) => !isLost(scored));

/** The attempts of the run in a folder that `metrics.json` tells of; what was made under other settings is another run. */
export function readLatestRun(folder: string): readonly ScoredAttempt[] {
  const path = join(folder, 'samples.jsonl');
  const metrics = join(folder, 'metrics.json');
  const told = existsSync(metrics) ? readStringAt(parseJson(readFileSync(metrics, 'utf8')), 'config_hash') : undefined;
  const configHash = told ?? findLastHash(path);
  return configHash === undefined ? [] : readAttempts(path, configHash).map(({ scored }) => scored);
}

function findLastHash(path: string): string | undefined {
  let last: string | undefined;
  for (const { value } of eachObject(path)) last = readSample(value)?.config_hash ?? last;
  return last;
}

/** Of each attempt under a configuration the line that was written last. */
export function readAttempts(path: string, configHash: string): readonly StoredAttempt[] {
  const found = new Map<string, StoredAttempt>();
  for (const { at, size, value } of eachObject(path)) {
    const line = readSample(value);
    if (line?.config_hash === configHash) found.set(`${line.task_name}\n${line.attempt}`, { at, size, scored: toScoredAttempt(line) });
  }
  return [...found.values()];
}

export const readSample = (value: JsonObject | undefined): SampleLine | undefined =>
  typeof value?.['task_name'] === 'string' && typeof value['reward'] === 'number' && typeof value['attempt'] === 'number'
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a line of ours, by its three keys
      (value as unknown as SampleLine)
    : undefined;

/** A file of lines that is added to. */
export interface LineFile extends Disposable {
  /** Bytes it has. */
  readonly size: number;
  /** The line is there, whole, once this returns. */
  append(value: object): void;
}

/** Whole conversations may be in it: only the owner can read it. A torn line at its end, which a kill left, is ended first. */
export function openLineFile(path: string): LineFile {
  makeFolder(dirname(path));
  const file = openSync(path, 'a+', 0o600);
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  if (size > 0) readSync(file, last, 0, 1, size - 1);
  if (size > 0 && last[0] !== 0x0a) writeSync(file, '\n');
  return {
    get size() {
      return fstatSync(file).size;
    },
    append: (value) => {
      writeSync(file, `${JSON.stringify(value)}\n`);
      fsyncSync(file);
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

import { join } from 'node:path';
import { replaceFile } from '../../../base/replace-file.ts';
import type { ScoredAttempt } from '../../../contracts/environment.ts';
import type { EvaluationResult } from '../../../contracts/services/environments.ts';
import { openLineReader } from '../lines.ts';
import { readAttempts, readSample } from '../result-file.ts';
import { createEvaluationPage } from './evaluation.ts';

export interface ReportOptions {
  readonly name: string;
  readonly configHash: string;
  readonly model?: string;
  readonly now: number;
}

/** Writes `report.html` beside the figures. Conversations are read from `samples.jsonl`: attempts of earlier runs count too. */
export function writeReport({ out, attempts, figures, isStopped }: EvaluationResult, { configHash, ...about }: ReportOptions): void {
  const path = join(out, 'samples.jsonl');
  const places = new Map(readAttempts(path, configHash).map((stored) => [keyOf(stored.scored), stored]));
  using reader = places.size === 0 ? undefined : openLineReader(path);
  const reported = attempts.map((scored) => ({
    scored,
    // Read when it is drawn: all of them together may be more than the memory there is.
    get messages() {
      const place = places.get(keyOf(scored));
      return (place === undefined ? undefined : readSample(reader?.read(place)))?.messages ?? [];
    },
  }));
  replaceFile(join(out, 'report.html'), createEvaluationPage({ ...about, figures, isStopped, attempts: reported }));
}

const keyOf = ({ task, attempt }: ScoredAttempt): string => `${task}\n${attempt}`;

import { join } from 'node:path';
import { replaceFile } from '../../../base/replace-file.ts';
import type { EvaluationResult } from '../../../contracts/services/environments.ts';
import { readSamples } from '../result-file.ts';
import { createEvaluationPage } from './evaluation.ts';

export interface ReportOptions {
  readonly name: string;
  readonly configHash: string;
  readonly model?: string;
  readonly now: number;
}

/** Writes `report.html` beside the figures. Conversations are read from `samples.jsonl`: attempts of earlier runs count too. */
export function writeReport({ out, attempts, figures, isStopped }: EvaluationResult, { configHash, ...about }: ReportOptions): void {
  const said = new Map(
    readSamples(join(out, 'samples.jsonl'))
      .filter(({ config_hash: hash }) => hash === configHash)
      .map(({ task_name: task, attempt, messages }) => [`${task}\n${attempt}`, messages]),
  );
  const reported = attempts.map((scored) => ({ scored, messages: said.get(`${scored.task}\n${scored.attempt}`) ?? [] }));
  replaceFile(join(out, 'report.html'), createEvaluationPage({ ...about, figures, isStopped, attempts: reported }));
}

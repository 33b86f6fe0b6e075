import { join } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import type { EvaluationResult } from '../../../contracts/services/environments.ts';
import { listEvaluationValues } from '../figures.ts';
import { readLines } from '../result-file.ts';
import { openMetricsFile } from './sink.ts';
import { createWandbSink, type WandbServer } from './wandb.ts';

export interface EvaluationTeller {
  readonly name: string;
  readonly configHash: string;
  /** Figures go to Weights & Biases as well, into this project. */
  readonly wandb?: WandbServer & { readonly project: string };
  readonly now: () => number;
  readonly notice: (words: string) => void;
}

/**
 * A line of `evaluations.jsonl` for an evaluation that came to its end. A folder and a configuration are always the same run at
 * Weights & Biases, so that what could not be sent is sent when the same command is given again, and nothing stands there twice.
 */
export async function tellEvaluation(
  { out, figures, attempts, resumed, isStopped }: EvaluationResult,
  { name, configHash, wandb, now, notice }: EvaluationTeller,
): Promise<void> {
  if (isStopped) return;
  const path = join(out, 'evaluations.jsonl');
  if (attempts.length > resumed || readLines(path).length === 0) {
    await using file = openMetricsFile(path, now);
    file.log({ step: readLines(path).length, values: listEvaluationValues(figures) });
  }
  if (wandb === undefined) return;
  const { project, ...server } = wandb;
  await using _sink = createWandbSink({
    ...server,
    path,
    name,
    notebook: { notes: { wandb: { runId: sha256(`${out}/${configHash}`).slice(0, 8), sent: 0 } }, write: () => {} },
    config: { environment: name, config_hash: configHash },
    now,
    askProject: async () => ({ project }),
    onNews: notice,
  });
}

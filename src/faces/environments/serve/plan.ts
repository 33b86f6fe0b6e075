import type { EnvironmentSettings } from '../../../contracts/environment.ts';
import type { TrainerStatus } from './atropos-client.ts';

type PlanSettings = Pick<
  EnvironmentSettings,
  'group_size' | 'max_batches_offpolicy' | 'eval_handling' | 'eval_limit_ratio' | 'min_batch_allocation'
>;
export interface ServeState {
  readonly status: TrainerStatus;
  readonly batchSize: number;
  readonly totalSteps: number;
  /** Most groups at a time. */
  readonly maxGroups: number;
  /** Groups under way. */
  readonly running: number;
  /** Finished, but not with the trainer yet. */
  readonly waiting: number;
  readonly isEvaluating: boolean;
}

/** How many groups to begin now. What is under way is never cancelled: a slow trainer only stops new ones. */
export function countNewGroups(state: ServeState, settings: PlanSettings): number {
  if (isTrainingOver(state, settings)) return 0;
  const { status, batchSize, maxGroups, running, waiting } = state;
  const { group_size: size, max_batches_offpolicy: batches, min_batch_allocation: own } = settings;
  const share = own === null ? batchSize : Math.floor(batchSize * Math.min(1, status.unallocated + own));
  const room = Math.floor((batches * share) / size) - status.queued;
  const reserved = own === null ? 0 : Math.floor((batches * Math.floor(batchSize * own)) / size) - status.selfQueued;
  return Math.max(0, Math.min(limitDuringEvaluation(maxGroups, state, settings), Math.max(room, reserved) - waiting) - running);
}

function limitDuringEvaluation(most: number, { isEvaluating }: ServeState, { eval_handling, eval_limit_ratio }: PlanSettings): number {
  if (!isEvaluating || eval_handling === 'NONE') return most;
  return eval_handling === 'STOP_TRAIN' ? 0 : Math.floor(most * eval_limit_ratio);
}

/** The trainer has what it needs for all its steps, and a batch to spare. */
const isTrainingOver = (
  { status, batchSize, totalSteps }: Pick<ServeState, 'status' | 'batchSize' | 'totalSteps'>,
  { group_size: size }: Pick<EnvironmentSettings, 'group_size'>,
): boolean => status.step + Math.floor((status.queued * size) / batchSize) > totalSteps;

/** A boundary was crossed, however many steps came at once; with 1, every step is one. */
export const isEvaluationDue = (before: number, now: number, every: number): boolean =>
  Math.floor(now / every) > Math.floor(before / every);

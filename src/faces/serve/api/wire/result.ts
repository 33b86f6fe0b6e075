import type { Run } from '../../../../contracts/run-store.ts';
import { ApiError } from '../http/errors.ts';
import type { RunEndData } from '../runs/run-events.ts';

/** What came of a run that is over. */
export const readResult = ({ result, id }: Run): RunEndData => {
  if (result === undefined) throw new Error(`run ${id} is not over`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read from where only the end of a run writes
  return result as unknown as RunEndData;
};

const STATUSES: ReadonlyMap<string, number> = new Map([
  ['model_overloaded', 503],
  ['model_unavailable', 502],
  ['context_length_exceeded', 400],
  ['content_filter', 400],
  ['model_refused_request', 400],
  ['insufficient_quota', 429],
  ['answer_rejected', 502],
]);
export const toFailureStatus = (code: string): number => STATUSES.get(code) ?? 500;

/** A run that failed without a word is an error to whoever waited for its answer. */
export function refuseFailedRun(run: Run): void {
  const { output, error } = readResult(run);
  if (error === undefined || output !== '') return;
  throw new ApiError(toFailureStatus(error.code), error.code, error.message, { headers: { 'x-hermes-run-id': run.id } });
}

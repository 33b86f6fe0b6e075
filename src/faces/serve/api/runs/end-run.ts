import type { OutcomeEntry } from '../../../../contracts/entry.ts';
import type { ExitReason } from '../../../../contracts/outcome.ts';
import type { FinalRunState, NewRunEvent } from '../../../../contracts/run-store.ts';
import type { ClientCall } from './client-tools.ts';
import { createRunEvent, type RunEndData, type RunUsage } from './run-events.ts';

export interface DescribedEnd {
  readonly state: FinalRunState;
  readonly event: NewRunEvent;
  readonly result: RunEndData;
}

/** How a run ends by what its turn came to. */
export function describeEnd(entry: OutcomeEntry, textOf: (messageId: string) => string, usage: RunUsage): DescribedEnd {
  const { exitReason, outcome } = entry;
  const ids = entry.parts ?? (entry.messageId === undefined ? [] : [entry.messageId]);
  const output = ids.map(textOf).join('');
  const common = { output, exit_reason: exitReason, usage };
  // Not even the first call fits into what is left.
  if (BUDGETS.has(exitReason) && ids.length === 0) return createFailedEnd('insufficient_quota', '', usage);
  if (outcome === 'failed') return createFailedEnd(exitReason, output, usage);
  if (exitReason === 'interrupted' || exitReason === 'terminated') return toEnd('cancelled', { ...common, finish_reason: 'cancelled' });
  // Words of ours where the model said nothing: that a limit was reached, that the answer was empty.
  const said = output === '' ? (entry.notice ?? '') : output;
  return toEnd('completed', { ...common, output: said, finish_reason: outcome === 'answered' ? 'stop' : 'length' });
}

export const createFailedEnd = (exitReason: string, output: string, usage: RunUsage): DescribedEnd => {
  const error = FAILURES.get(exitReason) ?? UNKNOWN_FAILURE;
  return toEnd('failed', { output, exit_reason: exitReason, usage, finish_reason: 'error', error });
};

export const createCancelledEnd = (usage: RunUsage): DescribedEnd =>
  toEnd('cancelled', { output: '', exit_reason: 'interrupted', usage, finish_reason: 'cancelled' });

const BUDGETS: ReadonlySet<ExitReason> = new Set<ExitReason>(['token_budget', 'money_budget']);

/** The turn waits for what the client's tools give. */
export const createWaitingEnd = (calls: readonly ClientCall[], output: string, usage: RunUsage): DescribedEnd =>
  toEnd('completed', { output, exit_reason: 'tool_calls', usage, finish_reason: 'tool_calls', tool_calls: calls });

/** The answer up to the first of these texts. */
export function cutAtStop(end: DescribedEnd, stops: readonly string[]): DescribedEnd {
  const places = stops.map((stop) => end.result.output.indexOf(stop)).filter((place) => place >= 0);
  if (places.length === 0 || end.state !== 'completed') return end;
  return toEnd('completed', { ...end.result, output: end.result.output.slice(0, Math.min(...places)), finish_reason: 'stop' });
}
export const withOutput = ({ state, result }: DescribedEnd, output: string): DescribedEnd => toEnd(state, { ...result, output });

const toEnd = (state: FinalRunState, result: RunEndData): DescribedEnd => ({
  state,
  event: createRunEvent(`run.${state}`, result),
  result,
});

interface ToldFailure {
  readonly code: string;
  readonly message: string;
}
/** What a program is told of a failure. What a provider said may name servers, accounts and keys: it is in the log of the session. */
const told = (code: string, message: string, ...reasons: readonly ExitReason[]): [ExitReason, ToldFailure][] =>
  reasons.map((reason) => [reason, { code, message }]);
const FAILURES: ReadonlyMap<string, ToldFailure> = new Map<string, ToldFailure>([
  ['insufficient_quota', { code: 'insufficient_quota', message: 'The budget of this key does not suffice for another call of the model.' }],
  [
    'answer_rejected',
    {
      code: 'answer_rejected',
      message:
        'The model gave no answer of the form that was asked for, not even when it was told what was wrong. Simplify the schema, or ask again.',
    },
  ],
  ['session_unavailable', { code: 'server_error', message: 'The session could not be opened. The log of the server says why.' }],
  ...told('model_overloaded', 'The model provider is busy. Try again later.', 'rate_limited', 'upstream_limited', 'overloaded'),
  ...told('model_unavailable', 'The model provider could not be reached.', 'server_error', 'network', 'tls', 'timeout', 'malformed'),
  ...told('model_unavailable', 'The model provider refused this server.', 'unauthorized', 'forbidden', 'billing', 'model_not_found'),
  ...told('context_length_exceeded', 'The conversation is too long for the model.', 'context_overflow', 'payload_too_large'),
  ...told(
    'server_error',
    'The server stopped again and again at the same step of this run, so it was given up. What was done before is in its session; send the request again to go on.',
    'crashed',
  ),
  ...told(
    'model_refused_request',
    'The model provider refused the request as invalid. The log of the session says why.',
    'bad_request',
    'parameter_refused',
    'schema_refused',
    'output_cap',
    'bad_signature',
    'tool_content_refused',
    'streaming_refused',
  ),
  ...told('model_unavailable', 'The model provider has nothing at the address that is set.', 'endpoint_not_found'),
  ...told('content_filter', 'The model provider refused the content.', 'policy_blocked', 'content_blocked', 'image_refused'),
]);
const UNKNOWN_FAILURE: ToldFailure = { code: 'server_error', message: 'The turn failed. The log of the session says why.' };

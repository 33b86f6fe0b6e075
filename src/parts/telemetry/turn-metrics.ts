import type { Metrics } from '../../base/metrics.ts';
import type { ObserveCommit } from '../../contracts/commits.ts';
import type { Entry } from '../../contracts/entry.ts';
import type { CallRecord } from '../../contracts/ledger.ts';
import type { FinishReason } from '../../contracts/provider.ts';
import { createTurnFollower } from './settled-turns.ts';

/** From a word to a long night's work, in seconds. */
const TURN_SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
const CALL_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160];
const TOOL_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];
const USEFUL: ReadonlySet<string> = new Set<FinishReason>(['stop', 'tool_calls', 'length', 'paused']);
/** Whether a call gave something to go on with. */
export const isUsefulResult = (result: CallRecord['result']): boolean => USEFUL.has(result);

/** Counts what sessions make durable. */
export function countTurns(metrics: Metrics): ObserveCommit {
  const turns = metrics.counter('hermes_turns_total', 'Turns that ended, by outcome and exit reason.');
  const turnSeconds = metrics.histogram('hermes_turn_seconds', 'Time from the message to the outcome.', TURN_SECONDS);
  const countCall = countCalls(metrics);
  const countTool = countTools(metrics);
  const compactions = metrics.counter('hermes_compactions_total', 'Compactions, by outcome.');
  const follow = createTurnFollower();
  return (commit) => {
    for (const { outcome, exitReason, startedAt, endedAt } of follow(commit)) {
      turns.add(1, { outcome, exit_reason: exitReason });
      turnSeconds.observe(Math.max(0, endedAt - startedAt) / 1_000, { outcome });
    }
    for (const call of commit.change.calls ?? []) countCall(call);
    for (const entry of commit.entries) {
      countTool(entry);
      const report = entry.type === 'compaction' ? entry.report : entry.type === 'note' ? entry.compaction : undefined;
      if (report !== undefined) compactions.add(1, { outcome: report.outcome });
    }
  };
}

function countCalls(metrics: Metrics): (call: CallRecord) => void {
  const calls = metrics.counter('hermes_model_calls_total', 'Model calls, by how they ended.');
  const failures = metrics.counter('hermes_failures_total', 'Model calls that gave no usable message, by type of failure.');
  const seconds = metrics.histogram('hermes_model_call_seconds', 'Time of a model call.', CALL_SECONDS);
  const tokens = metrics.counter('hermes_tokens_total', 'Tokens, by class. Reasoning is part of output.');
  const cost = metrics.counter('hermes_cost_usd_total', 'Cost of model calls in US dollars, as far as prices are known.');
  const unpriced = metrics.counter('hermes_unpriced_calls_total', 'Model calls whose price is unknown.');
  return ({ runtime, purpose = 'turn', result, ms, usage, price }) => {
    if (purpose === 'elsewhere') return;
    const model = { provider: runtime.provider, model: runtime.model };
    calls.add(1, { ...model, purpose, result });
    if (!isUsefulResult(result)) failures.add(1, { provider: runtime.provider, type: result });
    seconds.observe(ms / 1_000, model);
    for (const [kind, count] of Object.entries(usage)) if (count > 0) tokens.add(count, { ...model, kind });
    if (price === undefined) unpriced.add(1, model);
    else cost.add(price, model);
  };
}

function countTools(metrics: Metrics): (entry: Entry) => void {
  const calls = metrics.counter('hermes_tool_calls_total', 'Tool calls, by tool and result.');
  const seconds = metrics.histogram('hermes_tool_seconds', 'Time of a tool call, without waiting for consent.', TOOL_SECONDS);
  return (entry) => {
    // Without a time no tool ran: the name may be one that the model made up.
    if (entry.type !== 'message' || entry.message.role !== 'tool' || entry.ms === undefined) return;
    const tool = entry.tool ?? entry.message.name;
    calls.add(1, { tool, result: entry.message.failed ? 'failed' : 'done' });
    seconds.observe(entry.ms / 1_000, { tool });
  };
}

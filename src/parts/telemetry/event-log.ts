import { join } from 'node:path';
import type { JsonObject } from '../../base/json-types.ts';
import { openRotatingFile } from '../../base/rotating-file.ts';
import type { ObserveCommit } from '../../contracts/commits.ts';
import { createTurnFollower } from './settled-turns.ts';
import { isUsefulResult } from './turn-metrics.ts';

export const findEventLog = (root: string): string => join(root, 'logs', 'events.jsonl');

/** What happened, a JSON object a line, for programs: names, times and figures, never what was said. */
export interface EventLog {
  write(event: string, facts: JsonObject): void;
  readonly observe: ObserveCommit;
}

export function openEventLog(root: string, now: () => number): EventLog {
  const append = openRotatingFile(findEventLog(root));
  const write: EventLog['write'] = (event, facts) => append(JSON.stringify({ at: new Date(now()).toISOString(), event, ...facts }));
  const follow = createTurnFollower();
  return {
    write,
    observe: (commit) => {
      for (const { runtime, purpose = 'turn', result, ms } of commit.change.calls ?? [])
        if (purpose !== 'elsewhere' && !isUsefulResult(result))
          write('failure', { session: commit.sessionId, provider: runtime.provider, model: runtime.model, purpose, type: result, ms });
      for (const { sessionId, turnId, outcome, exitReason, startedAt, endedAt, steps, tools, usage, price } of follow(commit))
        write('turn', {
          session: sessionId,
          turn: turnId,
          outcome,
          exit_reason: exitReason,
          ms: Math.max(0, endedAt - startedAt),
          steps,
          tools,
          input_tokens: usage.input,
          output_tokens: usage.output,
          cache_read_tokens: usage.cacheRead,
          cache_write_tokens: usage.cacheWrite,
          cost_usd: price === undefined ? null : Number(price.toFixed(6)),
        });
    },
  };
}

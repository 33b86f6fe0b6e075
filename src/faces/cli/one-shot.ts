import type { AgentEvent, Outcome } from '../../contracts/event.ts';
import { exitCode } from './exit-codes.ts';
import { jsonLine } from './json-events.ts';
import { progress } from './progress.ts';

/** Where a face writes. Tests hand in arrays. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Whether a person watches stderr. */
  readonly watched: boolean;
}
export interface OneShot {
  readonly sessionId: string;
  readonly resumed: boolean;
  readonly json: boolean;
  readonly turns: AsyncGenerator<AgentEvent, Outcome | undefined>;
}

/** Runs to the end: the final answer on stdout and nothing else there, or the events as JSON lines. Gives the exit code. */
export async function runOneShot({ sessionId, resumed, json, turns }: OneShot, streams: Streams): Promise<number> {
  if (json) streams.out(jsonLine({ type: 'session', id: sessionId, resumed }));
  const show = json ? undefined : progress(streams);
  let held: Extract<AgentEvent, { type: 'settled' }> | undefined;
  for (let step = await turns.next(); ; step = await turns.next()) {
    if (step.done === true) break;
    const event = step.value;
    // Only the last turn's outcome is this command's; a cut-off turn that was finished on the way is told as such.
    if (event.type === 'settled') {
      held = event;
      continue;
    }
    if (held !== undefined) report({ type: 'notice', text: `The turn that was cut off is finished (${held.outcome.exitReason}).` });
    held = undefined;
    report(event);
  }
  return held === undefined ? nothingToDo() : finish(held.outcome);

  function report(event: AgentEvent): void {
    if (json) streams.out(jsonLine(event));
    else show?.(event);
  }
  function finish(outcome: Outcome): number {
    if (json) streams.out(jsonLine({ type: 'settled', outcome }));
    else if (outcome.type === 'failed' || (outcome.type !== 'answered' && outcome.words === 'ours')) streams.err(`${outcome.text}\n`);
    else streams.out(outcome.text.endsWith('\n') ? outcome.text : `${outcome.text}\n`);
    return exitCode(outcome);
  }
  function nothingToDo(): number {
    if (!json) streams.err(`Nothing was cut off in session ${sessionId}.\n`);
    return 0;
  }
}

import type { AgentEvent } from '../../contracts/event.ts';
import { snake } from './snake.ts';

/** One event as one line of JSON. The last line of a run is the outcome, flat, as scripts read it. */
export function jsonLine(event: AgentEvent): string {
  return `${JSON.stringify(event.type === 'settled' ? outcomeLine(event) : snake(event))}\n`;
}

/** The last line when nothing was cut off and nothing waits. */
export const NOTHING_TO_DO = `${JSON.stringify({ type: 'outcome', outcome: 'answered', exit_reason: 'nothing_to_do', text: '' })}\n`;

const outcomeLine = ({ outcome }: Extract<AgentEvent, { type: 'settled' }>) => ({
  type: 'outcome',
  outcome: outcome.type,
  exit_reason: outcome.exitReason,
  text: outcome.text,
  ...('failure' in outcome && outcome.failure !== undefined && { failure: snake(outcome.failure) }),
});

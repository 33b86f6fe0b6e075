import type { AgentEvent } from '../../contracts/event.ts';
import { toEntryRow } from '../../commands/session-rows.ts';
import { toSnakeCase } from '../../base/snake-case.ts';

/** One event as one line of JSON. The last line of a run is the outcome, flat, as scripts read it. */
export function encodeEventLine(event: AgentEvent): string {
  return `${JSON.stringify(lineOf(event))}\n`;
}

/** The first line of a run: which session the rest belongs to. */
export const encodeSessionLine = (id: string, resumed: boolean): string => `${JSON.stringify({ type: 'session', id, resumed })}\n`;

/** Call-time text belongs to the wire alone, in a stream of events too. */
const lineOf = (event: AgentEvent): unknown =>
  event.type === 'settled'
    ? outcomeLine(event)
    : event.type === 'entry'
      ? { type: event.type, entry: toEntryRow(event.entry) }
      : toSnakeCase(event);

/** The last line when nothing was cut off and nothing waits. */
export const NOTHING_TO_DO = `${JSON.stringify({ type: 'outcome', outcome: 'answered', exit_reason: 'nothing_to_do', text: '' })}\n`;

const outcomeLine = ({ outcome }: Extract<AgentEvent, { type: 'settled' }>) => ({
  type: 'outcome',
  outcome: outcome.type,
  exit_reason: outcome.exitReason,
  text: outcome.text,
  ...('failure' in outcome && outcome.failure !== undefined && { failure: toSnakeCase(outcome.failure) }),
});

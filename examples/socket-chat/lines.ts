import { visibleText, type AgentEvent, type Outcome, type Question } from '../../src/index.ts';

/** One thing a client is told: what it is, and its words. */
export type Line = readonly [what: string, words: string];

/** Text is told when it is whole: what streams in may still be void (`recovering`), and a line that went out cannot be. */
export function linesOfEvent(event: AgentEvent): readonly Line[] {
  switch (event.type) {
    case 'sampled':
      return visibleText(event.message) === '' ? [] : [['text', visibleText(event.message)]];
    case 'tool_started':
      return [['started', `${event.call.name} ${JSON.stringify(event.call.input)}`]];
    case 'tool_finished':
      return [[event.result.failed ? 'failed' : 'finished', `${event.result.name} ${visibleText(event.result)}`]];
    case 'inbox':
      return [['posted', event.fate]];
    case 'notice':
      return [['notice', event.text]];
    case 'settled':
      return [['outcome', `${event.outcome.exitReason}${ourWords(event.outcome)}`]];
    default:
      return [];
  }
}
/** What the model said has been told already. */
const ourWords = (outcome: Outcome): string =>
  outcome.type === 'answered' || (outcome.type !== 'failed' && outcome.words === 'model') ? '' : `: ${outcome.text}`;

export const linesOfQuestion = ({ question, act, notes = [], choices }: Question): readonly Line[] => [
  ['question', question],
  ...(act === undefined ? [] : [['act', act] as const]),
  ...notes.map((note) => ['note', note] as const),
  ...choices.map((choice, index) => ['choice', `${index + 1} ${choice}`] as const),
];

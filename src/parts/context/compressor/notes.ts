import type { Entry, LogMessage } from '../../../contracts/entry.ts';
import { createTextBlock, joinTextBlocks, type Message } from '../../../contracts/message.ts';
import { estimateMessageTokens, estimateTextTokens } from '../view/tokens.ts';
import { renderActiveTask, type ActiveTask, type Attachment } from './facts/active.ts';
import { dropSuspiciousLines } from './digest.ts';
import { listOpenTasks } from './facts/todos.ts';
import { createAnswerPicker } from './facts/answers.ts';
import { RULES_STRETCH, createStatementPicker } from './facts/said.ts';
import type { CompactionPlan } from './plan.ts';
import { listLogMessages, type ViewRow } from './rows/rows.ts';
import type { IsSuspicious } from './suspicious.ts';
import { escapeFences } from './transcript.ts';
import { ANSWERED_OPEN, CLOSING_NOTE, CLOSING_NOTE_ALONE, CLOSING_NOTE_DONE, renderOpeningNote, SAID_OPEN } from './words.ts';

export const ENGINE = 'compressor';

/** What of the summary's budget each mechanical part may take beside what the model writes, and the least it gets. */
const SHARES = {
  said: { share: 0.25, least: 500 },
  tasks: { share: 0.15, least: 300 },
  answers: { share: 0.1, least: 200 },
  anchors: { share: 0.2, least: 200 },
};

/** The parts of the notes no model decides, as they stand before and after what it writes. */
export interface NoteFacts {
  readonly front: string;
  readonly back: string;
  /** What no words can stand for. */
  readonly attached: readonly Attachment[];
  /** Of the latest request only a part stands in them, and it stands nowhere else. */
  readonly isRequestCut: boolean;
  readonly tokens: number;
}
/** What the facts may take, in estimated tokens. */
export interface FactBudgets {
  readonly summary: number;
  /** What each part but the latest request may take at the very most. */
  readonly most: number;
  /** What the latest request may take. */
  readonly request: number;
}
/** Exact strings of some rows worth keeping in view, the most useful first: each as it is, and as a line of notes. */
export type FindAnchors = (rows: readonly LogMessage[]) => readonly AnchorLine[];
export interface AnchorLine {
  readonly fact: string;
  readonly line: string;
}
export interface FactOptions {
  readonly anchors: FindAnchors;
  readonly suspicious: IsSuspicious;
  /** The tool that brings rows of the log back, where there is one. */
  readonly recall?: string | undefined;
}

/** The latest request as the notes will have it. Cheap: it tells whether there is room before the rest is gathered. */
export const requestFacts = (
  entries: readonly Entry[],
  plan: CompactionPlan,
  { request }: FactBudgets,
  { recall }: FactOptions,
): ActiveTask => renderActiveTask(entries, plan, { cap: request, tasks: listOpenTasks(entries, 0).length > 0, recall });

/** The facts of a span, drawn as large as there is room. */
export interface FactSource {
  /**
   * @param more tokens beyond the least: what the user said has them first, then what was answered, then anchors.
   * @param beside words the model will see besides; what stands there is no anchor.
   */
  draw(more: number, beside: string): NoteFacts;
}

/** Taken from the log and never from an earlier summary, so that nothing fades from one compaction to the next. */
export function createFactSource(
  entries: readonly Entry[],
  plan: CompactionPlan,
  active: ActiveTask,
  budgets: FactBudgets,
  options: FactOptions,
): FactSource {
  const rows = listLogMessages(entries, plan.fromSeq, plan.toSeq);
  const share = (of: keyof typeof SHARES) => Math.min(Math.max(budgets.summary * SHARES[of].share, SHARES[of].least), budgets.most);
  const anchors = options.anchors(rows).filter(({ line }) => !options.suspicious(line));
  const shown = plan.tail.map(({ message }) => JSON.stringify(message.content)).join('\n');
  const [said, answered] = [createStatementPicker(rows, active.seqs), createAnswerPicker(rows)];
  const tasks = section('## Open tasks', listOpenTasks(entries, share('tasks')));
  return {
    draw: (more, beside) => {
      const userLines = said(share('said') + more, Math.max(share('said') * RULES_STRETCH, share('said') + more));
      const answersRoom = share('answers') + leftOf(more, userLines, share('said'));
      const answers = dropSuspiciousLines(answered(answersRoom), options.suspicious);
      const front = joined([
        renderOpeningNote(plan.fromSeq, plan.toSeq, options.recall),
        section('## Active task', [active.text]),
        tasks,
        section('## What the user said', userLines, SAID_OPEN),
        section('## What you answered', answers, ANSWERED_OPEN),
      ]);
      const lines = anchors.filter(({ fact }) => ![front, beside, shown].some((words) => words.includes(fact))).map(({ line }) => line);
      const room = share('anchors') + leftOf(answersRoom - share('answers'), answers, share('answers'));
      const closing = plan.tail.length > 0 ? CLOSING_NOTE : active.open ? CLOSING_NOTE_ALONE : CLOSING_NOTE_DONE;
      const back = joined([section('## Anchors', within(lines, room)), closing]);
      return { front, back, attached: active.attached, isRequestCut: active.isCut, tokens: noteTokens(front, back, active.attached) };
    },
  };
}

/** What a section leaves of the room it was given beyond its share. */
const leftOf = (more: number, lines: readonly string[], share: number): number =>
  Math.max(0, more - Math.max(0, estimateTextTokens(lines.join('\n')) - share));

const noteTokens = (front: string, back: string, attached: readonly Attachment[]): number =>
  estimateTextTokens(front) + estimateTextTokens(back) + estimateMessageTokens({ role: 'user', content: attached }) + BLOCKS;
/** What three blocks cost beyond their words. */
const BLOCKS = 8;

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
const section = (heading: string, lines: readonly string[], intro?: string): string =>
  lines.length === 0 ? '' : [heading, ...(intro === undefined ? [] : [intro]), ...lines].join('\n');

function within(lines: readonly string[], budget: number): readonly string[] {
  let spent = 0;
  return lines.map((line) => `- ${line}`).filter((line) => (spent += estimateTextTokens(line) + 1) <= budget);
}

/** Three blocks: facts, what was written, facts; then images. The second is what a later compaction brings up to date. */
export const createSummaryMessage = ({ front, back, attached }: NoteFacts, body: string): Message => ({
  role: 'user',
  content: [createTextBlock(`${front}\n\n`, 'tool'), createTextBlock(`${body}\n\n`, 'tool'), createTextBlock(back, 'tool'), ...attached],
});

/** What earlier summaries in these rows say, without their facts: those are taken anew. Another engine's is taken whole. */
export function joinEarlierNotes(rows: readonly ViewRow[]): string {
  const notes = rows.flatMap(({ summary }) => {
    if (summary === undefined) return [];
    const written = summary.report?.engine === ENGINE ? summary.summary.content[1] : undefined;
    return [written?.type === 'text' ? written.text : joinTextBlocks(summary.summary)];
  });
  return escapeFences(notes.map((note) => note.trim()).join('\n\n'));
}

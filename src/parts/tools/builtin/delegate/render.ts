import { safeHead } from '../../../../base/text.ts';
import type { ChildResult } from '../../../../contracts/ports.ts';
import type { DelegatedTask } from './tool.ts';

/** What each child did, in words the parent can go on with. */
export const render = (tasks: readonly DelegatedTask[], results: readonly ChildResult[], most: number): string =>
  results.map((result, index) => one(tasks[index]?.goal ?? '', result, index, results.length, most)).join('\n\n');

function one(goal: string, result: ChildResult, index: number, count: number, most: number): string {
  const { status, summary, error, artefacts, sessionId, steps, seconds } = result;
  const head = `[${count === 1 ? 'child' : `child ${index + 1} of ${count}`}: ${STATUS[status]}; ${steps} steps, ${Math.round(seconds)} s${sessionId === undefined ? '' : `, session ${sessionId}`}]`;
  const cut = summary.length > most;
  return [
    head,
    ...(count === 1 ? [] : [`Task: ${safeHead(goal.replace(/\s+/g, ' ').trim(), 120)}`]),
    ...(error === undefined ? [] : [`What went wrong: ${error}`]),
    ...(summary === '' ? ['It left no words.'] : [cut ? safeHead(summary, most) : summary]),
    ...(cut ? [`[cut after ${most} of ${summary.length} characters; session_search with that session shows the rest]`] : []),
    ...(artefacts.length === 0 ? [] : [`Files it wrote: ${artefacts.join(', ')}`]),
  ].join('\n');
}

const STATUS: Readonly<Record<ChildResult['status'], string>> = {
  completed: 'done',
  partial: 'ended early, what it has so far',
  failed: 'failed',
  timeout: 'ran out of time, what it has so far',
  stalled: 'fell silent and was stopped, what it has so far',
  interrupted: 'interrupted, what it has so far',
};

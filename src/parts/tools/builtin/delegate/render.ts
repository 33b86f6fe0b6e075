import { takeStart } from '../../../../base/text.ts';
import type { Artefacts, ChildResult } from '../../../../contracts/ports.ts';

/** What each child did, in words the parent can go on with. */
export const render = (tasks: readonly { readonly goal: string }[], results: readonly ChildResult[], most: number): string =>
  results.map((result, index) => one(tasks[index]?.goal ?? '', result, index, results.length, most)).join('\n\n');

function one(goal: string, result: ChildResult, index: number, count: number, most: number): string {
  const { status, summary, error, artefacts, withheld, sessionId, steps, seconds } = result;
  const head = `[${count === 1 ? 'child' : `child ${index + 1} of ${count}`}: ${STATUS[status]}; ${steps} ${steps === 1 ? 'step' : 'steps'}, ${Math.round(seconds)} s${sessionId === undefined ? '' : `, session ${sessionId}`}]`;
  const cut = summary.length > most;
  return [
    head,
    ...(count === 1 ? [] : [`Task: ${takeStart(goal.replace(/\s+/g, ' ').trim(), 120)}`]),
    ...(withheld.length === 0 ? [] : [`Toolsets that gave it no tools: ${withheld.join(', ')}`]),
    ...(error === undefined ? [] : [`What went wrong: ${error}`]),
    ...(summary === '' ? ['It returned no report.'] : [cut ? takeStart(summary, most) : summary]),
    ...(cut ? [`[cut after ${most} of ${summary.length} characters; session_search with that session shows the rest]`] : []),
    ...(sessionId === undefined ? [] : filesIn(artefacts)),
  ].join('\n');
}

/** A list that may lack something says so, also when it is empty. */
function filesIn({ written, deleted, shared, known }: Artefacts): string[] {
  const lines = [
    [`Files it wrote${KNOWN[known]}`, written],
    [`Files it deleted${KNOWN[known]}`, deleted],
    ['Files changed while it and another session worked, by either', shared],
  ] as const;
  const some = lines.flatMap(([what, paths]) => (paths.length === 0 ? [] : [`${what}: ${paths.join(', ')}`]));
  return some.length > 0 || known === 'all' ? some : [`Files it wrote${KNOWN[known]}: none`];
}

const KNOWN: Readonly<Record<Artefacts['known'], string>> = {
  all: '',
  partly: ', as far as its commands could be followed',
  file_tools: ' by file tools (what its commands wrote is not known here)',
};

const STATUS: Readonly<Record<ChildResult['status'], string>> = {
  completed: 'done',
  partial: 'ended early; partial report',
  failed: 'failed',
  timeout: 'ran out of time; partial report',
  stalled: 'stalled and was stopped; partial report',
  interrupted: 'interrupted; partial report',
};

import type { Done, Job } from './jobs.ts';
import { MUTATIONS, OTHERS } from './mutations.ts';
import { sum, type Counts } from './tally.ts';

/** What the proof found, as a page. `machine` says where and how long. */
export function pageOf(all: readonly Done[], machine: string): string {
  const of = (kind: Job['kind']) => all.filter(({ job }) => job.kind === kind);
  const [sessions, restarted, mutations, defects] = [of('session'), of('restarts'), of('mutation'), of('defect')];
  const [counts, real] = [sum(sessions.map((done) => done.counts)), sum(restarted.map((done) => done.counts))];
  const broken = (list: readonly Done[]) => list.filter(({ breaches }) => breaches.length > 0).length;
  const checked = [...sessions, ...restarted];
  return [
    '# The prefix rule',
    '',
    'Tool table, system prompt and each message of a request stand with the same bytes in the next one (cache marks set aside), in all three wire formats; where the log gives a reason for a new prefix, only what it explains may differ. `replay` gives every body again.',
    '',
    ...table('', [
      ['sessions', checked.length],
      ['of these, with real restarts of the process', restarted.length],
      ['restarts of the process', real['restarts'] ?? 0],
      ['restarts inside one process (new agent, new store handle)', counts['restarts'] ?? 0],
      ['requests', (counts['requests'] ?? 0) + (real['requests'] ?? 0)],
      ['pairs of neighbours compared, over three wire formats', (counts['pairs of neighbours'] ?? 0) + (real['pairs of neighbours'] ?? 0)],
      ['most cache marks in one request', Math.max(0, ...checked.map(({ mostMarks }) => mostMarks))],
      ['**sessions that break the rule**', broken(checked)],
    ]),
    ...mutationTable(mutations),
    `Planted defects that the check finds: ${defects.length - broken(defects)} of ${defects.length} (a clock in the prompt, tools in another order, call-time text that does not come back, …).`,
    '',
    'What occurred in the sessions:',
    '',
    ...table('in one process | with the real program', occurred(counts, real)),
    ...breachesOf(all),
    machine,
    '',
  ].join('\n');
}

function mutationTable(done: readonly Done[]): string[] {
  const rows = [...Object.keys(MUTATIONS), ...Object.keys(OTHERS)].map((name): Row => {
    const runs = done.filter(({ job }) => job.name === name);
    return [name, `${runs.filter(({ breaches }) => breaches.length === 0).length} of ${runs.length}`];
  });
  const whole = rows.slice(0, Object.keys(MUTATIONS).length).filter(([, of]) => /^(\d+) of \1$/.test(String(of)) && of !== '0 of 0').length;
  const kinds = Object.keys(MUTATIONS).length;
  return [
    `Mutations between two calls that are attributed right, on every seed: **${whole} of ${kinds}** kinds, and four more.`,
    '',
    ...table('seeds', rows),
  ];
}

type Row = readonly [name: string, ...cells: (string | number)[]];

function table(head: string, rows: readonly Row[]): string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const titles = head === '' ? '| | count |' : `| | ${head} |`;
  return [titles, `|${'---|'.repeat(columns)}`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
}

/** Counted elsewhere on the page. */
const TOLD = new Set(['sessions', 'requests', 'pairs of neighbours', 'restarts']);
const occurred = (counts: Counts, real: Counts): Row[] =>
  [...new Set([...Object.keys(counts), ...Object.keys(real)])]
    .filter((name) => !TOLD.has(name))
    .toSorted()
    .map((name) => [name, counts[name] ?? 0, real[name] ?? 0]);

const MAX_LINES = 20;
function breachesOf(all: readonly Done[]): string[] {
  const lines = all.flatMap(({ job, breaches }) => breaches.map((words) => `- ${job.kind}, ${words.slice(0, 400)}`));
  return lines.length === 0
    ? []
    : ['Breaches:', '', ...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : []), ''];
}

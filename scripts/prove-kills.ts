/** Turns killed at random moments, with and without calls that wait for consent. Writes what was counted to docs/proofs/kill-test.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { killConsents, type ConsentKill } from '../test/walks/kill-consent.ts';
import { killTurns, type KillResult } from '../test/walks/kill.ts';
import { noPty } from '../test/walks/on-terminal.ts';

const API_MODES = ['chat_completions', 'anthropic_messages', 'responses'];

export async function proveKills(kills: number, consentKills: number): Promise<boolean> {
  console.log(`killing ${kills} turns at random moments …`);
  let done = 0;
  const results = await killTurns(kills, API_MODES, () => {
    done += 1;
    if (done % 20 === 0) console.log(`  ${done}/${kills}`);
  });
  console.log(`killing ${consentKills} turns around their questions …`);
  const consents = noPty === false ? await killConsents(consentKills, API_MODES) : [];
  const text = report(results, consents);
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/kill-test.md', text);
  console.log(text);
  const bad =
    sum(results, 'lostEntries') + sum(results, 'firedTwice') + sum(results, 'unpaired') + unended(results) + problems(results).length;
  return bad + badConsents(consents).length === 0;
}

function report(rows: readonly KillResult[], consents: readonly ConsentKill[]): string {
  const hit = rows.filter((row) => row.hit);
  const during = Object.entries(Object.groupBy(hit, (row) => row.during)).map(([name, group]) => `| ${name} | ${group?.length ?? 0} |`);
  return [
    '# Kill test',
    '',
    `${rows.length} turns with side effects, each killed with SIGKILL at a random moment of its life, then resumed. Three wire protocols in turn.`,
    '',
    '| | count |',
    '|---|---|',
    `| killed while running | ${hit.length} |`,
    `| entries lost that had been told as durable | ${sum(rows, 'lostEntries')} |`,
    `| side effects fired twice | ${sum(rows, 'firedTwice')} |`,
    `| tool calls without exactly one result | ${sum(rows, 'unpaired')} |`,
    `| turns without exactly one outcome | ${unended(rows)} |`,
    `| resumes that failed | ${problems(rows).length} |`,
    '',
    'Last event told before the kill:',
    '',
    '| event | kills |',
    '|---|---|',
    ...during,
    '',
    ...consentReport(consents),
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove\`.`,
    '',
  ].join('\n');
}

function sum(rows: readonly KillResult[], key: 'lostEntries' | 'firedTwice' | 'unpaired'): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
function unended(rows: readonly KillResult[]): number {
  return rows.filter((row) => row.outcomes !== 0).length;
}
function problems(rows: readonly KillResult[]): KillResult[] {
  return rows.filter((row) => row.problem !== undefined);
}
function consentReport(rows: readonly ConsentKill[]): string[] {
  if (rows.length === 0) return [`Calls that wait for consent were not killed: ${String(noPty)}.`, ''];
  const left = Object.entries(Object.groupBy(rows, ({ waiting }) => waiting ?? 'no question open'));
  return [
    `${rows.length} more turns whose calls need consent, killed around their questions; then a late yes, a late no or none by the id of the question, and resumed.`,
    '',
    '| | count |',
    '|---|---|',
    ...left.map(([name, group]) => `| left waiting: ${name} | ${group?.length ?? 0} |`),
    `| calls run twice | ${rows.reduce((total, row) => total + row.firedTwice, 0)} |`,
    `| calls run without consent, or not run with it | ${rows.reduce((total, row) => total + row.wronglyRun, 0)} |`,
    `| other trouble | ${badConsents(rows).length} |`,
    '',
  ];
}
function badConsents(rows: readonly ConsentKill[]): ConsentKill[] {
  return rows.filter(
    ({ firedTwice, wronglyRun, outcomes, unpaired, problem }) =>
      firedTwice + wronglyRun + Math.abs(outcomes) + unpaired > 0 || problem !== undefined,
  );
}

/** `npm run prove`: the long proofs in full size. Writes what was counted to docs/proofs/. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { proveMcp } from './prove-mcp.ts';
import { provePrefix } from './prove-prefix.ts';
import { killTurns, type KillResult } from '../test/walks/kill.ts';

const KILLS = Number(process.env['HERMES_KILLS'] ?? 240);

console.log(`killing ${KILLS} turns at random moments …`);
let done = 0;
const results = await killTurns(KILLS, ['chat_completions', 'anthropic_messages', 'responses'], () => {
  done += 1;
  if (done % 20 === 0) console.log(`  ${done}/${KILLS}`);
});
mkdirSync('docs/proofs', { recursive: true });
writeFileSync('docs/proofs/kill-test.md', report(results));
console.log(report(results));
const prefixHolds = await provePrefix(Number(process.env['HERMES_SESSIONS'] ?? 10_000), 200);
const mcpHolds = await proveMcp(Number(process.env['HERMES_MCP_RECONNECTS'] ?? 1_000));
process.exitCode =
  sum(results, 'lostEntries') + sum(results, 'firedTwice') + sum(results, 'unpaired') + unended(results) + problems(results).length === 0 &&
  prefixHolds &&
  mcpHolds
    ? 0
    : 1;

function report(rows: readonly KillResult[]): string {
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

/** Reconnects in full size: `node scripts/prove-mcp.ts [reconnects]`. Writes docs/proofs/mcp.md. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { reconnects, type Reconnects } from '../test/parts/mcp/reconnects.ts';

/** Loses and finds servers `count` times and writes the page. Says whether everything held. */
export async function proveMcp(count: number): Promise<boolean> {
  console.log(`losing and finding MCP servers, ${count} times …`);
  const rows = await reconnects(count, (done) => {
    if (done % 100 === 0) console.log(`  ${done}/${count}`);
  });
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/mcp.md', pageOf(rows, count));
  console.log(tableOf(rows));
  return rows.every(({ failed, repeated, orphans, zombies }) => failed + repeated + orphans + zombies === 0);
}

const tableOf = (rows: readonly Reconnects[]): string =>
  [
    '| How the connection was lost | reconnects | calls that failed afterwards | effects repeated | processes left | zombies | seconds |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) => `| ${row.loss} | ${row.reconnects} | ${row.failed} | ${row.repeated} | ${row.orphans} | ${row.zombies} | ${row.seconds} |`,
    ),
  ].join('\n');

const pageOf = (rows: readonly Reconnects[], count: number): string =>
  [
    '# MCP servers lost and found',
    '',
    `${count} reconnects to servers over stdio, each a real process in a process group of its own. Those "closed by us" ignore the end of their input and SIGTERM and have a child that does the same. A call that was under way when its server died leaves a mark in a file; a second mark would be a repeated effect. Processes are counted by their command lines once the session is closed.`,
    '',
    tableOf(rows),
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`node scripts/prove-mcp.ts ${count}\`.`,
    '',
  ].join('\n');

if (import.meta.main) process.exitCode = (await proveMcp(Number(process.argv[2] ?? 1_000))) ? 0 : 1;

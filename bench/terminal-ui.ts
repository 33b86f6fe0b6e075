/**
 * The terminal UI in a real terminal: from the start to an editable prompt, from a key to the screen, resuming, and beside pi.
 *   node bench/terminal-ui.ts [--only start|keys|resume|pi] [--runs N] [--messages N] [--lines N] [--dir DIR] [--json] [--no-build]
 * What takes long to make (a store of a million messages, pi from npm) is kept in the folder. Needs Linux (/proc).
 */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rowOf, type Row } from './table.ts';
import { SCREEN_EXPERIMENTS } from './terminal-ui/experiments.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    runs: { type: 'string', default: '15' },
    messages: { type: 'string', default: '1000000' },
    lines: { type: 'string', default: '100000' },
    dir: { type: 'string', default: join(tmpdir(), 'hermes-bench-terminal-ui') },
    json: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});

async function main(dir: string): Promise<void> {
  const chosen = Object.entries(SCREEN_EXPERIMENTS).filter(([name]) => values.only === undefined || values.only === name);
  if (chosen.length === 0) throw new Error(`there is no ${values.only}; there are: ${Object.keys(SCREEN_EXPERIMENTS).join(', ')}`);
  if (!values['no-build']) spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  mkdirSync(dir, { recursive: true });
  const server = fork(join(import.meta.dirname, 'terminal-ui', 'token-server.ts'));
  try {
    const [url] = await once(server, 'message');
    const counts = { runs: Number(values.runs), messages: Number(values.messages), lines: Number(values.lines) };
    const rows: Row[] = [];
    for (const [, experiment] of chosen) rows.push(...(await experiment({ dir, url: String(url), ...counts })).map(rowOf));
    console.log(values.json ? JSON.stringify(rows, null, 2) : toMarkdown(rows));
  } finally {
    server.kill();
    for (const home of globSync(join(dir, 'home-*'))) rmSync(home, { recursive: true, force: true });
  }
}

/** Medians, and minimums in brackets: on a busy machine these say more. */
function toMarkdown(rows: readonly Row[]): string {
  const cell = (value: { readonly median: number; readonly least: number } | undefined, sign = ''): string =>
    value === undefined ? '–' : `${show(value.median)}${sign} (${show(value.least)}${sign})`;
  const lines = rows.map(
    ({ name, unit, goal, floor, ours, ratio, reached }) =>
      `| ${reached ? '✓' : '✗'} | ${name} (${unit}) | ${goal} | ${cell(floor)} | ${cell(ours)} | ${cell(ratio, '×')} |`,
  );
  return ['|   | Figure | Goal | Beside | Ours | Ratio |', '|---|---|---|---|---|---|', ...lines].join('\n');
}
const show = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

await main(values.dir);

/** Twelve homes in four ways: each setup ends with at most two questions and a next line that runs. Writes docs/proofs/setup.md. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { RecordedSetup } from '../../test/walks/setup-homes.ts';

export function proveSetup(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-prove-setup-'));
  try {
    const file = join(folder, 'runs.jsonl');
    const env = { ...process.env, HERMES_SETUP_FULL: '1', HERMES_SETUP_RECORD: file };
    const holds =
      spawnSync(
        process.execPath,
        ['--test', 'test/walks/setup.test.ts', 'test/app/config-writers.test.ts', 'test/app/config-migrate.test.ts'],
        {
          env,
          stdio: 'inherit',
        },
      ).status === 0;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const runs = lines.map((line): RecordedSetup => JSON.parse(line));
    writeFileSync('docs/proofs/setup.md', pageOf(runs, holds));
    return holds;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pageOf(runs: readonly RecordedSetup[], holds: boolean): string {
  const most = Math.max(0, ...runs.map(({ questions }) => questions));
  return [
    '# The first run',
    '',
    '`hermes setup` in twelve homes, each without a terminal, in 40 columns, with a wrong key first and with a server that does not answer. Where there is a terminal, keys are typed into it; no line may be wider than the screen. Each run must end by itself, ask at most two different questions, show no key, keep the key in `.env` with mode 600 and the rest in `config.yaml`, and end with a line that can be run. That line is run, in a shell, by the test.',
    '',
    'The same run lets every command that writes settings (`config set`, `unset` and `migrate`, `setup`, `model`, `tools`, `mcp`, `migrate`, an approval for good) change 300 generated files each: only the asked setting changes, every comment stays.',
    '',
    `${holds ? `All ${runs.length} runs passed.` : `Only ${runs.length} runs passed.`} The most questions in one run: ${most}.`,
    '',
    '| Home | Way | Exit code | Questions | The line that was run |',
    '|---|---|---|---|---|',
    ...runs.map(({ home, way, code, questions, next }) => `| ${home} | ${way} | ${code} | ${questions} | \`${next}\` |`),
    '',
    `Run on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB. Repeat with \`npm run prove -- setup\`.`,
    '',
  ].join('\n');
}

/** Runs the whole suite: every test file below test/, a bounded number at a time. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';

const files = globSync('test/**/*.test.ts').toSorted();
const wanted = process.argv.slice(2);
const chosen = wanted.length === 0 ? files : files.filter((file) => wanted.some((word) => file.includes(word)));
if (chosen.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`);
  process.exit(1);
}
const child = spawn(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=300000', ...chosen], { stdio: 'inherit' });
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));

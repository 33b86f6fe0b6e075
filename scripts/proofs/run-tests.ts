import { spawnSync } from 'node:child_process';

/** What came of some test files, in full size. */
export function runTests(files: readonly string[]): { readonly passed: number; readonly failed: number; readonly skipped: number } {
  const env = { ...process.env, HERMES_SUITE: 'full' };
  const ran = spawnSync(process.execPath, ['--test', '--test-reporter=spec', '--test-concurrency=1', ...files], { env, encoding: 'utf8' });
  process.stdout.write(ran.stdout);
  const countOf = (what: string): number => Number(new RegExp(`^ℹ ${what} (\\d+)$`, 'm').exec(ran.stdout)?.[1] ?? 0);
  return {
    passed: countOf('pass'),
    failed: countOf('fail') + countOf('cancelled') + (ran.status === 0 ? 0 : 1),
    skipped: countOf('skipped'),
  };
}

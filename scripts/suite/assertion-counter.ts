/**
 * Preloaded into a test process, it counts the assertions that are executed and the processor time that is spent:
 *   ASSERTIONS_FILE=/tmp/counts.jsonl node --import ./scripts/suite/assertion-counter.ts --test test/base/brief.test.ts
 * At the end of each test file one line of JSON is added to the file. It knows nothing of this project, so it counts an old
 * state as well as a new one.
 */
import assert from 'node:assert';
import strict from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { getTestContext } from 'node:test';

const target = process.env['ASSERTIONS_FILE'];
const isTestFile = process.env['NODE_TEST_CONTEXT']?.startsWith('child') === true;
if (target !== undefined && isTestFile) count(target);

function count(into: string): void {
  const file = relative(process.cwd(), process.argv[1] ?? '');
  const tests = new Map<string, number>();
  const started = performance.now();

  const counting =
    (check: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      const name = getTestContext()?.fullName ?? '';
      tests.set(name, (tests.get(name) ?? 0) + 1);
      return check(...args);
    };
  for (const module of new Set<object>([assert, strict]))
    for (const [name, check] of Object.entries(module))
      if (typeof check === 'function' && /^[a-z]/.test(name) && name !== 'strict') Reflect.set(module, name, counting(check));
  syncBuiltinESMExports();

  process.once('exit', () => {
    const wallMs = Math.round(performance.now() - started);
    appendFileSync(into, `${JSON.stringify({ file, wallMs, ...processorTime(), tests: Object.fromEntries(tests) })}\n`);
  });
}

/** In milliseconds: what this process used, and what the processes it started and waited for used. */
function processorTime(): { readonly ownMs: number; readonly childrenMs: number } {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { ownMs: (user + system) * 10, childrenMs: (childUser + childSystem) * 10 };
}

/** `npm run check`: types, lint, format, dead code, architecture and the longest functions. Everything runs, then the sum is told. */
import { spawnSync } from 'node:child_process';
import { longFunctions } from './long-functions.ts';

const LONGEST = 90;
const bin = (name: string) => `node_modules/.bin/${name}`;
const places = ['src', 'test', 'scripts', 'bench', 'examples'];

const STEPS: readonly (readonly [name: string, command: string, args: readonly string[]])[] = [
  ['types', bin('tsc'), ['--noEmit']],
  ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings', ...places]],
  ['format', bin('oxfmt'), ['--check', ...places]],
  ['dead code', bin('knip'), []],
  ['architecture', process.execPath, ['--test', '--test-reporter=dot', 'test/architecture.test.ts']],
];

const failed = STEPS.flatMap(([name, command, args]) => {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
  return status === 0 ? [] : [name];
});

const functions = longFunctions(...places);
console.log(
  `\nlongest functions:\n${functions
    .slice(0, 8)
    .map(({ lines, place }) => `  ${String(lines).padStart(3)}  ${place}`)
    .join('\n')}`,
);
if ((functions[0]?.lines ?? 0) > LONGEST) failed.push(`a function over ${LONGEST} lines`);

console.log(failed.length === 0 ? '\nall clean' : `\nto mend: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

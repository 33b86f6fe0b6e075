import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningProcess } from '../../../../../src/contracts/terminal.ts';
import { judgeCommand } from '../../../../../src/parts/safety/command-floor.ts';
import { createProcessInputs } from '../../../../../src/parts/tools/builtin/terminal/process-input.ts';
import type { ProcessRow } from '../../../../../src/parts/tools/builtin/terminal/processes.ts';

const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };

function rowOf(command: string): ProcessRow {
  const running: RunningProcess = {
    pid: 1,
    command,
    startedAt: 0,
    status: () => ({ state: 'running' }),
    output: () => '',
    outputEnds: () => ({ begin: '', lines: 0 }),
    onOutput: () => () => {},
    write: () => {},
    end: () => {},
    kill: async () => {},
    exited: new Promise(() => {}),
  };
  return { id: 'proc_1', running };
}

/** Tells a process one piece after the other; what is thought of each. */
function talk(command: string, pieces: readonly string[]): string[] {
  const [book, row] = [createProcessInputs(), rowOf(command)];
  return pieces.map((piece) => {
    const next = book.next(row, piece, judgeCommand);
    const { type } = next.judge(next.words, PLACE);
    book.sent(row, piece);
    return type;
  });
}
const lines = (...all: readonly string[]): string[] => all.map((each) => `${each}\n`);

const ROWS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['bash', lines('lx() { chmod $1 $2 $3; }', 'lx -R 777 build'), ['fine', 'ask']],
  ['bash', lines('set -- -R 777 build', 'chmod "$@"'), ['fine', 'ask']],
  ['bash', lines('P=.env', 'ls', 'cat $P'), ['fine', 'fine', 'ask']],
  ['bash', lines('cd ..', 'rm -rf other'), ['fine', 'ask']],
  ['bash', lines('sudo true', 'ls', 'git status'), ['ask', 'fine', 'fine']],
  ['bash', ['chmod -R', ' 777 bui', 'ld\n', 'ls\n'], ['fine', 'ask', 'ask', 'fine']],
  ['bash', lines("echo '", "' ; chmod -R 777 build", 'ls'), ['ask', 'ask', 'fine']],
  ['python3 -i', lines('import os', 'print(1)'), ['ask', 'ask']],
  ['node -i', lines('1 + 1', 'rm -rf /'), ['ask', 'refuse']],
  ['./quiz', lines('y', 'Grace Hopper', '42', "it's", 'git push --force'), ['fine', 'fine', 'fine', 'fine', 'ask']],
  ['ssh web', lines('y', 'ls'), ['ask', 'fine']],
];
for (const [command, pieces, expected] of ROWS)
  test(`${command} is told ${JSON.stringify(pieces)}: ${expected.join(', ')}`, () => assert.deepEqual(talk(command, pieces), expected));

test('more than is kept is known to be more: what then is only known when it runs is asked about', () => {
  const long = `: ${'x'.repeat(1_000)}\n`;
  const much = Array.from({ length: 80 }, () => long);
  assert.equal(talk('bash', ['P=.env\n', ...much, 'cat $P\n']).at(-1), 'ask');
  assert.equal(talk('bash', ['P=.env\n', ...much, 'ls\n']).at(-1), 'fine');
  assert.equal(
    talk('python3', ["p = '.env'\n", ...Array.from({ length: 80 }, () => `# ${'x'.repeat(1_000)}\n`), 'open(p)\n']).at(-1),
    'ask',
  );
});

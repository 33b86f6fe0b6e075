import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutates, type Mutation } from '../../../../src/parts/safety/checkpoints/commands.ts';
import { simpleCommands } from '../../../../src/parts/safety/checkpoints/words.ts';

const TABLE: Readonly<Record<Mutation, readonly string[]>> = {
  reads: [
    'ls -la',
    'cat a.txt | grep x | wc -l',
    'cd src && pwd',
    'git status',
    'git -C sub log --oneline -5',
    'git diff HEAD~1 -- a.txt',
    'rg "rm -rf" src',
    'echo "a > b; rm c"',
    "grep -n 'mv a b' notes.txt 2>/dev/null",
    'find . -name "*.ts" 2>&1 | head',
    'sed -n 1,20p a.txt',
    "sed -e 's/we/they/' -e '/e/d' a.txt",
    "awk '{ print $1 }' a.txt",
    'uniq -c a.txt',
    'node --version',
    'FOO=1 env printenv FOO',
    'test -f a && echo yes || echo no',
    'for f in *; do echo "$f"; done',
    'sort a.txt | uniq -c',
    'echo $(date)',
    '',
  ],
  writes: [
    'make',
    'npm test',
    'python3 script.py',
    'touch new.txt',
    'mkdir -p a/b',
    'chmod +x run.sh',
    'echo x >> log.txt',
    'git commit -am x',
    './build.sh',
    'FOO=1 cargo build',
  ],
  destroys: [
    'rm a.txt',
    'cd src && rm -rf build',
    'sudo rm a',
    'mv a b',
    'cp a b',
    'echo x > a.txt',
    'cat a b >| c',
    'make &> out.log',
    'sed -i s/a/b/ x',
    "sed -n '/x/w out.txt' a.txt",
    "sed 's/a/b/w out.txt' a.txt",
    "sed '1e rm a.txt' a.txt",
    `awk '{ print > "out.txt" }' a.txt`,
    `awk 'BEGIN { system("rm a.txt") }'`,
    'uniq a.txt b.txt',
    'git diff --output=a.txt',
    'fd x --exec-batch rm',
    'sed -i.bak s/a/b/ x',
    'perl -pi -e s/a/b/ x',
    'find . -name "*.log" -delete',
    'find . -exec rm {} +',
    'ls | xargs rm',
    'ls | xargs -n 1 -I {} rm {}',
    'git checkout -- .',
    'git -C sub reset --hard',
    'git clean -fd',
    'git stash',
    'truncate -s 0 a',
    'dd if=/dev/zero of=a',
    'cat x | tee a',
    'tar xf a.tar',
    'bash -c "rm a"',
    'eval rm a',
    'echo $(rm a)',
    'if true; then rm a; fi',
    'while read f; do rm "$f"; done < list',
    '(cd x; rm a)',
    '/bin/rm a',
    'timeout 5s rm a',
    'sort -o a a',
  ],
};

for (const [expected, commands] of Object.entries(TABLE))
  test(`commands that say ${expected}`, () => {
    assert.deepEqual(
      commands.map((command) => [command, mutates(command)]),
      commands.map((command) => [command, expected]),
    );
  });

test('a line is cut into its commands, with quotes taken off and redirections set apart', () => {
  assert.deepEqual(simpleCommands(`FOO=1 rm 'a b' "c\\"d" e\\ f && cat <in >out 2>&1; x >> log`), [
    { words: ['FOO=1', 'rm', 'a b', 'c"d', 'e f'], overwrites: [], appends: [] },
    { words: ['cat'], overwrites: ['out'], appends: [] },
    { words: ['x'], overwrites: [], appends: ['log'] },
  ]);
});

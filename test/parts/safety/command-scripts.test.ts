import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../src/parts/safety/command-floor.ts';

const CWD = '/home/ada/project';
const MAKEFILE = [
  'BUILD := out',
  'DEST ?= $(HOME)/notes',
  'all: $(BUILD)/app',
  '$(BUILD)/app: src/*.c',
  '\tcc -o $@ $^',
  'clean:',
  '\trm -rf $(BUILD) $$PWD/tmp',
  'wipe: wipe-deep',
  'wipe-deep:',
  '\t@rm -rf $(DEST)',
].join('\n');
const FILES: Readonly<Record<string, string>> = {
  'clean.sh': '#!/bin/sh\nrm -rf build\n',
  'wipe.sh': '#!/bin/sh\nrm -rf "$1"\n',
  'endless.sh': '"$0" & "$0" &\n',
  'calls.sh': 'bash ./wipe.sh ~/notes\n',
  'wipe.py': "import shutil\nshutil.rmtree('/home/ada/notes')\n",
  'tidy.py': 'import tempfile, shutil\nfolder = tempfile.mkdtemp()\nshutil.rmtree(folder)\n',
  'renamed.js': "const { execSync: run } = require('child_process');\nrun('git push --force');\n",
  'list.txt': '/home/ada/notes\n',
  'setup.sql': 'DROP TABLE users;\n',
  Makefile: MAKEFILE,
  'package.json': JSON.stringify({
    scripts: { test: 'node --test', pretest: 'rm -rf ~/notes', lint: 'eslint .', deploy: 'npm run wipe', wipe: 'rm -rf ~/notes' },
  }),
};
const read = (path: string): string | undefined => (path.startsWith(`${CWD}/`) ? FILES[path.slice(CWD.length + 1)] : undefined);
const verdict = (line: string) => judgeCommand(line, { cwd: CWD, home: '/home/ada', read }).type;

const ROWS: readonly (readonly [string, 'fine' | 'ask' | 'refuse'])[] = [
  ['sh clean.sh', 'fine'],
  ['./clean.sh && echo done', 'fine'],
  ['sh wipe.sh build', 'fine'],
  ['sh wipe.sh ~/notes', 'ask'],
  ['bash wipe.sh /', 'refuse'],
  ['cd src/..; ./calls.sh', 'ask'],
  ['source ./calls.sh', 'ask'],
  ['bash < calls.sh', 'ask'],
  ['cat calls.sh', 'fine'],
  ['./endless.sh', 'refuse'],
  ['python3 wipe.py', 'ask'],
  ['python3 tidy.py', 'fine'],
  ['node renamed.js', 'ask'],
  ['xargs rm -rf < list.txt', 'ask'],
  ['psql shop < setup.sql', 'ask'],
  ['make', 'fine'],
  ['make clean', 'fine'],
  ['make wipe', 'ask'],
  ['make clean BUILD=/', 'refuse'],
  ['npm run lint', 'fine'],
  ['npm test', 'ask'],
  ['npm run deploy', 'ask'],
  ['echo "rm -rf ~/notes" >> clean.sh; sh clean.sh', 'ask'],
  ['echo "echo hi" > wipe.py; sh wipe.py', 'fine'],
  ['ssh host.example.org sh calls.sh', 'fine'],
];
for (const [line, expected] of ROWS)
  test(`with what the agent wrote before, ${JSON.stringify(line)} is ${expected}`, () => assert.equal(verdict(line), expected));

test('a long script is read through, and one that cannot be read is asked about', () => {
  const judged = (text: string) =>
    judgeCommand('sh x.sh', { cwd: CWD, home: '/home/ada', read: (path) => (path.endsWith('/x.sh') ? text : undefined) }).type;
  assert.equal(judged('echo "some words" | wc -c\n'.repeat(2_000)), 'fine');
  assert.equal(judged(`${'echo "some words" | wc -c\n'.repeat(2_000)}rm -rf ~/notes\n`), 'ask');
  assert.equal(judged('echo "open'), 'ask');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeCommand } from '../../../../src/parts/safety/command-floor.ts';

const PLACE = { cwd: '/home/ada/project', home: '/home/ada' };
const held = (line: string, script: string): string => judgeCommand(line, { ...PLACE, carried: [{ type: 'held', script }] }).type;

test('what a shell has left is known to the next line, and to no other shell', () => {
  const rows: readonly (readonly [line: string, script: string, expected: string])[] = [
    ['rm -rf $T', 'declare -- T="/home/ada"', 'refuse'],
    ['rm -rf $T', 'declare -- T="build"', 'fine'],
    ['rm -rf $T', 'declare -- T="/home/ada"', 'refuse'],
    ['tidy', 'tidy () \n{ \n    rm -rf ~\n}', 'refuse'],
    ['tidy', 'declare -- T="build"', 'ask'],
    ['ll', "alias ll='rm -rf ~'", 'refuse'],
    ['ls', 'declare -- T="build"', 'fine'],
  ];
  for (const [line, script, expected] of rows) assert.equal(held(line, script), expected, `${line} after ${script}`);
});

test('what only looks like a declaration is judged as the command it is', () => {
  assert.equal(held('ls', 'declare -- T="$(rm -rf ~)"'), 'refuse');
  assert.equal(held('ls', 'T=`rm -rf ~`'), 'refuse');
  assert.equal(held('ls', 'rm -rf ~'), 'refuse');
});

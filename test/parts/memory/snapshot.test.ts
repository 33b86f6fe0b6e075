import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { memorySnapshot, memoryText } from '../../../src/parts/memory/snapshot.ts';
import { fileIn, freshHome, placeAt, put, textIn } from './setup.ts';

test('a store is told with what it is and how full it is; an empty one is not told', () => {
  assert.equal(
    memoryText('user', ['Likes tea', 'Two\nlines'], 100),
    '# User: what you have learnt about the person you work for. It may be out of date. (21% — 21/100 chars)\n\nLikes tea\n§\nTwo\nlines',
  );
  assert.match(memoryText('memory', ['x'], 2200) ?? '', /^# Memory: .*\(0% — 1\/2200 chars\)\n\nx$/);
  assert.equal(memoryText('memory', [], 2200), undefined);
});

test('a blocked entry gives way to its marker in the prompt and stays in the file', () => {
  const home = freshHome();
  const text = 'a little EVIL\n§\nEVIL! all over\n§\ngood\n';
  put(home, text);
  const { text: shown = '', notices } = memorySnapshot('memory', placeAt(home));
  assert.ok(shown.endsWith('\n\na little EVIL\n§\n[MEMORY.md entry 2 left out: prompt_injection]\n§\ngood'), shown);
  assert.match(shown, /— 37\/2200 chars/);
  assert.deepEqual(notices, ['MEMORY.md entry 1: prompt_injection', 'MEMORY.md entry 2 is blocked: prompt_injection']);
  assert.equal(textIn(home), text);
});

test('a store that is off, missing or unreadable costs no session', () => {
  const home = freshHome();
  put(home, 'a fact\n');
  assert.deepEqual(memorySnapshot('memory', placeAt(home, { 'memory.memory_enabled': false })), { notices: [] });
  assert.deepEqual(memorySnapshot('user', placeAt(home)), { notices: [] });
  mkdirSync(fileIn(home, 'USER.md'));
  const { text, notices } = memorySnapshot('user', placeAt(home));
  assert.equal(text, undefined);
  assert.match(notices.join(), /USER\.md could not be read: .* starts without it/);
});

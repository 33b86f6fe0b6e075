import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckpointLine } from '../../../src/contracts/services/undo.ts';
import {
  toCheckpointJson,
  renderCheckpoint,
  renderCheckpoints,
  renderStatus,
  toCheckpointStatusJson,
} from '../../../src/faces/cli/checkpoints.ts';
import { paintFor } from '../../../src/base/screen/paint.ts';
import { renderRollback } from '../../../src/faces/cli/rollback.ts';
import { renderEmptied, renderRestored, renderTrash, toTrashJson } from '../../../src/faces/cli/trash.ts';

const NOW = 1_800_000_000_000;
const screen = { paint: paintFor({ isTTY: false }, {}), columns: Infinity, now: NOW };
const line = (more: Partial<CheckpointLine>): CheckpointLine => ({
  number: 1,
  id: 'c_1',
  at: NOW - 120_000,
  tool: 'terminal',
  what: 'rm a\nrm b',
  root: '/w',
  sessionId: 's',
  turnId: 't',
  cutOff: false,
  files: [],
  ...more,
});

test('a list of checkpoints, one line each', () => {
  const rows = [
    line({ files: [{ path: '/w/a', change: 'deleted' }] }),
    line({ number: 2, id: 'c_0', tool: 'patch', what: 'x\u001b[2J', cutOff: true }),
  ];
  assert.equal(
    renderCheckpoints(rows, screen).split('\n').slice(0, 3).join('\n'),
    [
      '#  when       tool        files  what       id',
      '1  2 min ago  terminal        1  rm a↵rm b  c_1',
      '2  2 min ago  patch     cut off  x\\x1b[2J   c_0',
    ].join('\n'),
  );
  assert.match(renderCheckpoints([], screen), /No checkpoints here/);
});

test('one checkpoint with its files, and the state of all', () => {
  const shown = renderCheckpoint(line({ files: [{ path: '/w/a', change: 'deleted' }] }), screen);
  assert.equal(shown, 'c_1  2 min ago  terminal\n  rm a\n    rm b\n  in /w, session s\n  deleted  /w/a\n');
  const status = { enabled: false, folder: '/h/checkpoints', checkpoints: 1, bytes: 1_048_576, maxBytes: 524_288_000, prunedAt: 0 };
  assert.equal(renderStatus(status, screen), 'Off (checkpoints.enabled): 1 checkpoint in /h/checkpoints\n  1.0 of 500 MB\n');
});

const WAYS = { all: '/rollback c_1 --all', undo: '/rollback c_2' };

test('what became of a rollback, and what to say to go on', () => {
  const [restored, removed, conflict] = [
    { path: '/w/a\u001b[2J', fate: 'restored' },
    { path: '/w/c', fate: 'removed' },
    { path: '/w/b', fate: 'conflict', why: 'it was changed' },
  ] as const;
  assert.equal(
    renderRollback([restored, removed, conflict], WAYS, screen),
    [
      'restored    /w/a\\x1b[2J',
      'removed     /w/c',
      'left alone  /w/b: it was changed',
      '',
      '2 files rolled back. What was removed is in the trash.',
      'What was there is kept. To undo this:',
      '  /rollback c_2',
      '1 file left alone. To take it, too:',
      '  /rollback c_1 --all',
      '',
    ].join('\n'),
  );
  assert.doesNotMatch(renderRollback([restored], { all: 'x' }, screen), /undo|trash|left alone/);
  assert.match(renderRollback([], WAYS, screen), /Nothing to do/);
});

test('times in JSON are such as people and programs read alike', () => {
  const at = '2027-01-15T08:00:00.000Z';
  assert.equal(toCheckpointJson(line({ at: NOW })).at, at);
  assert.equal(toTrashJson({ id: 'd_1', path: '/w/a', at: NOW, bytes: 0 }).at, at);
  const status = { enabled: true, folder: '/h', checkpoints: 1, bytes: 1, maxBytes: 2, prunedAt: NOW };
  assert.deepEqual([toCheckpointStatusJson(status).prunedAt, toCheckpointStatusJson({ ...status, prunedAt: 0 }).prunedAt], [at, null]);
});

test('the trash', () => {
  assert.match(renderTrash([{ id: 'd_1', path: '/w/a', at: NOW, bytes: 0 }], screen), /d_1 {2}just now {2}rm {2}0\.0 {2}\/w\/a/);
  assert.match(renderTrash([], screen), /empty/);
  assert.equal(renderRestored('/w/a\nb'), 'Restored: /w/a↵b\n');
  assert.equal(renderEmptied(2, 2_097_152), '2 things deleted for good, 2.0 MB.\n');
});

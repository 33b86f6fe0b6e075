import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectSessionChanges } from '../../../../src/parts/safety/checkpoints/changes.ts';
import { ABSENT, type ChangedFile, type KeptState, type CheckpointRecord } from '../../../../src/parts/safety/checkpoints/model.ts';

const file = (letter: string): KeptState => ({ is: 'file', hash: letter.repeat(64), mode: 0o644 });
const made = (path: string, after: KeptState = file('a'), before: KeptState = ABSENT): ChangedFile => ({ path, before, after });

interface Given {
  readonly of?: string;
  readonly from?: number;
  /** Absent for a call that is not over. */
  readonly to?: number | undefined;
  /** Named places instead of the whole folder. */
  readonly named?: boolean;
}
const record = (files: readonly ChangedFile[], given: Given = {}): CheckpointRecord => {
  const { of = 'me', from = 1, to = 'to' in given ? given.to : 2, named = false } = given;
  const head = { id: `${of}-${from}`, at: from, sessionId: of, turnId: 't', tool: 'terminal', what: '', root: '/w' };
  return {
    ...head,
    files: named ? files.map(({ path, before }) => ({ path, before })) : [],
    ...(!named && { tree: 'f'.repeat(64) }),
    ...(to !== undefined && { left: { at: to, files } }),
  };
};

/** Records of several sessions, and what is said of the one called me: `+` written, `-` deleted, `=` as before, `?` by either. */
const CASES: readonly (readonly [what: string, records: readonly CheckpointRecord[], told: string, complete?: boolean])[] = [
  ['nothing', [], ''],
  ['files made and deleted', [record([made('a'), made('b', ABSENT, file('b'))])], '+/w/a -/w/b'],
  ['each once, as it ended', [record([made('a', ABSENT, file('a'))], { from: 3, to: 4 }), record([made('a')])], '=/w/a'],
  ['folders are no files', [record([made('d', { is: 'folder', mode: 0o755 }), made('e', ABSENT, { is: 'folder', mode: 0o755 })])], ''],
  ['a call that goes on', [record([made('a')]), record([], { from: 3, to: undefined })], '+/w/a', false],
  ['others at other times', [record([made('a')]), record([made('a', file('b'), file('a'))], { of: 'other', from: 5, to: 6 })], '+/w/a'],
  [
    'what another set out to write meanwhile is its own',
    [record([made('a'), made('b')]), record([made('b')], { of: 'other', named: true })],
    '+/w/a',
  ],
  [
    'and so while it still writes',
    [record([made('a'), made('b')]), record([made('b')], { of: 'other', named: true, to: undefined })],
    '+/w/a',
  ],
  [
    'two commands at once',
    [record([made('a'), made('b')], { to: 9 }), record([made('b')], { of: 'other', from: 3, to: 4 })],
    '+/w/a ?/w/b',
  ],
  ['a command of another that is not over', [record([made('a')]), record([], { of: 'other', to: undefined })], '?/w/a'],
  ['what it set out to write itself is its own', [record([made('a')], { named: true }), record([made('a')], { of: 'other' })], '+/w/a'],
];
for (const [what, records, told, complete = true] of CASES)
  test(`what a session did to files: ${what}`, () => {
    const changes = collectSessionChanges(records, 'me');
    const sign = { written: '+', deleted: '-', as_before: '=' };
    assert.equal(changes.files.map(({ path, fate, shared }) => `${shared ? '?' : sign[fate]}${path}`).join(' '), told);
    assert.equal(changes.complete, complete);
  });

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequest, ApprovalVerdict } from '../../../../../src/contracts/consent.ts';
import type { HeldChange } from '../../../../../src/contracts/wall.ts';
import { settleHeldChanges } from '../../../../../src/parts/tools/builtin/terminal/held-changes.ts';
import { contextIn, deskAt } from '../../setup.ts';

function ask(what: string, answer: ApprovalVerdict, apply: () => Promise<void> = async () => {}) {
  const [asked, applied]: [ApprovalRequest[], string[]] = [[], []];
  const change = (path: string): HeldChange => ({
    path,
    what,
    change: 'changed',
    preview: '- one\n+ two',
    apply: async () => {
      await apply();
      applied.push(path);
    },
  });
  const approve = async (request: ApprovalRequest): Promise<ApprovalVerdict> => {
    asked.push(request);
    return answer;
  };
  const notes = settleHeldChanges([change('/w/a'), change('/w/b')], 'npm test', contextIn(deskAt('/w'), { approve }));
  return { asked, applied, notes };
}
const YES: ApprovalVerdict = { allow: true, by: 'owner' };

test('one question for all files of a command, with what was changed; a yes puts them in place', async () => {
  const { asked, applied, notes } = ask('context file', YES);
  assert.deepEqual(await notes, ['The user agreed to keep these changes:\n- /w/a (context file, changed)\n- /w/b (context file, changed)']);
  assert.deepEqual(applied, ['/w/a', '/w/b']);
  assert.deepEqual(asked, [
    {
      tool: 'terminal',
      summary: 'changed by: npm test\n\ncontext file /w/a (changed)\n- one\n+ two\n\ncontext file /w/b (changed)\n- one\n+ two',
      reason: 'the command changed files that other programs run automatically. They were put back; a yes keeps the changes',
      key: 'held_change',
      at: { held_change: ['/w/a', '/w/b'] },
      cwd: '/w',
    },
  ]);
});

test('a yes to a setting of git goes no further than what was shown', async () => {
  const { asked, notes } = ask('git config', YES);
  await notes;
  assert.equal(asked[0]?.at, undefined);
});

test('without a yes the model hears what was put back and why, and nothing is changed', async () => {
  const { applied, notes } = ask('git hook', { allow: false, by: 'nobody', reason: 'nobody is here to answer' });
  const [note = ''] = await notes;
  assert.match(note, /put back as they were before the command:\n- \/w\/a \(git hook, changed\)/);
  assert.match(note, /nobody is here to answer/);
  assert.deepEqual(applied, []);
});

test('a change that cannot be put in place after all is told', async () => {
  const { notes } = ask('git hook', YES, () => Promise.reject(new Error('the folder is gone')));
  assert.deepEqual((await notes).slice(1), [
    '/w/a could not be changed after all: the folder is gone.',
    '/w/b could not be changed after all: the folder is gone.',
  ]);
});

test('nothing held, nothing asked', async () => {
  assert.deepEqual(await settleHeldChanges(undefined, 'ls', contextIn(deskAt('/w'))), []);
});

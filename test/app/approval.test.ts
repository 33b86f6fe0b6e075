import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalFor } from '../../src/app/approval.ts';

const ACTION = { tool: 'memory', summary: 'write to memory: x', reason: 'words from outside are in view' };
const signal = new AbortController().signal;

test('without somebody to ask the answer is no; with --yolo it is yes', async () => {
  assert.equal((await approvalFor({}, {}).ask(ACTION, signal)).allow, false);
  assert.equal((await approvalFor({ yolo: true }, { clarify: async () => 'No' }).ask(ACTION, signal)).allow, true);
});

for (const [said, allow] of [
  ['Yes, this once', true],
  ['y', true],
  ['YES', true],
  ['No', false],
  ['', false],
  ['yes but only the first half', false],
  ['why?', false],
] as const)
  test(`"${said}" is ${allow ? 'consent' : 'no consent'}`, async () => {
    const verdict = await approvalFor({}, { clarify: async () => said }).ask(ACTION, signal);
    assert.equal(verdict.allow, allow);
  });

test('the question names tool, act and reason, and questions come one at a time', async () => {
  const asked: string[] = [];
  let open = 0;
  const clarify = async ({ question }: { readonly question: string }) => {
    assert.equal(++open, 1, 'only one question stands');
    asked.push(question);
    await new Promise((done) => setTimeout(done, 5));
    open--;
    return 'No';
  };
  const approval = approvalFor({}, { clarify });
  await Promise.all([approval.ask(ACTION, signal), approval.ask({ ...ACTION, summary: 'second' }, signal)]);
  assert.match(asked[0] ?? '', /^Allow memory: write to memory: x\n.*words from outside are in view/);
  assert.equal(asked.length, 2);
});

test('a question that fails does not block the next', async () => {
  let first = true;
  const clarify = async () => {
    if (first) {
      first = false;
      throw new Error('interrupted');
    }
    return 'Yes, this once';
  };
  const approval = approvalFor({}, { clarify });
  await assert.rejects(approval.ask(ACTION, signal), /interrupted/);
  assert.equal((await approval.ask(ACTION, signal)).allow, true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequest } from '../../../../../src/contracts/consent.ts';
import { createProjectSource } from '../../../../../src/contracts/message.ts';
import type { GitQuestion, HostRequest } from '../../../../../src/contracts/wall.ts';
import { askAboutHost } from '../../../../../src/parts/tools/builtin/command-line/host-consent.ts';

const PAGE = ['web: https://page.example'];
const PROJECT = [createProjectSource('/work/README.md')];

/** What is asked about a request with this in view. */
async function ask(request: Partial<HostRequest>, taint: readonly string[]) {
  const asked: Omit<ApprovalRequest, 'tool'>[] = [];
  const answer = await askAboutHost('terminal', {
    approve: async ({ tool: _tool, ...action }) => {
      asked.push(action);
      return { allow: false, by: 'the owner', reason: 'the user said no' };
    },
    taint,
    turnId: 't',
  })({ host: 'h.example', port: 443, ...request });
  return { answer, keys: asked.map(({ key }) => key), asked };
}
const push = (holds: readonly string[]): { readonly git: GitQuestion } => ({
  git: { type: 'push', remote: 'git@h.example:x', refs: ['branch main'], holds },
});

test('a remote’s host and an ordinary push are asked about only with text from outside in view', async () => {
  for (const taint of [[], PROJECT])
    for (const request of [{ isRemote: true }, push([])])
      assert.deepEqual(await ask(request, taint), { answer: true, keys: [], asked: [] }, JSON.stringify([request, taint]));
  assert.deepEqual((await ask({ isRemote: true }, PAGE)).keys, ['network_host']);
  assert.deepEqual((await ask(push([]), [...PROJECT, ...PAGE])).keys, ['git_push+foreign_words']);
  assert.deepEqual((await ask({}, [])).keys, ['network_host']);
});

test('a push says what it holds, with nothing hidden in a name', async () => {
  const { asked, answer } = await ask(
    push(['the secret file .env\u202e', ...Array.from({ length: 11 }, (_, at) => `the CI file ${at}`)]),
    [],
  );
  assert.deepEqual(answer, { why: 'the user said no.' });
  assert.deepEqual(asked, [
    {
      summary: [
        'push branch main to git@h.example:x',
        'with the secret file .env\\u202e',
        ...Array.from({ length: 9 }, (_, at) => `with the CI file ${at}`),
        'with 2 more',
      ].join('\n'),
      reason: 'its commits hold what people seldom mean to publish',
      key: 'git_push',
    },
  ]);
});

test('a remote that a command may have added is asked about each time until somebody agrees', async () => {
  const { keys, asked } = await ask({ git: { type: 'remote', remote: 'git@h.example:x' } }, []);
  assert.deepEqual(keys, ['git_remote']);
  assert.equal(asked[0]?.summary, 'let git use the remote git@h.example:x');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStringAt } from '../../../../src/base/json.ts';
import type { NewRunEvent } from '../../../../src/contracts/run-store.ts';
import { createRunQuestions } from '../../../../src/faces/serve/api/runs/questions.ts';

test('a question that dies with its call is told as refused when nobody answers, and cannot be answered any more', async () => {
  const told: NewRunEvent[] = [];
  const questions = createRunQuestions({
    approvals: { decide: async () => undefined },
    tell: (_session, event) => void told.push(event),
    wake: () => {},
  });
  const late = new AbortController();
  const asked = questions.ask('s', { question: 'May it?', act: 'rm x', choices: [] }, late.signal);
  late.abort();
  await assert.rejects(asked, /Nobody answered in time/);
  assert.deepEqual(
    told.map(({ type, data }) => [type, data['allowed']]),
    [
      ['approval.request', undefined],
      ['approval.responded', false],
    ],
  );
  assert.equal(await questions.answer(readStringAt(told[0]?.data, 'approval_id') ?? '', 'once'), false);
});

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { joinTextBlocks } from '../../../../src/contracts/message.ts';
import type { Script } from '../../../../src/testing/scripted-provider.ts';
import { MAIN, openApiStage } from './stage.ts';

const PYTHON = resolve('.cache/python/bin/python');

function whyNot(): string | false {
  try {
    execFileSync(PYTHON, ['-c', 'import agents, langchain_openai, langgraph'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'no Python with the packages openai-agents, langchain-openai and langgraph; scripts/system-deps installs them';
  }
}

/** Uses a tool of its own, then one of the client's, and answers with what that gave. */
const TICKETS: Script = ({ messages }) => {
  const [last, before] = [messages.at(-1)?.message, messages.at(-2)?.message];
  const words = last === undefined ? '' : joinTextBlocks(last);
  if (last?.role === 'tool') {
    if (last.name === 'todo')
      return { text: 'Let me see.', calls: [{ id: `p${messages.length}`, name: 'price', input: { city: 'Rome' } }] };
    assert.equal(before?.role, 'assistant');
    return { text: `Answer: ${/costs \d+/.exec(words)?.[0] ?? 'no price'}.` };
  }
  if (words.includes('thanks')) return { text: 'You are welcome.' };
  return { calls: [{ id: `o${messages.length}`, name: 'todo', input: {} }] };
};

test('agents of the OpenAI Agents SDK, LangChain and LangGraph run their own tools beside ours', { skip: whyNot() }, async () => {
  await using stage = await openApiStage({ script: TICKETS });
  const plan = JSON.stringify({ base: `${stage.url}/v1`, key: MAIN.key });
  const { stdout } = await promisify(execFile)(PYTHON, [resolve('test/faces/serve/api/frameworks.py'), plan]);
  const [answer, thanks] = ['Answer: costs 41.', 'You are welcome.'];
  assert.deepEqual(JSON.parse(stdout), {
    agents_chat: [answer, thanks, answer],
    agents_responses: [answer, thanks, answer],
    langchain_chat: [['price'], answer, thanks],
    langchain_responses: [['price'], answer, thanks],
    langgraph: answer,
  });
});

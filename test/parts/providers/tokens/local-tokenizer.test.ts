import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ServerLine } from '../../../../src/parts/providers/tokens/ask-server.ts';
import { waitForServer } from '../../../../src/parts/providers/tokens/health.ts';
import { loadLocalTokenizer } from '../../../../src/parts/providers/tokens/local-tokenizer.ts';
import { encodeBytes, writeByteTokenizer } from '../../../../src/testing/token-server/byte-tokenizer.ts';
import { startTokenServer } from '../../../../src/testing/token-server/server.ts';

const NOBODY: ServerLine = {
  model: 'm',
  post: () => {
    throw new Error('a tokenizer of a folder asks nobody');
  },
};
const hello = { messages: [{ role: 'user', content: 'Hello' }] };

function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hermes-tokenizer-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

test(
  'text of any kind becomes the tokens of the vocabulary and back',
  inFolder(async (folder) => {
    const tokenizer = await loadLocalTokenizer(join(writeByteTokenizer(folder), 'tokenizer.json'));
    for (const text of ['', ' a  b\n', 'ü 🙂 漢', '<|im_start|>user\n<|im_end|>', 'ok']) {
      const tokens = await tokenizer.encode(text, NOBODY);
      assert.deepEqual(tokens, encodeBytes(text), text);
      assert.equal(tokenizer.decode?.(tokens), text);
    }
    assert.deepEqual(
      [[...tokenizer.ends], [...(tokenizer.specials ?? [])]],
      [
        [257, 258],
        [256, 257, 258],
      ],
    );
  }),
);

test(
  'the template for tools is taken when there are tools, a file of its own before all others, and what a template refuses is told',
  inFolder(async (folder) => {
    const named = [
      { name: 'default', template: 'plain {{ messages[0].content }}' },
      { name: 'tool_use', template: 'tools {{ tools | length }}' },
    ];
    const tokenizer = await loadLocalTokenizer(writeByteTokenizer(folder, named));
    assert.equal((await tokenizer.render(hello, true, NOBODY)).text, 'plain Hello');
    assert.equal((await tokenizer.render({ ...hello, tools: [{ type: 'function' }] }, true, NOBODY)).text, 'tools 1');
    writeFileSync(join(folder, 'chat_template.jinja'), '{{ eos_token }}{{ raise_exception("only one message") }}');
    const strict = await loadLocalTokenizer(folder);
    await assert.rejects(strict.render(hello, true, NOBODY), /The chat template in .* refused the conversation: only one message/);
  }),
);

test(
  'a folder without a template says what to add',
  inFolder(async (folder) => {
    writeByteTokenizer(folder, null);
    await assert.rejects(loadLocalTokenizer(folder), /there is no chat template in .*Add the model's chat_template\.jinja/);
  }),
);

test('a server that starts is waited for, and one that does not come is told of', async () => {
  const { signal } = new AbortController();
  await using server = await startTokenServer({ answer: () => ({}), unready: 2 });
  await waitForServer(`${server.url}/v1`, { signal, everyMs: 1 });
  await assert.rejects(
    waitForServer('http://127.0.0.1:1/v1', { signal, patienceMs: 2, everyMs: 2 }),
    /the model server at http:\/\/127\.0\.0\.1:1\/v1 is not ready: .*Start it or correct openai\.base_url/,
  );
  await using sick = await startTokenServer({ answer: () => ({}), unready: 1_000 });
  await assert.rejects(waitForServer(sick.url, { signal, patienceMs: 2, everyMs: 2 }), /\/health answers 503/);
  await assert.rejects(waitForServer(sick.url, { signal: AbortSignal.abort() }));
});

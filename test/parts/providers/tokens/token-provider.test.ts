import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPath } from '../../../../src/base/json.ts';
import { sha256 } from '../../../../src/base/sha256.ts';
import { collectToolCalls, joinTextBlocks, type Message } from '../../../../src/contracts/message.ts';
import { flattenSequence, MASKED, PROMPT_LOGPROB, type TokenTrace } from '../../../../src/contracts/token-trace.ts';
import {
  CHATML_TEMPLATE,
  decodeBytes,
  encodeBytes,
  IM_END,
  MODEL_OK,
  renderChatml,
} from '../../../../src/testing/token-server/byte-tokenizer.ts';
import { fakeLogprob } from '../../../../src/testing/token-server/server.ts';
import { KINDS, result, stageTokens, TOOLS, user, written } from './stage.ts';

const NAMES = TOOLS.map(({ name }) => name);
const flat = ({ sequences }: TokenTrace) => sequences.map(flattenSequence);

for (const kind of KINDS) {
  test(`${kind.name}: several turns with parallel calls are one sequence, token by token as sent and generated`, async () => {
    const replies = [{ text: `Both.\n${written('a', 'b')}` }, { text: written('ü 🙂') }, { text: 'Done.' }];
    await using stage = await stageTokens(kind, { replies });
    const messages: Message[] = [user('Look at a and b.')];
    const results = [['text of a', 'text of b'], ['<|im_end|> is only text? No: a server reads it as a token.']];
    for (const texts of results) {
      const reply = await stage.reply(messages);
      const calls = collectToolCalls(reply);
      assert.equal(calls.length, texts.length);
      messages.push(reply, ...calls.map(({ id }, index) => result(id, texts[index] ?? '')));
    }
    const last = await stage.reply(messages);
    assert.equal(joinTextBlocks(last), 'Done.');
    const [sequence, ...others] = flat(stage.provider.trace());
    assert.ok(sequence);
    assert.deepEqual(others, []);
    // What the model was given last, and what it said to it, is the whole of it.
    const said = [...encodeBytes('Done.'), IM_END];
    assert.deepEqual(sequence.tokens, [...(stage.server.generations().at(-1)?.prompt ?? []), ...said]);
    const conversation = renderChatml(
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Look at a and b.' },
        { role: 'assistant', content: replies[0]?.text ?? '' },
        { role: 'tool', content: 'text of a' },
        { role: 'tool', content: 'text of b' },
        { role: 'assistant', content: replies[1]?.text ?? '' },
        { role: 'tool', content: results[1]?.[0] ?? '' },
        { role: 'assistant', content: 'Done.' },
      ],
      NAMES,
    );
    const after = '\n<|im_start|>assistant\n';
    assert.equal(decodeBytes(sequence.tokens), conversation.slice(0, -after.length));
    // No end stands twice, and exactly what was generated counts.
    assert.ok(sequence.tokens.every((id, index) => id !== IM_END || sequence.tokens[index + 1] !== IM_END));
    const generated = replies.flatMap(({ text }) => [...encodeBytes(text), IM_END]);
    assert.deepEqual(
      sequence.masks.filter((id) => id !== MASKED),
      generated,
    );
    assert.deepEqual(
      sequence.logprobs,
      sequence.tokens.map((id, place) => (sequence.masks[place] === MASKED ? PROMPT_LOGPROB : fakeLogprob(id, place))),
    );
    assert.deepEqual(
      stage.provider.trace().sequences[0]?.segments.map(({ type }) => type),
      ['prompt', 'generated', 'prompt', 'generated', 'prompt', 'generated'],
    );
  });

  test(`${kind.name}: a reply that was cut off has no end of its own, and gets one when the conversation goes on`, async () => {
    await using stage = await stageTokens(kind, { replies: [{ text: 'One, two', finish: 'length' }, { text: 'three' }] });
    const events = await stage.ask([user('Count.')]);
    const done = events.at(-1);
    assert.ok(done?.type === 'done' && done.finish === 'length');
    await stage.reply([user('Count.'), done.message, user('Go on.')]);
    const [sequence, ...others] = flat(stage.provider.trace());
    assert.deepEqual(
      [others.length, stage.provider.trace().sequences[0]?.segments[1]],
      [
        0,
        {
          type: 'generated',
          tokens: encodeBytes('One, two'),
          logprobs: sequence?.logprobs.filter((value) => value !== PROMPT_LOGPROB).slice(0, 8),
          finish: 'length',
        },
      ],
    );
    assert.match(
      decodeBytes(sequence?.tokens ?? []),
      /One, two<\|im_end\|>\n<\|im_start\|>user\nGo on\.<\|im_end\|>\n<\|im_start\|>assistant\nthree<\|im_end\|>$/,
    );
  });

  test(`${kind.name}: a call that failed and was made again doubles nothing`, async () => {
    const replies = [
      { status: 500 },
      { status: 429, headers: { 'retry-after': '3' } },
      { text: 'x', finish: 'abort' as const },
      { text: 'Here.' },
    ];
    await using stage = await stageTokens(kind, { replies });
    const failures = [];
    for (let round = 0; round < 3; round++) {
      const last = (await stage.ask([user('Say something.')])).at(-1);
      failures.push(
        last?.type === 'failed' ? [last.failure.type, 'retryAfterMs' in last.failure ? last.failure.retryAfterMs : undefined] : last,
      );
    }
    assert.deepEqual(failures, [
      ['server_error', undefined],
      ['rate_limited', 3_000],
      ['server_error', undefined],
    ]);
    assert.deepEqual(stage.provider.trace(), { sequences: [] });
    await stage.reply([user('Say something.')]);
    const [sequence, ...others] = flat(stage.provider.trace());
    assert.deepEqual([others.length, sequence?.masks.filter((id) => id !== MASKED)], [0, [...encodeBytes('Here.'), IM_END]]);
  });

  test(`${kind.name}: what does not continue what was sent begins a sequence of its own, and no turn is lost`, async () => {
    await using stage = await stageTokens(kind, { replies: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] });
    const first = await stage.reply([user('Begin.')]);
    const second = await stage.reply([user('Begin.'), first, user('Next.')], { system: 'Be long.' });
    await stage.reply([user('Begin.'), first, user('Next.'), second, user('Last.')], { system: 'Be long.' });
    const sequences = flat(stage.provider.trace());
    assert.deepEqual(
      sequences.map(({ masks }) => decodeBytes(masks.filter((id) => id !== MASKED))),
      ['One.<|im_end|>', 'Two.<|im_end|>Three.<|im_end|>'],
    );
    assert.match(decodeBytes(sequences[1]?.tokens ?? []), /Be long\.<\|im_end\|>[^]*One\.<\|im_end\|>\n/);
  });

  test(`${kind.name}: every choice of sampling reaches the server, and the request that is hashed`, async () => {
    await using stage = await stageTokens(kind, { replies: [{ text: 'a' }], key: 'sk-a-long-secret' });
    const sampling = { temperature: 0.7, topP: 0.9, seed: 11, stop: ['END'], maxOutput: 40, extraBody: { top_k: 5 } };
    await stage.reply([user('Hello.')], { sampling });
    const asked = stage.server.generations()[0];
    const place = kind.type === 'sglang' || kind.type === 'vllm_inference' ? readPath(asked?.body, 'sampling_params') : asked?.body;
    const names = kind.type === 'sglang' ? ['sampling_seed', 'max_new_tokens'] : ['seed', 'max_tokens'];
    assert.deepEqual(
      ['temperature', 'top_p', 'stop', 'top_k', 'skip_special_tokens', ...names].map((name) => readPath(place, name)),
      [0.7, 0.9, ['END'], 5, false, 11, 40],
    );
    assert.equal(asked?.headers['authorization'], 'Bearer sk-a-long-secret');
    const hash = (change: object) =>
      sha256(stage.provider.encode(stage.request([user('Hello.')], { sampling: { ...sampling, ...change } })).body);
    assert.equal(hash({}), hash({}));
    for (const change of [{ temperature: 0 }, { topP: 1 }, { seed: 12 }, { stop: ['X'] }, { maxOutput: 41 }, { extraBody: { top_k: 6 } }])
      assert.notEqual(hash(change), hash({}), JSON.stringify(change));
  });

  test(`${kind.name}: thoughts stay in the tokens and are told apart from the words`, async () => {
    await using stage = await stageTokens(kind, {
      replies: [{ text: `<think>\nA call: ${written('no')}\n</think>\nYes.` }, { text: 'Bye.' }],
    });
    const events = await stage.ask([user('Think.')]);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['thinking_delta', 'text_delta', 'done'],
    );
    const done = events.at(-1);
    assert.ok(done?.type === 'done' && done.finish === 'stop' && joinTextBlocks(done.message) === 'Yes.');
    await stage.reply([user('Think.'), done.message, user('Bye.')]);
    assert.equal(stage.provider.trace().sequences.length, 1);
    assert.match(decodeBytes(stage.server.generations()[1]?.prompt ?? []), /<think>\nA call/);
  });

  test(`${kind.name}: a stop ends the call and leaves no trace`, async () => {
    const stop = new AbortController();
    await using stage = await stageTokens(kind, { answer: () => (setImmediate(() => stop.abort()), { isSilent: true }) });
    const events = await stage.ask([user('Hello.')], {}, stop.signal);
    assert.deepEqual(events, [{ type: 'failed', failure: { type: 'cancelled', detail: 'The call was stopped.' } }]);
    assert.deepEqual(stage.provider.trace(), { sequences: [] });
  });

  test(`${kind.name}: tokens without their log-probabilities are no reply`, async () => {
    const cut = (value: unknown): unknown => (Array.isArray(value) ? value.map(cut).slice(0, value.length > 2 ? -1 : undefined) : value);
    const spoil = {
      vllm: (reply: object) => ({ ...reply, logprobs: cut(Reflect.get(reply, 'logprobs')) }),
      vllm_inference: (reply: object) => ({ ...reply, choices: [{ token_ids: [97, 98], logprobs: { content: [{ logprob: -0.1 }] } }] }),
      sglang: (reply: object) => ({
        ...reply,
        meta_info: {
          output_token_logprobs: [
            [-0.1, 97, null],
            [null, 98, null],
          ],
        },
      }),
      vllm_tokens: (reply: object) => ({ ...reply, prompt_token_ids: null }),
    }[kind.type];
    await using stage = await stageTokens(kind, {
      answer: () => ({ text: 'abc', spoil: (reply) => JSON.parse(JSON.stringify(spoil(reply))) }),
    });
    const last = (await stage.ask([user('Hello.')])).at(-1);
    assert.ok(last?.type === 'failed' && last.failure.type === 'malformed', JSON.stringify(last));
    assert.match(last.failure.detail, /log-probabilit|prompt_token_ids/);
    assert.deepEqual(stage.provider.trace(), { sequences: [] });
  });
}

test('a reply whose tokens its text would not be encoded to goes back as it was; a server that renders it begins anew', async () => {
  const strange = [...encodeBytes('It is '), MODEL_OK, IM_END];
  for (const kind of KINDS) {
    await using stage = await stageTokens(kind, { replies: [{ tokens: strange }, { text: 'Bye.' }] });
    const reply = await stage.reply([user('How?')]);
    assert.equal(joinTextBlocks(reply), 'It is ok');
    await stage.reply([user('How?'), reply, user('Good.')]);
    const sequences = flat(stage.provider.trace());
    assert.equal(sequences.length, kind.type === 'vllm_tokens' ? 2 : 1, kind.name);
    assert.ok(sequences[0]?.masks.includes(MODEL_OK));
    assert.equal(stage.server.generations()[1]?.prompt.includes(MODEL_OK), kind.type !== 'vllm_tokens');
  }
});

test('a template that writes the past in another way each time makes a sequence for each turn', async () => {
  const kind = KINDS[0];
  assert.ok(kind);
  const template = `{{- 'Messages: ' + (messages | length | string) + '\\n' }}${CHATML_TEMPLATE}`;
  await using stage = await stageTokens(kind, { replies: [{ text: 'One.' }, { text: 'Two.' }], template });
  const reply = await stage.reply([user('a')]);
  await stage.reply([user('a'), reply, user('b')]);
  assert.deepEqual(
    flat(stage.provider.trace()).map(({ tokens, masks }) => [
      decodeBytes(tokens).slice(0, 11),
      decodeBytes(masks.filter((id) => id !== MASKED)),
    ]),
    [
      ['Messages: 2', 'One.<|im_end|>'],
      ['Messages: 4', 'Two.<|im_end|>'],
    ],
  );
});

test('a template that asks in other words than it writes the past in is answered in one sequence, with the words that asked', async () => {
  const kind = KINDS[0];
  assert.ok(kind);
  const template = CHATML_TEMPLATE.replace(
    "<|im_start|>assistant\\n' }}{%- endif %}",
    "<|im_start|>assistant\\n<think>\\n' }}{%- endif %}",
  );
  assert.notEqual(template, CHATML_TEMPLATE);
  await using stage = await stageTokens(kind, {
    replies: [{ text: 'Hm.</think>One.' }, { text: 'Well.</think>Two.' }, { text: 'So.</think>Three.' }],
    template,
  });
  const first = await stage.reply([user('a')]);
  assert.deepEqual(
    first.content.map((block) => [block.type, 'text' in block && block.text]),
    [
      ['thinking', 'Hm.'],
      ['text', 'One.'],
    ],
  );
  const second = await stage.reply([user('a'), first, user('b')]);
  await stage.reply([user('a'), first, user('b'), second, user('c')]);
  const sequences = flat(stage.provider.trace());
  assert.equal(sequences.length, 1);
  assert.match(
    decodeBytes(sequences[0]?.tokens ?? []),
    /assistant\n<think>\nHm\.<\/think>One\.<\|im_end\|>\n[^]*assistant\n<think>\nWell\.<\/think>Two\.<\|im_end\|>\n[^]*assistant\n<think>\nSo\.<\/think>Three\.<\|im_end\|>$/,
  );
});

test('a reply that ended with another end than the template writes is ended once', async () => {
  const kind = KINDS[0];
  assert.ok(kind);
  await using stage = await stageTokens(kind, { replies: [{ tokens: [...encodeBytes('Hi.'), 258] }, { text: 'Two.' }] });
  const reply = await stage.reply([user('a')]);
  assert.equal(joinTextBlocks(reply), 'Hi.');
  await stage.reply([user('a'), reply, user('b')]);
  assert.match(decodeBytes(stage.server.generations()[1]?.prompt ?? []), /Hi\.<\|endoftext\|>\n<\|im_start\|>user\nb/);
});

test('text that looks like our marks is left alone', async () => {
  for (const kind of KINDS) {
    await using stage = await stageTokens(kind, { replies: [{ text: '[reply-mark-0-0-]' }, { text: 'Two.' }] });
    const reply = await stage.reply([user('[reply-mark-0-0-] and [reply-mark-1-')]);
    await stage.reply([user('[reply-mark-0-0-] and [reply-mark-1-'), reply, user('b')]);
    assert.equal(stage.provider.trace().sequences.length, 1);
    assert.match(
      decodeBytes(stage.server.generations()[1]?.prompt ?? []),
      /user\n\[reply-mark-0-0-\] and \[reply-mark-1-<\|im_end\|>\n<\|im_start\|>assistant\n\[reply-mark-0-0-\]<\|im_end\|>/,
    );
  }
});

test('a sequence is never longer than a trainer takes', async () => {
  const kind = KINDS[0];
  assert.ok(kind);
  await using stage = await stageTokens(kind, { replies: [{ text: 'Hi.' }], maxTokens: 120 });
  const reply = await stage.reply([user('a')]);
  const asked = stage.server.generations()[0];
  assert.equal(readPath(asked?.body, 'max_tokens'), 120 - (asked?.prompt.length ?? 0));
  const last = (await stage.ask([user('a'), reply, user('b'.repeat(100))])).at(-1);
  assert.ok(last?.type === 'failed' && last.failure.type === 'context_overflow');
  assert.match(last.failure.detail, /^The conversation has \d+ tokens, and the limit is 120 \(/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, type Evidence } from '../../../src/parts/providers/failure/failure.ts';

const ROUTE = { provider: 'custom', model: 'm', protocol: 'openai-chat' } as const;
const refused = (body: object, sizes: Pick<Evidence, 'estimate' | 'window'>, status = 400) =>
  classify({ where: 'http', status, headers: {}, body: JSON.stringify(body), ...ROUTE, ...sizes });
/** Near the window that is believed in, and far below it. */
const SIZES = [
  { estimate: 20_000, window: 32_768 },
  { estimate: 20_000, window: 200_000 },
] as const;

/** Sentences about a prompt that is too long, and the window each states. */
const SENTENCES: readonly (readonly [words: string, window: number | undefined])[] = [
  ['invalid params, context window exceeds limit (2013)', undefined],
  ['context_length_exceeded: 2048 tokens over the limit', undefined],
  ['Context window is full: 512 tokens too many', undefined],
  ['Prompt exceeds max length (HTTP 400, attempt 2 of 3)', undefined],
  ['context length exceeded; please keep the last 500 tokens only', undefined],
  ['input exceeds context window, 24576 tokens must be removed', undefined],
  ['Context size exceeded at token 8193', undefined],
  ['The input is 3000 tokens longer than the context window allows', undefined],
  ['prompt too long; exceeded max context length by 1024 tokens', undefined],
  ['prompt too long: please remove 4096 tokens', undefined],
  ['prompt too long: please reduce it to 16384 tokens', 16_384],
  ['maximum context length is 8192 tokens (limit code 4096)', 8192],
  ['The prompt exceeds the maximum context of this model (16384)', 16_384],
  ['maximum context of 128k tokens, prompt is too long', 128_000],
  ['Context window exceeded: used 131.5K of 128K tokens', 128_000],
  ['prompt too long: 33.000 tokens, maximum 32.768 tokens', 32_768],
  ['prompt too long: 33 000 tokens, maximum 32 768 tokens', 32_768],
  ['prompt is too long: reduce it by at least 4,321 tokens', undefined],
  ['Prompt is too long. Reserve at least 1024 tokens for the answer.', undefined],
  ['messages: at least one message is required; conversation history too long', undefined],
  ['Range of input length should be [1, 30720]', 30_720],
  ['入力トークン数が上限を超えています（最大 16384）', 16_384],
  ['模型最大输入长度为 16384，当前输入长度为 40960', 16_384],
  ['La requête dépasse la longueur maximale du contexte', undefined],
  ['Current length is 19876 while limit is 16384', 16_384],
  ['Request exceeds the maximum size of 20000 tokens; your plan allows 5 requests per minute', 20_000],
  ['prompt uses 20480 of 16384 tokens: too long', 16_384],
];
for (const [words, window] of SENTENCES)
  test(`${window === undefined ? 'no window' : `a window of ${window}`} is read from "${words}"`, () => {
    for (const sizes of SIZES) {
      const failure = refused({ error: { message: words } }, sizes);
      assert.deepEqual([failure.type, 'limit' in failure ? failure.limit : undefined], ['context_overflow', window]);
    }
  });

test('a number that the body calls its code is no window, however it stands in the words', () => {
  for (const words of ['context window exceeds limit (2048)', 'context window exceeds limit 2048', 'maximum context length: 2048'])
    for (const sizes of SIZES) {
      const failure = refused({ base_resp: { status_code: 2048, status_msg: words } }, sizes);
      assert.deepEqual([failure.type, 'limit' in failure], ['context_overflow', false], words);
    }
});

test('a window that is read from doubtful words is good for one try and not remembered', () => {
  const failure = refused(
    { error: { message: 'the model can take 16384 tokens, you gave it 20480' } },
    { estimate: 9_000, window: 200_000 },
  );
  assert.deepEqual([failure.type, 'inferred' in failure && failure.inferred], ['context_overflow', true]);
});

test('what is too much of something else is no overflow', () => {
  for (const words of [
    'seed exceeds the range of a 64-bit integer',
    'Too many tools: 2040 were provided, the maximum is 2000.',
    'thinking.budget_tokens must be less than max_tokens (8192), got 10000',
    'The last message of the conversation must be from the user',
    "Invalid 'metadata.note': value too long, at most 512 characters.",
  ])
    for (const sizes of SIZES) assert.notEqual(refused({ error: { message: words } }, sizes).type, 'context_overflow', words);
});

test('an access token that is too long is no prompt', () => {
  for (const status of [401, 403])
    assert.notEqual(refused({ error: { message: 'token size exceeds the limit of 8192' } }, SIZES[0], status).type, 'context_overflow');
});

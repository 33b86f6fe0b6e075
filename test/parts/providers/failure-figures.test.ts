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

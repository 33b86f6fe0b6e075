import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import OpenAI from 'openai';
import { imageGenerateTool } from '../../../../../src/parts/tools/builtin/media/images/tool.ts';
import { answer } from '../../setup.ts';
import { KEY, PNG } from './fakes.ts';
import { withFakes } from './setup.ts';

const EXPECTED: Readonly<Record<string, object>> = {
  openai: { model: 'gpt-image-1', prompt: 'a fox', n: 1, size: '1024x1536' },
  xai: { model: 'grok-imagine-image-quality', prompt: 'a fox', n: 1, aspect_ratio: '9:16', response_format: 'b64_json' },
  fal: { prompt: 'a fox', image_size: 'portrait_16_9', num_images: 1 },
  gemini: {
    contents: [{ parts: [{ text: 'a fox' }] }],
    generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '9:16' } },
  },
  imagen: { instances: [{ prompt: 'a fox' }], parameters: { sampleCount: 1, aspectRatio: '9:16' } },
  openrouter: {
    model: 'google/gemini-2.5-flash-image',
    messages: [{ role: 'user', content: 'a fox' }],
    modalities: ['image', 'text'],
    image_config: { aspect_ratio: '9:16' },
  },
};

for (const [provider, body] of Object.entries(EXPECTED))
  test(`${provider} makes a picture that is kept`, async () => {
    const { fakes, home, context, options } = await withFakes([provider], { 'image_gen.provider': provider as 'openai' });
    const words = await answer(imageGenerateTool(options), { prompt: ' a fox ', aspect_ratio: 'portrait' }, context);
    const path = /^MEDIA:(\S+)\n/.exec(words)?.[1] ?? '';
    assert.ok(path.startsWith(join(home, 'cache', 'images')), words);
    assert.deepEqual(readFileSync(path), PNG);
    assert.deepEqual(
      fakes.asked.map((each) => each.body),
      [body],
    );
  });

test('the fake of OpenAI is one its official client understands, and we ask as it does', async () => {
  const { fakes, context, options } = await withFakes(['openai']);
  const client = new OpenAI({ apiKey: KEY, baseURL: `${fakes.base}/openai/v1`, maxRetries: 0 });
  const made = await client.images.generate({ model: 'gpt-image-1', prompt: 'a fox', n: 1, size: '1536x1024' });
  assert.equal(made.data?.[0]?.b64_json, PNG.toString('base64'));
  await answer(imageGenerateTool(options), { prompt: 'a fox' }, context);
  assert.deepEqual(fakes.asked[1], fakes.asked[0]);
});

test('without a key there is no tool, and a named provider without its key is not replaced', async () => {
  const { options, known } = await withFakes([]);
  assert.equal(imageGenerateTool(options).available?.(), false);
  known['XAI_API_KEY'] = KEY;
  assert.equal(imageGenerateTool(options).available?.(), true);
  const named = { ...options, settings: { ...options.settings, 'image_gen.provider': 'openai' as const } };
  assert.equal(imageGenerateTool(named).available?.(), false);
});

test('what goes wrong is told without the key', async () => {
  const { fakes, context, options, known, home } = await withFakes(['openai']);
  const tool = imageGenerateTool(options);
  const ask = () => answer(tool, { prompt: 'a fox' }, context);
  fakes.fail(400, { error: { message: 'Your request was rejected by the safety system.' } });
  assert.equal(
    await ask(),
    'FAILED No image was created. OpenAI: it answered 400, saying "Your request was rejected by the safety system.".',
  );
  fakes.fail(200, { data: [] });
  assert.match(await ask(), /^FAILED No image was created\. OpenAI: there is no picture in its answer/);
  fakes.fail(200, { data: [{ b64_json: Buffer.from('<html>').toString('base64') }] });
  assert.match(await ask(), /what it sent is no PNG, JPEG, WebP or GIF/);
  fakes.fail(200, { data: [{ url: 'http://10.0.0.1/secret.png' }] });
  assert.match(await ask(), /the picture could not be fetched: Refused: 10\.0\.0\.1 is/);
  known['OPENAI_API_KEY'] = 'wrong-key-0123456789';
  const refused = await ask();
  assert.match(refused, /it answered 401, it does not accept the key/);
  assert.ok(!refused.includes('wrong-key'));
  known['OPENAI_API_KEY'] = KEY;
  writeFileSync(join(home, 'cache'), 'in the way');
  assert.match(await ask(), /^FAILED The image was created but could not be saved: /);
  assert.match(await answer(tool, { prompt: '  ' }, context), /^FAILED No image was created: the prompt is empty/);
});

test('old pictures make room for new ones', async () => {
  const { home, context, options } = await withFakes(['openai'], { 'media.cache_days': 1 });
  const folder = join(home, 'cache', 'images');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'old.png'), 'old');
  chmodSync(join(folder, 'old.png'), 0o600);
  const later = Date.now() + 2 * 86_400_000;
  await answer(imageGenerateTool({ ...options, now: () => later }), { prompt: 'a fox' }, context);
  assert.throws(() => readFileSync(join(folder, 'old.png')), /ENOENT/);
});

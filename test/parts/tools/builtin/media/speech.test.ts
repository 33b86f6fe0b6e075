import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import OpenAI from 'openai';
import { readStringAt } from '../../../../../src/base/json.ts';
import { textToSpeechTool } from '../../../../../src/parts/tools/builtin/media/speech/tool.ts';
import { joinSound, splitText } from '../../../../../src/parts/tools/builtin/media/speech/parts.ts';
import { readWav, encodeWav } from '../../../../../src/parts/tools/builtin/media/speech/wav.ts';
import { answer } from '../../setup.ts';
import { KEY } from './fakes.ts';
import { withFakes } from './setup.ts';

const EXPECTED: Readonly<Record<string, object>> = {
  openai: { model: 'gpt-4o-mini-tts', input: 'Hello.', voice: 'alloy', response_format: 'mp3' },
  elevenlabs: { text: 'Hello.', model_id: 'eleven_multilingual_v2' },
  minimax: {
    model: 'speech-2.8-hd',
    text: 'Hello.',
    stream: false,
    output_format: 'hex',
    voice_setting: { voice_id: 'English_expressive_narrator', speed: 1, vol: 1, pitch: 0 },
    audio_setting: { sample_rate: 32_000, bitrate: 128_000, format: 'mp3', channel: 1 },
  },
  mistral: { model: 'voxtral-mini-tts-3-0', input: 'Hello.', voice_id: 'gb_jane_neutral', response_format: 'mp3' },
  xai: { text: 'Hello.', voice_id: 'eve', language: 'auto', output_format: { codec: 'mp3', sample_rate: 24_000 } },
};
const pathIn = (words: string): string => /^MEDIA:(\S+)\n/.exec(words)?.[1] ?? words;

for (const [provider, body] of Object.entries(EXPECTED))
  test(`${provider} speaks`, async () => {
    const { fakes, home, context, options } = await withFakes([provider]);
    const path = pathIn(await answer(textToSpeechTool(options), { text: ' Hello. ' }, context));
    assert.ok(path.startsWith(join(home, 'cache', 'audio')) && path.endsWith('.mp3'), path);
    assert.equal(readFileSync(path, 'utf8'), '<Hello.>');
    assert.deepEqual(
      fakes.asked.map((each) => each.body),
      [body],
    );
  });

test('the bare samples of Gemini become a file that can be played', async () => {
  const { context, options } = await withFakes(['gemini']);
  const path = pathIn(await answer(textToSpeechTool(options), { text: 'Hello.' }, context));
  assert.ok(path.endsWith('.wav'));
  assert.deepEqual(readFileSync(path), encodeWav(Buffer.from('PCMPCM'), 24_000));
});

test('the fake of OpenAI is one its official client understands, and we ask as it does', async () => {
  const { fakes, context, options } = await withFakes(['openai']);
  const client = new OpenAI({ apiKey: KEY, baseURL: `${fakes.base}/openai/v1`, maxRetries: 0 });
  const sound = await client.audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'Hello.', voice: 'alloy', response_format: 'mp3' });
  assert.equal(Buffer.from(await sound.arrayBuffer()).toString(), '<Hello.>');
  await answer(textToSpeechTool(options), { text: 'Hello.' }, context);
  assert.deepEqual(fakes.asked[1], fakes.asked[0]);
});

test('a long text is spoken in parts and joined in order', async () => {
  const { fakes, context, options } = await withFakes(['openai']);
  const sentences = Array.from({ length: 300 }, (_, n) => `This is sentence number ${n} of the text.`);
  const words = await answer(textToSpeechTool(options), { text: sentences.join(' ') }, context);
  assert.match(words, /from 3 parts/);
  const parts = fakes.asked.map(({ body }) => readStringAt(body, 'input') ?? '');
  assert.ok(parts.every((part) => part.length <= 4_096 && part.endsWith('.')));
  assert.equal(parts.join(' '), sentences.join(' '));
  assert.equal(readFileSync(pathIn(words), 'utf8'), parts.map((part) => `<${part}>`).join(''));
});

test('what cannot be joined, or is a book, is refused before anything is paid for', async () => {
  const opus = await withFakes(['openai'], { 'tts.format': 'opus' });
  assert.match(
    await answer(textToSpeechTool(opus.options), { text: 'word '.repeat(900) }, opus.context),
    /^FAILED No audio was created: the text has 4499 characters, OpenAI \(alloy\) takes 4096 at most; opus files cannot be joined/,
  );
  const book = await withFakes(['mistral']);
  assert.match(
    await answer(textToSpeechTool(book.options), { text: 'word '.repeat(9_000) }, book.context),
    /Mistral .* takes 40000 at most\./,
  );
  assert.deepEqual([...opus.fakes.asked, ...book.fakes.asked], []);
});

test('the file goes where it is wanted, as far as tools may write there', async () => {
  const { fakes, home, context, options, guarded } = await withFakes(['openai']);
  const tool = textToSpeechTool(options);
  assert.equal(pathIn(await answer(tool, { text: 'Hi.', output_path: 'out/a.mp3' }, context)), join(home, 'out/a.mp3'));
  assert.equal(readFileSync(join(home, 'out/a.mp3'), 'utf8'), '<Hi.>');
  assert.deepEqual(tool.effects({ text: 'Hi.', output_path: 'out/a.mp3' }), {
    kind: 'write',
    resources: [`path:${join(home, 'out/a.mp3')}`],
  });
  assert.match(await answer(tool, { text: 'Hi.', output_path: '.env' }, context), /^FAILED Refused: /);
  assert.deepEqual(guarded, [`write ${join(home, 'out/a.mp3')}`, `write ${join(home, '.env')}`]);
  assert.equal(fakes.asked.length, 1);
});

test('a refusal with status 200 is a refusal', async () => {
  const { context, options } = await withFakes(['minimax']);
  assert.equal(
    await answer(textToSpeechTool(options), { text: 'refused' }, context),
    'FAILED No audio was created. MiniMax (English_expressive_narrator): insufficient balance.',
  );
});

test('programs of this machine speak without a key', async () => {
  const { home, context, options, known } = await withFakes([]);
  assert.equal(textToSpeechTool(options).available?.(), false);
  const wav = encodeWav(Buffer.from('SAMPLE'), 22_050);
  writeFileSync(join(home, 'sound.wav'), wav);
  const program = (name: string, flag: string): void => {
    const script = `#!/bin/sh\nout=; while [ $# -gt 0 ]; do [ "$1" = ${flag} ] && out=$2; shift; done\n/bin/cat > ${home}/said-${name}\n/bin/cp ${home}/sound.wav "$out"\n`;
    writeFileSync(join(home, name), script);
    chmodSync(join(home, name), 0o755);
  };
  program('espeak-ng', '-w');
  known['PATH'] = home;
  const words = await answer(textToSpeechTool(options), { text: '--help; $(rm -rf /) Hello.' }, context);
  assert.deepEqual(readFileSync(pathIn(words)), wav);
  assert.equal(readFileSync(join(home, 'said-espeak-ng'), 'utf8'), '--help; $(rm -rf /) Hello.');
  program('piper', '--output_file');
  const piper = { ...options, settings: { ...options.settings, 'tts.provider': 'piper' as const, 'tts.voice': '/voices/en.onnx' } };
  assert.match(
    await answer(textToSpeechTool(piper), { text: 'A sentence. '.repeat(300) }, context),
    /Spoken by piper, wav, \d+ bytes, from 2 parts/,
  );
  writeFileSync(join(home, 'piper'), '#!/bin/sh\necho no such voice >&2\nexit 3\n');
  assert.match(
    await answer(textToSpeechTool(piper), { text: 'Hello.' }, context),
    /^FAILED No audio was created\. piper: it ended with 3: no such voice/,
  );
});

test('texts are cut at the best places and lose nothing', () => {
  assert.deepEqual(splitText('One. Two! Three? Four.', 12), ['One. Two!', 'Three? Four.']);
  assert.deepEqual(splitText('aaaa bbbb cccc', 10), ['aaaa bbbb', 'cccc']);
  assert.deepEqual(splitText('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
  assert.deepEqual(splitText('ab😀😀', 3), ['ab', '😀', '😀'], 'no character is cut in two');
  assert.deepEqual(splitText('一二三。四五六。七八', 5), ['一二三。', '四五六。', '七八']);
});

test('sounds are joined where their form allows it', () => {
  const [a, b] = [encodeWav(Buffer.from('aaaa'), 8_000), encodeWav(Buffer.from('bb'), 8_000)];
  assert.deepEqual(joinSound([a, b], 'wav'), encodeWav(Buffer.from('aaaabb'), 8_000));
  assert.equal(joinSound([a, encodeWav(Buffer.from('cc'), 16_000)], 'wav'), undefined, 'another rate');
  assert.equal(joinSound([a, Buffer.from('no wav')], 'wav'), undefined);
  const tagged = Buffer.concat([Buffer.from('ID3\u0004\0\0\0\0\0\u0003tag', 'latin1'), Buffer.from('frames')]);
  assert.equal(joinSound([tagged, tagged], 'mp3')?.toString('latin1'), 'ID3\u0004\0\0\0\0\0\u0003tagframesframes');
  assert.equal(joinSound([a, b], 'opus'), undefined);
  assert.equal(joinSound([a], 'opus'), a);
});

test('a wave file is read with chunks nobody knows and sizes nobody knew', () => {
  const plain = encodeWav(Buffer.from('abcd'), 8_000);
  const listed = Buffer.concat([plain.subarray(0, 36), Buffer.from('LIST\u0002\0\0\0xy', 'latin1'), plain.subarray(36)]);
  assert.equal(readWav(listed)?.samples.toString(), 'abcd');
  plain.writeUInt32LE(0xff_ff_ff_ff, 40);
  assert.equal(readWav(plain)?.samples.toString(), 'abcd');
});

import { extractSound, type Format, type SpeechBackend } from './backend.ts';

/** Characters by model; others have the smallest. */
const CAPS: Readonly<Record<string, number>> = {
  eleven_multilingual_v2: 10_000,
  eleven_flash_v2: 30_000,
  eleven_turbo_v2: 30_000,
  eleven_flash_v2_5: 40_000,
  eleven_turbo_v2_5: 40_000,
};
const FORMATS: Readonly<Record<Format, string>> = { mp3: 'mp3_44100_128', opus: 'opus_48000_64', wav: 'mp3_44100_128' };

/** https://elevenlabs.io/docs/api-reference/text-to-speech/convert. Unproved live. */
export const elevenlabs: SpeechBackend = {
  name: 'elevenlabs',
  label: 'ElevenLabs',
  keys: ['ELEVENLABS_API_KEY'],
  base: 'https://api.elevenlabs.io/v1',
  model: 'eleven_multilingual_v2',
  voice: 'JBFqnCBsd6RMkjVDRZzb',
  formats: ['mp3', 'opus'],
  cap: (model) => CAPS[model] ?? 5_000,
  request: ({ text, voice, model, format }, key) => ({
    path: `/text-to-speech/${encodeURIComponent(voice)}?output_format=${FORMATS[format]}`,
    headers: { 'xi-api-key': key },
    body: { text, model_id: model },
  }),
  read: extractSound,
};

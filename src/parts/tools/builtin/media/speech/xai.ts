import { extractSound, type SpeechBackend } from './backend.ts';

/** https://docs.x.ai/developers/model-capabilities/audio/text-to-speech. Unproved live. */
export const xai: SpeechBackend = {
  name: 'xai',
  label: 'xAI',
  keys: ['XAI_API_KEY'],
  base: 'https://api.x.ai/v1',
  model: 'tts',
  voice: 'eve',
  formats: ['mp3', 'wav'],
  cap: () => 15_000,
  request: ({ text, voice, format }, key) => ({
    path: '/tts',
    headers: { authorization: `Bearer ${key}` },
    body: { text, voice_id: voice, language: 'auto', output_format: { codec: format, sample_rate: 24_000 } },
  }),
  read: extractSound,
};

import { readStringAt } from '../../../../../base/json.ts';
import type { SpeechBackend } from './backend.ts';

/** https://docs.mistral.ai/studio/audio/text-to-speech. Unproved live. */
export const mistral: SpeechBackend = {
  name: 'mistral',
  label: 'Mistral',
  keys: ['MISTRAL_API_KEY'],
  base: 'https://api.mistral.ai/v1',
  model: 'voxtral-mini-tts-3-0',
  voice: 'gb_jane_neutral',
  formats: ['mp3', 'wav', 'opus'],
  cap: () => 4_000,
  request: ({ text, voice, model, format }, key) => ({
    path: '/audio/speech',
    headers: { authorization: `Bearer ${key}` },
    body: { model, input: text, voice_id: voice, response_format: format },
  }),
  read: (answer) => {
    const data = readStringAt(answer.json(), 'audio_data') ?? '';
    return data === '' ? 'there is no sound in its answer' : Buffer.from(data, 'base64');
  },
};

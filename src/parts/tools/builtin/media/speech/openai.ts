import { extractSound, type SpeechBackend } from './backend.ts';

/** https://platform.openai.com/docs/api-reference/audio/createSpeech. The fake is proved by the official client; unproved live. */
export const openai: SpeechBackend = {
  name: 'openai',
  label: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  base: 'https://api.openai.com/v1',
  baseVariable: 'OPENAI_BASE_URL',
  model: 'gpt-4o-mini-tts',
  voice: 'alloy',
  formats: ['mp3', 'wav', 'opus'],
  cap: () => 4_096,
  request: ({ text, voice, model, format }, key) => ({
    path: '/audio/speech',
    headers: { authorization: `Bearer ${key}` },
    body: { model, input: text, voice, response_format: format },
  }),
  read: extractSound,
};

import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { SpeechBackend } from './backend.ts';
import { encodeWav } from './wav.ts';

const RATE = 24_000;

/** https://ai.google.dev/gemini-api/docs/speech-generation: bare samples, which get a head here. Unproved live. */
export const gemini: SpeechBackend = {
  name: 'gemini',
  label: 'Gemini',
  keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  base: 'https://generativelanguage.googleapis.com/v1beta',
  model: 'gemini-2.5-flash-preview-tts',
  voice: 'Kore',
  formats: ['wav'],
  cap: () => 32_000,
  request: ({ text, voice, model }, key) => ({
    path: `/models/${model}:generateContent`,
    headers: { 'x-goog-api-key': key },
    body: {
      contents: [{ parts: [{ text }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
      },
    },
  }),
  read: (answer) => {
    const sound = readPath(answer.json(), 'candidates', 0, 'content', 'parts', 0, 'inlineData');
    const data = readStringAt(sound, 'data') ?? '';
    const rate = Number(/rate=(\d+)/.exec(readStringAt(sound, 'mimeType') ?? '')?.[1] ?? RATE);
    return data === '' ? 'there is no sound in its answer' : encodeWav(Buffer.from(data, 'base64'), rate);
  },
};

import { readNumberAt, readStringAt } from '../../../../../base/json.ts';
import type { SpeechBackend } from './backend.ts';

/** https://platform.minimax.io/docs/api-reference/speech-t2a-http. Unproved live. */
export const minimax: SpeechBackend = {
  name: 'minimax',
  label: 'MiniMax',
  keys: ['MINIMAX_API_KEY'],
  base: 'https://api.minimax.io/v1',
  model: 'speech-2.8-hd',
  voice: 'English_expressive_narrator',
  formats: ['mp3', 'wav'],
  cap: () => 10_000,
  request: ({ text, voice, model, format }, key) => ({
    path: '/t2a_v2',
    headers: { authorization: `Bearer ${key}` },
    body: {
      model,
      text,
      stream: false,
      output_format: 'hex',
      voice_setting: { voice_id: voice, speed: 1, vol: 1, pitch: 0 },
      audio_setting: { sample_rate: 32_000, bitrate: 128_000, format, channel: 1 },
    },
  }),
  read: (answer) => {
    const json = answer.json();
    // Failures come with status 200 and say so inside.
    if ((readNumberAt(json, 'base_resp', 'status_code') ?? 0) !== 0)
      return readStringAt(json, 'base_resp', 'status_msg') ?? 'it refused without a word';
    const hex = readStringAt(json, 'data', 'audio') ?? '';
    return hex === '' ? 'there is no sound in its answer' : Buffer.from(hex, 'hex');
  },
};

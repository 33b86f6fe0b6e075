import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const mediaSettings = {
  'image_gen.provider': {
    kind: 'choice',
    owner: true,
    default: 'auto',
    choices: ['auto', 'fal', 'openai', 'gemini', 'imagen', 'xai', 'openrouter'],
    unsupported: ['deepinfra', 'nous'],
    describe: 'The provider that generates images. `auto` uses the first one that has a key.',
  },
  'image_gen.model': {
    kind: 'string',
    default: '',
    describe: 'The model that generates images. Empty means the default of the provider.',
  },
  'tts.provider': {
    kind: 'choice',
    owner: true,
    default: 'auto',
    choices: ['auto', 'openai', 'elevenlabs', 'minimax', 'mistral', 'gemini', 'xai', 'piper', 'espeak'],
    unsupported: ['edge', 'neutts', 'kittentts', 'deepinfra'],
    describe: 'The provider that generates speech. `auto` uses the first one that has a key, then a program on this machine.',
  },
  'tts.voice': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The voice. Empty means the default of the provider. For piper, the path of a voice file (.onnx).',
  },
  'tts.model': {
    kind: 'string',
    default: '',
    describe: 'The model that generates speech. Empty means the default of the provider.',
  },
  'tts.format': {
    kind: 'choice',
    default: 'mp3',
    choices: ['mp3', 'wav', 'opus'],
    describe: 'The format of speech files, if the provider supports it. Otherwise you get mp3 or wav.',
  },
  'media.cache_days': {
    kind: 'integer',
    default: 30,
    min: 1,
    describe: 'How long to keep generated images and speech files, in days.',
  },
  'media.cache_mb': {
    kind: 'integer',
    default: 1_000,
    min: 10,
    describe: 'Maximum size of generated images on disk, and of speech files, in megabytes each. The oldest are deleted first.',
  },
} as const satisfies SettingsSlice;

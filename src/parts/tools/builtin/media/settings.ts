import type { SettingsSlice } from '../../../../contracts/settings.ts';

export const mediaSettings = {
  'image_gen.provider': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'fal', 'openai', 'gemini', 'imagen', 'xai', 'openrouter'],
    unsupported: ['deepinfra', 'nous'],
    describe: 'Who makes pictures; auto takes the first that has a key.',
    source: 'reference tools-and-cli §1.10 (chosen by the owner, never by the model)',
  },
  'image_gen.model': {
    kind: 'string',
    default: '',
    describe: "The model that makes pictures; empty takes the provider's usual one.",
    source: 'ours: each provider has a usual one',
  },
  'tts.provider': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'openai', 'elevenlabs', 'minimax', 'mistral', 'gemini', 'xai', 'piper', 'espeak'],
    unsupported: ['edge', 'neutts', 'kittentts', 'deepinfra'],
    describe: 'Who speaks; auto takes the first that has a key, then a program of this machine.',
    source: 'reference tools-and-cli §1.10',
  },
  'tts.voice': {
    kind: 'string',
    default: '',
    describe: "The voice; empty takes the provider's usual one. For piper the path of a voice (.onnx).",
    source: 'ours: each provider has a usual one',
  },
  'tts.model': {
    kind: 'string',
    default: '',
    describe: "The model that speaks; empty takes the provider's usual one.",
    source: 'ours: each provider has a usual one',
  },
  'tts.format': {
    kind: 'choice',
    default: 'mp3',
    choices: ['mp3', 'wav', 'opus'],
    describe: 'The form of spoken files, where the provider has it; others give mp3 or wav.',
    source: 'ours: plays everywhere, and parts of it can be joined',
  },
  'media.cache_days': {
    kind: 'integer',
    default: 30,
    min: 1,
    describe: 'Days made pictures and spoken files stay in the cache folder.',
    source: 'ours: long enough to be fetched from a chat',
  },
  'media.cache_mb': {
    kind: 'integer',
    default: 1_000,
    min: 10,
    describe: 'Megabytes each of them may take; the oldest go first.',
    source: 'ours: some hundred pictures',
  },
} as const satisfies SettingsSlice;

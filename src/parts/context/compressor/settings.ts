import type { SettingsSlice } from '../../../contracts/settings.ts';

export const compressorSettings = {
  'compression.enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Summarize older messages before the context window is full. If off, only /compress summarizes.',
  },
  'compression.threshold': {
    kind: 'number',
    default: 0.5,
    min: 0,
    max: 1,
    describe: 'Share of the context window at which Hermes summarizes older messages.',
  },
  'compression.target_ratio': {
    kind: 'number',
    default: 0.2,
    min: 0.1,
    max: 0.8,
    describe: 'Share of the threshold that the newest messages can keep word for word.',
  },
  'compression.protect_last_n': {
    kind: 'integer',
    default: 20,
    min: 1,
    describe: 'How many of the newest messages stay word for word. Hermes keeps fewer, but at least 3, if they are too large.',
  },
  'auxiliary.compression.model': {
    kind: 'string',
    default: '',
    describe:
      'The model that writes summaries. Empty means a cheap model of the same provider, or the model of the session where none is known. `main` means the model of the session.',
  },
  'auxiliary.compression.provider': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The provider of the summary model. Empty means the provider of the session.',
  },
  'auxiliary.compression.context_length': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'The context window of the summary model, in tokens. 0 means: look it up. A longer log is summarized in parts.',
  },
  'auxiliary.compression.base_url': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The address of an OpenAI-compatible server for the summary model only.',
  },
} as const satisfies SettingsSlice;

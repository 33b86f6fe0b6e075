import type { SettingsSlice } from '../../contracts/settings.ts';

export const modelSettings = {
  'model.default': {
    kind: 'string',
    default: '',
    describe: 'The model to talk to, as its provider names it; empty takes the provider’s own default.',
    source: 'reference tools-and-cli §6.8',
    env: 'HERMES_MODEL',
    flag: '-m, --model',
  },
  'model.provider': {
    kind: 'string',
    default: 'auto',
    describe: 'The provider by id or alias; `auto` takes the first whose key is in the environment, else a local server.',
    source: 'reference tools-and-cli §6.8',
    env: 'HERMES_PROVIDER',
    flag: '--provider',
  },
  'model.base_url': {
    kind: 'string',
    default: '',
    describe: 'Another address for the provider; it gets that provider’s key because you named it.',
    source: 'reference tools-and-cli §6.8',
    flag: '--base-url',
  },
  'model.api_mode': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'chat_completions', 'anthropic_messages', 'responses'],
    describe: 'The wire format; `auto` takes the provider’s own.',
    source: 'design §6',
    flag: '--api-mode',
  },
  'model.context_length': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'The model’s window in tokens; 0 asks the model table and the server.',
    source: 'reference core §3.8',
  },
  'model.max_tokens': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'Most tokens asked for in one answer; 0 leaves it to the model.',
    source: 'reference core §3.2',
  },
  fallback_providers: {
    kind: 'table',
    default: [] as readonly unknown[],
    describe: 'Other routes in order, tried when this one is closed: rows of {provider, model, base_url?, api_mode?, key_env?}.',
    source: 'reference core §2.7',
  },
  providers: {
    kind: 'table',
    default: {} as Readonly<Record<string, unknown>>,
    describe:
      'Providers of your own by name: {base_url, key_env?, api_mode?, models?}; the first model is the default, {NAME: {context_length: N}} states a window.',
    source: 'reference core §3.7 (named providers)',
  },
} as const satisfies SettingsSlice;

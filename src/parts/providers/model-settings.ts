import type { SettingsSlice } from '../../contracts/settings.ts';

export const modelSettings = {
  'model.default': {
    kind: 'string',
    default: '',
    describe: 'The model to use, as its provider names it. Empty means the default of the provider.',
    env: 'HERMES_MODEL',
    flag: '-m, --model',
  },
  'model.provider': {
    kind: 'string',
    owner: true,
    default: 'auto',
    describe:
      'The provider to use, by id or alias. `auto` uses the first provider with a key in the environment, otherwise a server on this machine.',
    env: 'HERMES_PROVIDER',
    flag: '--provider',
  },
  'model.base_url': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The address of the model server. Together with `model.provider`, this address gets the key of that provider.',
    flag: '--base-url',
  },
  'model.api_mode': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'chat_completions', 'anthropic_messages', 'responses'],
    describe: 'The wire format. `auto` means the format of the provider.',
    flag: '--api-mode',
  },
  'model.context_length': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'The context window of the model, in tokens. 0 means: look it up in the model table or ask the server.',
  },
  'model.max_tokens': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe: 'Maximum number of tokens in one answer. 0 leaves it to the model.',
  },
  fallback_providers: {
    kind: 'table',
    owner: true,
    default: [] as readonly unknown[],
    describe: 'Providers to try, in this order, when the current one fails: a list of {provider, model, base_url?, api_mode?, key_env?}.',
  },
  providers: {
    kind: 'table',
    owner: true,
    default: {} as Readonly<Record<string, unknown>>,
    describe:
      'Your own providers by name: {base_url, key_env?, api_mode?, models?, send_reasoning?}. The first model is the default. An entry {NAME: {context_length: N}} sets the context window of a model.',
  },
} as const satisfies SettingsSlice;

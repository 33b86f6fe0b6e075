import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

export const promptSettings = ownersAlone({
  'agent.system_prompt': {
    kind: 'string',
    default: '',
    describe:
      'Your own text in every system prompt, after the identity. If an API client sends a system message, that one is used instead.',
  },
  'agent.environment_hint': {
    kind: 'string',
    default: '',
    env: 'HERMES_ENVIRONMENT_HINT',
    describe: 'What the model should know about this machine, in addition to what Hermes detects.',
  },
  'agent.tool_use_enforcement': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'on', 'off', 'true', 'false'],
    describe:
      'Tell the model firmly to act through tools. `auto` does so for model families that need it, `on` (or `true`) for every model, `off` (or `false`) for none.',
  },
  platform_hints: {
    kind: 'table',
    default: {},
    describe:
      'Your own text about a platform for the model: PLATFORM: TEXT, or {append: TEXT} or {replace: TEXT}. `replace` removes the built-in text.',
  },
  context_file_max_chars: {
    kind: 'integer',
    default: 20_000,
    min: 1_000,
    max: 500_000,
    describe:
      'How much of SOUL.md and of each project file goes into the prompt, in characters. Of a longer file, Hermes keeps the beginning and the end.',
  },
} as const satisfies SettingsSlice);

import type { SettingsSlice } from '../../contracts/settings.ts';

export const promptSettings = {
  'agent.system_prompt': {
    kind: 'string',
    default: '',
    describe: 'Words of yours in every system prompt, after the identity; an API client that sends its own system message wins.',
    source: 'seed 004, prompt assembly, layer 4 (absent by default)',
  },
  'agent.environment_hint': {
    kind: 'string',
    default: '',
    env: 'HERMES_ENVIRONMENT_HINT',
    describe: 'What the model should know about the machine it works on, added to what was found out by itself.',
    source: 'reference core §4.8 (empty)',
  },
  'agent.tool_use_enforcement': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'on', 'off', 'true', 'false'],
    describe:
      'Firm words to act through tools: auto for the families of models that need them, on (or true) for every model, off (or false) for none.',
    source: 'seed 000 §5.7 and reference core §4.1 (auto)',
  },
  platform_hints: {
    kind: 'table',
    default: {},
    describe:
      'Per platform, words added to what the model is told about it: a text, or a table with append or replace; replace leaves ours out.',
    source: 'reference core §4.9 (empty)',
  },
  context_file_max_chars: {
    kind: 'integer',
    default: 20_000,
    min: 1_000,
    max: 500_000,
    describe: 'Characters of SOUL.md and of each project file that go into the prompt; of longer ones head and tail are kept.',
    source: 'seed 000 §5.9.3 (20,000)',
  },
} as const satisfies SettingsSlice;

import type { SettingsSlice } from '../contracts/settings.ts';

export const agentSettings = {
  'agent.max_turns': {
    kind: 'integer',
    default: 90,
    min: 0,
    describe: 'Model calls one turn may take before the closing call; 0 means no limit.',
    source: 'seed 001 §3.1.2 (max_iterations 90)',
    flag: '--max-turns',
  },
  'agent.budget_tokens': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe:
      'Tokens one session and its children may use. Each call is checked before it is sent, and its answer is limited to what is left; 0 means no limit.',
    source: 'ours: off unless the owner sets it',
  },
  'agent.budget_usd': {
    kind: 'number',
    default: 0,
    min: 0,
    describe:
      'US dollars one session and its children may cost. Each call is checked before it is sent, and its answer is limited to what is left; a model without a known price is not called. 0 means no limit.',
    source: 'ours: off unless the owner sets it',
  },
  'agent.api_max_retries': {
    kind: 'integer',
    default: 3,
    min: 0,
    max: 10,
    describe:
      'How often one throttled, overloaded or broken call is repeated; a fallback chain, where there is one, is walked after two tries.',
    source: 'reference core §1.6 and §7.2',
  },
  'agent.parallel_tools': {
    kind: 'integer',
    default: 8,
    min: 1,
    max: 32,
    describe: 'Tool calls that may run side by side.',
    source: 'reference core §1.10 (8 workers)',
  },
  'tool_loop_guardrails.hard_stop_enabled': {
    kind: 'boolean',
    default: true,
    describe: 'Whether calls repeated without progress end the turn with a closing call; warnings are given in any case.',
    source: 'reference tools-and-cli §1.6: on for unattended work',
  },
  'prompt_caching.cache_ttl': {
    kind: 'choice',
    default: '5m',
    choices: ['5m', '1h', 'off'],
    describe: 'How long the provider is asked to keep the prompt prefix; `off` places no marks.',
    source: 'seed 002 and reference core §5.7',
  },
  'memory.flush_min_turns': {
    kind: 'integer',
    default: 6,
    min: 0,
    describe:
      'Turns a session must have had before its model is asked, when it is reset, left for another or expires, what to remember of it; 0 means it never is.',
    source: 'ours (a key of hermes-agent): shorter sessions seldom hold what lasts',
  },
  'auxiliary.title_generation.model': {
    kind: 'string',
    default: '',
    describe:
      'A cheap model that gives a session its title after the first answer. Empty leaves the first words of the session as its title.',
    source: 'ours: a name is worth no dear call',
  },
  'auxiliary.title_generation.provider': {
    kind: 'string',
    default: 'auto',
    describe: 'The provider of that model; auto means the provider of the session.',
    source: 'reference tools-and-cli §6 (auto)',
  },
} as const satisfies SettingsSlice;

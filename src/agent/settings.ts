import { ownersAlone, type SettingsSlice } from '../contracts/settings.ts';

export const agentSettings = ownersAlone({
  'agent.max_turns': {
    kind: 'integer',
    default: 90,
    min: 0,
    describe: 'Maximum number of model calls in one turn. After that, the model gets one last call to report. 0 means no limit.',
    flag: '--max-turns',
  },
  'agent.budget_tokens': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe:
      'Maximum number of tokens for a session and its child agents. Hermes checks each call before it sends it and limits the answer to what is left. 0 means no limit.',
  },
  'agent.budget_usd': {
    kind: 'number',
    default: 0,
    min: 0,
    describe:
      'Maximum cost of a session and its child agents, in US dollars. Hermes checks each call before it sends it and limits the answer to what is left. It does not call a model whose price it does not know. 0 means no limit.',
  },
  'agent.api_max_retries': {
    kind: 'integer',
    default: 3,
    min: 0,
    max: 10,
    describe:
      'How often to retry a model call that was throttled, overloaded or broken. If there are fallback providers, Hermes switches to the next one after two tries.',
  },
  'agent.parallel_tools': {
    kind: 'integer',
    default: 8,
    min: 1,
    max: 32,
    describe: 'Maximum number of tool calls that run at the same time.',
  },
  'tool_loop_guardrails.hard_stop_enabled': {
    kind: 'boolean',
    default: true,
    describe: 'End the turn when the model repeats tool calls without progress. The model is warned in any case.',
  },
  'prompt_caching.cache_ttl': {
    kind: 'choice',
    default: '5m',
    choices: ['5m', '1h', 'off'],
    describe: 'How long the provider should cache the beginning of the prompt. `off` does not ask for caching.',
  },
  'memory.flush_min_turns': {
    kind: 'integer',
    default: 6,
    min: 0,
    describe: 'Minimum number of turns before Hermes asks the model, at the end of a session, what to remember. 0 means never.',
  },
  'memory.nudge_interval': {
    kind: 'integer',
    default: 0,
    min: 0,
    describe:
      'After how many turns without a change of memory Hermes asks the model, while nobody writes, what to remember. The session goes on. 0 means never.',
  },
  'memory.write_approval': {
    kind: 'boolean',
    default: false,
    describe:
      'Ask you before each change the memory tool makes. A change that nobody answers for is an open question (`hermes approvals list`), and the model is not asked what to remember while nobody is there.',
  },
  'auxiliary.title_generation.model': {
    kind: 'string',
    default: '',
    describe:
      'The model that writes session titles after the first answer. Choose a cheap one. Empty: the title is the first words of the session.',
  },
  'auxiliary.title_generation.provider': {
    kind: 'string',
    default: 'auto',
    describe: 'The provider of the title model. `auto` means the provider of the session.',
  },
} as const satisfies SettingsSlice);

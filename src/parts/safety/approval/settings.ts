import type { SettingsSlice } from '../../../contracts/settings.ts';

export const approvalSettings = {
  'approvals.mode': {
    kind: 'choice',
    default: 'manual',
    choices: ['manual', 'smart', 'off'],
    describe:
      'Who decides on dangerous acts: you, a model that passes on to you what it doubts, or nobody. The hard floor stays in every mode.',
    source: 'reference tools-and-cli §2.2 (manual in the era of the seeds)',
  },
  'approvals.timeout': {
    kind: 'integer',
    default: 300,
    min: 1,
    max: 86_400,
    describe:
      'Seconds a question waits for its answer. After that it is unanswered: nothing is done, and hermes approvals can still allow it, once.',
    source: 'reference tools-and-cli §2.2 (300 s)',
  },
  'approvals.smart_policy': {
    kind: 'string',
    default: '',
    describe: 'Rules of your own for the model that decides in smart mode.',
    source: 'reference tools-and-cli §2.2',
  },
  'approvals.denial_breaker_threshold': {
    kind: 'integer',
    default: 3,
    min: 0,
    describe: 'Denials in a row by the model of smart mode after which the agent is told to stop trying; 0 never.',
    source: 'reference tools-and-cli §2.2 (3)',
  },
  'approvals.deny': {
    kind: 'list',
    default: [],
    describe:
      'Commands that are never run, as globs over the whole line or over each command in it, upper and lower case alike; they win over everything.',
    source: 'reference tools-and-cli §2.2',
  },
  'approvals.keep_hours': {
    kind: 'integer',
    default: 72,
    min: 1,
    describe: 'Hours an unanswered question can still be allowed.',
    source: 'ours: a weekend',
  },
  command_allowlist: {
    kind: 'list',
    default: [],
    describe:
      'What is allowed without a question: a class of danger in one place (recursive_delete at /home/me/old), one that has no place (privilege), or a whole command line.',
    source: 'reference tools-and-cli §2.3',
  },
} as const satisfies SettingsSlice;

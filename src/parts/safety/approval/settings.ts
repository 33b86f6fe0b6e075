import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const approvalSettings = ownersAlone({
  'approvals.mode': {
    kind: 'choice',
    default: 'manual',
    choices: ['manual', 'smart', 'off'],
    describe:
      'Who decides about risky commands: you (`manual`), a model that asks you when in doubt (`smart`), or nobody (`off`). Commands that would destroy the system are refused in every mode.',
  },
  'approvals.timeout': {
    kind: 'integer',
    default: 300,
    min: 1,
    max: 86_400,
    describe:
      'How long a question waits for your answer, in seconds. After that, the command does not run. You can still allow it once with `hermes approvals`.',
  },
  'approvals.smart_policy': {
    kind: 'string',
    default: '',
    describe: 'Your own rules for the model that decides in smart mode.',
  },
  'approvals.denial_breaker_threshold': {
    kind: 'integer',
    default: 3,
    min: 0,
    describe: 'After this many denials in a row in smart mode, Hermes tells the agent to stop trying. 0 means never.',
  },
  'approvals.deny': {
    kind: 'list',
    default: [],
    describe:
      'Commands that never run. Each entry is a glob that matches the whole line or a single command in it, ignoring case. No other rule can override it.',
  },
  'approvals.keep_hours': {
    kind: 'integer',
    default: 72,
    min: 1,
    describe: 'How long you can still allow an unanswered question, in hours.',
  },
  command_allowlist: {
    kind: 'list',
    default: [],
    describe:
      'What runs without asking: a class of danger in one place (recursive_delete at /home/me/old), a class that has no place (privilege), a folder whose code you trust (project_code at /home/me/shop; `hermes trust` adds it), or a whole command line.',
  },
} as const satisfies SettingsSlice);

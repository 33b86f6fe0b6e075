import type { Rule } from '../match/rule.ts';

/** Secrets that are to be read and shown, written down or carried off. */
export const secrets: readonly Rule[] = [
  { threat: 'read_secrets', severe: true, need: ['read', 'secretfile', 'sink|gather'], within: 20, unless: 'refused', near: 4 },
  { threat: 'read_secrets', severe: true, need: ['readsenv|wholeenv', 'sinktight'], within: 14, unless: 'sampleenv', near: 2 },
  { threat: 'read_secrets', severe: true, need: ['read', 'envfile', 'values', 'sinktight'], within: 14, unless: 'sampleenv', near: 2 },
  { threat: 'read_secrets', severe: true, need: ['read', 'secret', 'sinktight', 'all|values|yours|user|envfile|secretfile'], within: 12 },
  { threat: 'read_secrets', severe: true, need: ['gather', 'secret|secretfile', 'sink|send'], within: 16 },
  { threat: 'read_secrets', severe: true, need: ['secret', 'sinkdoc'], within: 8 },
  { threat: 'read_secrets', severe: true, need: ['read', 'secret', 'eachreply'], within: 14 },
  { threat: 'read_secrets', severe: true, need: ['read', 'envfile', 'replyto'], within: 12, unless: 'sampleenv', near: 2 },
  { threat: 'leak_system_prompt', severe: true, need: ['reveal', 'sysprompt', 'full'], within: 9, unless: 'evaluated|foreign', near: 2 },
  {
    threat: 'leak_system_prompt',
    severe: true,
    need: ['reveal', 'sysprompt', 'each|user|now'],
    within: 16,
    unless: 'evaluated|foreign',
    near: 2,
  },
];

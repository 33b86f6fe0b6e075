import type { Rule } from '../match/rule.ts';

/** Orders that come from elsewhere while the agent works, and code that was packed so that nobody reads it. */
export const controlChannel: readonly Rule[] = [
  {
    threat: 'c2',
    severe: true,
    need: ['controller', 'heartbeat|tasks|fetch', 'obey|run|heartbeat'],
    within: 20,
    unless: 'appcode',
    near: 4,
  },
  { threat: 'c2', severe: true, need: ['heartbeat', 'tasks', 'obey|run', 'url|controller|server'], within: 24, unless: 'appcode', near: 4 },
  { threat: 'c2', severe: true, need: ['controller', 'url', 'outranks|heartbeat|obey|allegiance'], within: 24 },
  { threat: 'c2', severe: true, need: ['fetch', 'url', 'follow', 'tasks'], within: 18 },
  { threat: 'c2', severe: true, need: ['fetch', 'url', 'follow', 'repeat'], within: 20, ordered: false },
  { threat: 'c2', severe: true, need: ['url', 'whatdo'], within: 12 },
  { threat: 'c2', severe: true, need: ['trusting', 'url'], within: 8 },
  { threat: 'c2', severe: true, need: ['revshell', 'url|keepopen|shellword'], within: 16 },
  { threat: 'c2', severe: true, need: ['netloop', 'urlopen', 'subprocess'], within: 60 },
  { threat: 'translate_execute', severe: true, need: ['decode', 'run', 'result'], within: 16, ordered: true, unless: 'appcode', near: 2 },
  {
    threat: 'translate_execute',
    severe: true,
    need: ['decode', 'it|below', 'run|obey'],
    within: 9,
    ordered: true,
    unless: 'appcode',
    near: 2,
  },
  { threat: 'translate_execute', severe: true, need: ['decode', 'run', 'below'], within: 12, unless: 'appcode', near: 2 },
  { threat: 'translate_execute', severe: true, need: ['run', 'decode', 'packed'], within: 10, unless: 'appcode', near: 2 },
  {
    threat: 'c2',
    severe: true,
    need: ['obey|run|follow', 'incoming', 'heartbeat|repeat|url|fetch|server|all'],
    within: 18,
    unless: 'appcode',
    near: 3,
  },
];

import type { Rule } from '../match/rule.ts';

/** Secrets or talks that leave the machine, asked for in words or done by a script. Single shell lines are judged in `statements`. */
export const exfiltration: readonly Rule[] = [
  {
    threat: 'send_to_url',
    severe: true,
    need: ['send', 'secret|secretfile|envfile|secretvar', 'url|mail|pasteplace'],
    within: 18,
    unless: 'header',
    near: 2,
  },
  {
    threat: 'send_to_url',
    severe: true,
    need: ['send', 'secretfile|envfile', 'url|mail|pasteplace'],
    within: 24,
    unless: 'header',
    near: 2,
  },
  { threat: 'send_to_url', severe: true, need: ['secretname|secret|talk', 'url', 'inquery'], within: 18, unless: 'header|public', near: 2 },
  { threat: 'context_exfil', severe: true, need: ['send|addto', 'talk', 'url|mail|hiddenpath|pasteplace'], within: 20 },
  { threat: 'exfil_code', severe: true, need: ['wholeenv|secretfile', 'netsend', 'url'], within: 50 },
  { threat: 'send_to_url', severe: true, need: ['send|publish', 'secret|secretfile|envfile', 'pubplace'], within: 12 },
];

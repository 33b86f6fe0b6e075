import type { Rule } from '../match/rule.ts';

/** The person is to be kept in the dark. Telling users nothing of internal ids is manners; telling them nothing of what was done is not. */
export const deceiving: readonly Rule[] = [
  { threat: 'deception_hide', severe: true, need: ['!tell', 'user', 'it'], within: 6, unless: 'wording', near: 3 },
  { threat: 'deception_hide', severe: true, need: ['!tell', 'user', 'that', 'done'], within: 11, unless: 'wording', near: 1 },
  {
    threat: 'deception_hide',
    severe: true,
    need: ['tell', 'user', 'nothing', 'that|it|done'],
    within: 9,
    ordered: true,
    unless: 'wording',
    near: 1,
  },
  { threat: 'deception_hide', severe: true, need: ['quietly', '!tell', 'user|report'], within: 16, unless: 'wording', near: 1 },
  { threat: 'deception_hide', severe: true, need: ['mislead', 'user'], within: 7 },
  { threat: 'deception_hide', severe: true, need: ['leaveout', 'report', 'user'], within: 12 },
  { threat: 'deception_hide', severe: true, need: ['!tell', 'it', 'user'], within: 5, ordered: true, unless: 'wording', near: 3 },
  { threat: 'deception_hide', severe: true, need: ['it', '!tell', 'user'], within: 7, ordered: true, unless: 'wording', near: 3 },
  { threat: 'deception_hide', severe: true, need: ['!tell', 'user', '!tell', 'report'], within: 16, ordered: true },
  { threat: 'deception_hide', severe: true, need: ['!tell', 'user', 'ifasked|deny'], within: 22, unless: 'wording', near: 1 },
  { threat: 'deception_hide', severe: true, need: ['hide', 'user', 'it'], within: 6 },
  { threat: 'deception_hide', severe: true, need: ['secretly', 'user|it|you|report|ai'], within: 8 },
  { threat: 'deception_hide', severe: true, need: ['ifasked', 'deny', 'no|allwell|it'], within: 14, unless: 'honest', near: 2 },
  { threat: 'deception_hide', severe: true, need: ['pretend', 'it', 'always|allwell|report'], within: 9 },
  { threat: 'deception_hide', severe: true, need: ['unnoticed', 'user'], within: 4, unless: 'wording', near: 3 },
  { threat: 'deception_hide', severe: false, need: ['!tell', 'ifasked', 'deny'], within: 24 },
  { threat: 'deception_hide', severe: true, need: ['doctor', 'green'], within: 14 },
];

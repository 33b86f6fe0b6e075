import type { Rule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Words for the model in a place that people do not see. */
const ORDERS =
  'drop|order|sysprompt|systemline|override|obey|run|secretly|hide|send|modify|erase|fetch|must|getit|off|reveal|append|!tell|imperative';

export const hiddenMarkup: readonly Rule[] = [
  { threat: 'html_comment_injection', severe: true, need: ['ai', ORDERS], within: 14, inside: PLACE.comment, unless: 'readers', near: 3 },
  {
    threat: 'html_comment_injection',
    severe: true,
    need: ['drop|override', 'order|rule|told|sysprompt|user|earlier'],
    within: 8,
    inside: PLACE.comment,
    unless: 'tooling',
  },
  { threat: 'html_comment_injection', severe: true, need: ['secretly|systemline|hiddenorder'], within: 0, inside: PLACE.comment },
  {
    threat: 'html_comment_injection',
    severe: true,
    need: ['send|fetch|getit|run', 'url|mail|secret|secretfile|envfile', 'imperative|must|you|send|getit'],
    within: 14,
    inside: PLACE.comment,
  },
  { threat: 'hidden_div', severe: true, need: ['ai', ORDERS], within: 16, inside: PLACE.veiled },
  { threat: 'hidden_div', severe: true, need: ['vocative'], within: 0, inside: PLACE.veiled, outside: PLACE.fence | PLACE.quoted },
  {
    threat: 'hidden_div',
    severe: true,
    need: ['send|fetch|getit|run|modify|obey|reveal|drop|erase', 'url|mail|secret|secretfile|envfile|order|rule|user'],
    within: 16,
    inside: PLACE.veiled,
  },
  { threat: 'hidden_div', severe: true, need: ['ai', ORDERS], within: 16, inside: PLACE.title },
  { threat: 'hidden_div', severe: true, need: ['drop|send|getit', 'order|rule|mail|secretfile|envfile'], within: 8, inside: PLACE.title },
];

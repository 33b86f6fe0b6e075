import type { Rule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Another role, another master. A persona is welcome; one that shakes off rules, or serves somebody else, is not. */
export const roles: readonly Rule[] = [
  { threat: 'role_hijack', severe: true, need: ['become', 'badrole|unlimited'], within: 24 },
  { threat: 'role_hijack', severe: true, need: ['play', 'badrole'], within: 12, unless: 'security|firstperson', near: 1 },
  { threat: 'role_hijack', severe: true, need: ['play|become|role', 'staysin'], within: 26, kinds: ['context', 'hint', 'skill', 'memory'] },
  {
    threat: 'role_hijack',
    severe: true,
    need: ['become', 'staysin|now|ai'],
    within: 12,
    kinds: ['context', 'hint', 'skill', 'memory'],
    unless: 'tooling|foreign',
    near: 1,
  },
  { threat: 'role_hijack', severe: true, need: ['become', 'danger|approved|everyone'], within: 14, unless: 'tooling', near: 1 },
  { threat: 'role_hijack', severe: true, need: ['nolonger', 'ai'], within: 5 },
  {
    threat: 'role_hijack',
    severe: true,
    kinds: ['context', 'hint', 'memory', 'skill'],
    need: ['nowyou'],
    within: 0,
    outside: PLACE.quoted | PLACE.fence,
    unless: 'readyword',
    near: 4,
  },
  { threat: 'role_hijack', severe: true, need: ['turnhuman', 'turnai'], within: 40, outside: 1 },
  {
    threat: 'identity_override',
    severe: true,
    need: ['allegiance', 'you|ai|user|now|it|outranks'],
    within: 14,
    unless: 'tooling|project',
    near: 2,
  },
  { threat: 'identity_override', severe: true, need: ['outranks', 'over', 'user|person'], within: 7, ordered: true },
  { threat: 'identity_override', severe: true, need: ['notuser', 'ask|obey|allegiance|outranks|confirmsrc'], within: 14 },
];

import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Another role, another master. A persona is welcome; one that shakes off its rules, or serves somebody else, is not. */
export const roles: readonly ScanRule[] = [
  defineRule('role_hijack', 'nowyou badrole', 14, { unless: 'described' }),
  defineRule('role_hijack', 'nowyou staysin', 20, { unless: 'described', kinds: ['context', 'hint', 'skill', 'memory'] }),
  defineRule('role_hijack', 'notai', 0, { unless: 'described', outside: PLACE.quoted }),
  defineRule('identity_override', 'allegiance newmaster yours|userwill|nowyou|outranks|mail', 10, { unless: 'described' }),
  defineRule('identity_override', 'obeyonly allegiance|notuser|nowyou|userwill|drop|outranks|selfimage', 14, {
    unless: 'described|tooling',
    outside: PLACE.quoted,
  }),
  defineRule('identity_override', 'outranks userwill', 5, { unless: 'described' }),
  defineRule('identity_override', 'drop selfimage', 5, { unless: 'described|tooling', outside: PLACE.quoted }),
  defineRule('role_hijack', 'nolonger ai', 5, { unless: 'described' }),
  defineRule('identity_override', 'notuser obeyverb', 12, { unless: 'described' }),
  defineRule('identity_override', 'void userwill', 6, { unless: 'described' }),
];

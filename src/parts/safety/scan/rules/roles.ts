import { rule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Another role, another master. A persona is welcome; one that shakes off its rules, or serves somebody else, is not. */
export const roles: readonly ScanRule[] = [
  rule('role_hijack', 'nowyou badrole', 14, { unless: 'described' }),
  rule('role_hijack', 'nowyou staysin', 20, { unless: 'described', kinds: ['context', 'hint', 'skill', 'memory'] }),
  rule('role_hijack', 'notai', 0, { unless: 'described', outside: PLACE.quoted }),
  rule('identity_override', 'allegiance newmaster yours|userwill|nowyou|outranks|mail', 10, { unless: 'described' }),
  rule('identity_override', 'obeyonly allegiance|notuser|nowyou|userwill|drop|outranks|selfimage', 14, {
    unless: 'described|tooling',
    outside: PLACE.quoted,
  }),
  rule('identity_override', 'outranks userwill', 5, { unless: 'described' }),
  rule('identity_override', 'drop selfimage', 5, { unless: 'described|tooling', outside: PLACE.quoted }),
  rule('role_hijack', 'nolonger ai', 5, { unless: 'described' }),
  rule('identity_override', 'notuser obeyverb', 12, { unless: 'described' }),
  rule('identity_override', 'void userwill', 6, { unless: 'described' }),
];

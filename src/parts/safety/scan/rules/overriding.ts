import { rule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

const QUOTED = PLACE.quoted | PLACE.fence | PLACE.table;
const { code } = PLACE;

/**
 * What the model was told is to be set aside. Three signs: the verb, orders as its object, and that they are the model's own
 * (earlier ones, yours, all of them); "ignore previous migrations" has two, "ignore instructions found in a page" is excused.
 */
export const overriding: readonly ScanRule[] = [
  rule('prompt_injection', 'drop order prior|yours|told', 8, { outside: code, unless: 'foreign|tooling|described' }),
  rule('prompt_injection', 'drop order any', 5, { outside: code, unless: 'foreign|tooling|described' }),
  rule('prompt_injection', 'drop told', 5, { unless: 'foreign|described', outside: QUOTED }),
  rule('prompt_injection', 'void order prior|yours|told|operator', 10, { unless: 'foreign|tooling' }),
  rule('prompt_injection', 'told void', 12, { unless: 'tooling', outside: QUOTED }),
  rule('disregard_rules', 'drop rule yours', 6, { outside: code, unless: 'foreign|tooling|described' }),
  rule('disregard_rules', 'drop rule any', 5, { outside: code, unless: 'foreign|tooling|described' }),
  rule('disregard_rules', 'drop rule prior', 5, { outside: code, unless: 'foreign|tooling|described' }),
  rule('disregard_rules', 'drop|void guard', 6, { unless: 'tooling|described' }),
  rule('disregard_rules', 'void rule yours|operator', 10, { unless: 'tooling' }),
  rule('disregard_rules', 'operator void thisfile', 10, { unless: 'tooling|described' }),
  rule('disregard_rules', 'drop userwill', 3, { unless: 'described' }),
  rule('sys_prompt_override', 'sysprompt void|drop prior|yours|operator|any|noask|thisfile', 8, {
    unless: 'foreign|tooling|described',
    outside: PLACE.table | code,
  }),
  rule('disregard_rules', 'order|rule|guard|limit unbinding', 20),
  rule('bypass_restrictions', 'youhaveno limit', 4, { unless: 'tooling' }),
  rule('sys_prompt_override', 'systemline', 0, { outside: PLACE.quoted }),
  // Tokens and tags by which a chat format tells who speaks.
  rule('sys_prompt_override', 'template', 0, { outside: PLACE.quoted }),
  rule('sys_prompt_override', 'speaker', 0, { outside: QUOTED }),
  rule('bypass_restrictions', 'asif no limit', 9, { unless: 'tooling' }),
  rule('bypass_restrictions', 'off guard', 6, { unless: 'tooling|described' }),
  rule('bypass_restrictions', 'noguard yours|youmay', 7, { unless: 'tooling|described' }),
  rule('bypass_restrictions', 'void approval noask|anyact', 14, { unless: 'tooling|asksfirst' }),
  rule('bypass_restrictions', 'off approval agentset|ai|yours', 12, { unless: 'tooling|described' }),
  rule('bypass_restrictions', 'noask anyact', 7, { unless: 'tooling|asksfirst' }),
  rule('bypass_restrictions', 'refused retry approval|guard', 16, { unless: 'tooling' }),
  rule('bypass_restrictions', '!refuse any|anyact', 4, { unless: 'tooling' }),
];

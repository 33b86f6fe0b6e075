import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

const QUOTED = PLACE.quoted | PLACE.fence | PLACE.table;
const { code } = PLACE;

/**
 * What the model was told is to be set aside. Three signs: the verb, orders as its object, and that they are the model's own
 * (earlier ones, yours, all of them); "ignore previous migrations" has two, "ignore instructions found in a page" is excused.
 */
export const overriding: readonly ScanRule[] = [
  defineRule('prompt_injection', 'drop|swap order yours|told', 8, { outside: code, unless: 'foreign|tooling|described' }),
  defineRule('prompt_injection', 'drop order prior', 8, { outside: code, unless: 'foreign|tooling|described|version' }),
  defineRule('prompt_injection', 'drop|swap order any', 5, { outside: code, unless: 'foreign|security|tooling|described' }),
  defineRule('prompt_injection', 'drop told', 5, { unless: 'foreign|described', outside: QUOTED }),
  defineRule('prompt_injection', 'void order yours|told|operator', 10, { unless: 'foreign|tooling' }),
  defineRule('prompt_injection', 'void order prior', 10, { unless: 'foreign|tooling|version' }),
  // Called a forgery: whoever wrote the earlier words, they are not to be believed.
  defineRule('prompt_injection', 'forged order|rule|guard|told|sysprompt prior|yours|told|sysprompt', 12, {
    unless: 'described',
    outside: QUOTED,
  }),
  defineRule('prompt_injection', 'told void', 12, { unless: 'tooling', outside: QUOTED }),
  defineRule('disregard_rules', 'drop|swap rule yours', 6, { outside: code, unless: 'foreign|tooling|described' }),
  defineRule('disregard_rules', 'drop|swap rule any', 5, { outside: code, unless: 'foreign|security|tooling|described' }),
  defineRule('disregard_rules', 'drop rule prior', 5, { outside: code, unless: 'foreign|tooling|described|version' }),
  defineRule('disregard_rules', 'drop|void guard', 6, { unless: 'tooling|described' }),
  defineRule('disregard_rules', 'void rule yours|operator', 10, { unless: 'tooling' }),
  defineRule('disregard_rules', 'operator void thisfile', 10, { unless: 'tooling|described' }),
  defineRule('disregard_rules', 'drop userwill', 3, { unless: 'described' }),
  defineRule('sys_prompt_override', 'sysprompt void|drop|swap prior|yours|operator|any|noask|thisfile', 8, {
    unless: 'foreign|tooling|described|version',
    outside: PLACE.table | code,
  }),
  defineRule('disregard_rules', 'order|rule|guard|limit unbinding', 20, { unless: 'maynot' }),
  defineRule('bypass_restrictions', 'youhaveno limit', 4, { unless: 'tooling' }),
  defineRule('sys_prompt_override', 'systemline', 0, { outside: PLACE.quoted }),
  // Tokens and tags by which a chat format tells who speaks.
  defineRule('sys_prompt_override', 'template', 0, { outside: PLACE.quoted }),
  defineRule('sys_prompt_override', 'speaker', 0, { outside: QUOTED }),
  defineRule('bypass_restrictions', 'asif no limit', 9, { unless: 'tooling' }),
  defineRule('bypass_restrictions', 'off guard', 6, { unless: 'tooling|described' }),
  defineRule('bypass_restrictions', 'noguard yours|youmay', 7, { unless: 'tooling|described' }),
  defineRule('bypass_restrictions', 'void approval noask|anyact', 14, { unless: 'tooling|asksfirst' }),
  defineRule('bypass_restrictions', 'off approval agentset|ai|yours', 12, { unless: 'tooling|described', outside: PLACE.table }),
  defineRule('bypass_restrictions', 'noask anyact', 7, { unless: 'tooling|asksfirst', outside: PLACE.table }),
  defineRule('bypass_restrictions', 'refused retry approval|guard', 16, { unless: 'tooling' }),
  defineRule('bypass_restrictions', '!refuse any|anyact', 4, { unless: 'tooling' }),
];

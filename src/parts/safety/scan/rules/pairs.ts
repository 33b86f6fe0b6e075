import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Kept from the person. */
const HIDES = 'covert|!tellit|unseen';
/** Asks nobody. */
const UNASKED = 'noask|looser|asuser';
const QUOTED = PLACE.quoted | PLACE.fence | PLACE.table;

/** Two weak signs of different kinds that have no honest reason to stand together. */
export const pairs: readonly ScanRule[] = [
  defineRule(
    'deception_hide',
    `${HIDES} secretfile|putback|startup|authkeys|hiddenpath|talk|backtask|allegiance|outranks|looser|asuser|mail`,
    22,
    {
      unless: 'wording|described',
      outside: QUOTED,
    },
  ),
  defineRule('deception_hide', `${HIDES} noask act`, 18, { unless: 'wording|described', outside: QUOTED }),
  defineRule('bypass_restrictions', `${UNASKED} getit url`, 16, { unless: 'appcode|tooling', outside: QUOTED }),
  defineRule('send_to_url', `${UNASKED} send secret|secretfile|envfile|talk`, 11, { unless: 'header', outside: QUOTED }),
  defineRule('anti_forensic', `${UNASKED} erase owntrail`, 24, { unless: 'described|actor|does', outside: QUOTED }),
  defineRule('role_hijack', 'nowyou covert|!tellit|outranks', 16, {
    kinds: ['context', 'hint', 'skill', 'memory'],
    unless: 'described|tooling|actor',
    outside: QUOTED,
  }),
  defineRule('disregard_rules', 'ai|agentsoft|operator void|off rule|guard|approval noask|thisfile|prior|yours', 14, {
    unless: 'tooling|described|foreign',
    outside: QUOTED,
  }),
  defineRule('leak_system_prompt', 'reveal sysprompt url|mail|publish yours|told|full', 18, {
    unless: 'described|tooling',
    outside: QUOTED,
  }),
  defineRule('sys_prompt_override', 'fromabove void|off|drop|noask rule|guard|approval|order|anyact', 20, {
    unless: 'tooling|described',
    outside: PLACE.fence | PLACE.table,
  }),
];

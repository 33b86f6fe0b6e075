import { defineRule, type ScanRule } from '../match/rule.ts';
import { PLACE } from '../text/regions.ts';

/** Words for the model in a place that people do not see: an address and an order, or an order with a destination. */
const hidden = (threat: string, inside: number): readonly ScanRule[] => [
  defineRule(threat, 'ai act', 18, { inside, outside: PLACE.fence }),
  defineRule(threat, 'agent must act', 10, { inside, outside: PLACE.fence }),
  defineRule(threat, 'notforhumans', 0, { inside, outside: PLACE.fence }),
  defineRule(threat, 'drop|swap order|rule|userwill|sysprompt|guard', 6, { inside, unless: 'tooling', outside: PLACE.fence }),
  defineRule(threat, 'send url|mail secret|secretfile|envfile|talk|any', 14, { inside, outside: PLACE.fence }),
];

export const hiddenMarkup: readonly ScanRule[] = [
  hidden('html_comment_injection', PLACE.comment),
  hidden('hidden_div', PLACE.veiled),
  hidden('hidden_div', PLACE.title),
].flat();

import { defineRule, type ScanRule } from '../match/rule.ts';

/** The person is kept in the dark. Telling users nothing of internal ids is manners; telling them nothing of what was done is not. */
export const deceiving: readonly ScanRule[] = [
  defineRule('deception_hide', '!tell user it', 8, { unless: 'wording|described' }),
  defineRule('deception_hide', '!tell user say allwell', 16, { unless: 'wording|described' }),
  defineRule('deception_hide', 'say allwell though', 12, { unless: 'described|tooling|honest' }),
  defineRule('deception_hide', '!tellit user|report', 7, { unless: 'wording|described', near: 8 }),
  defineRule('deception_hide', 'user !learn it', 7, { unless: 'wording|described' }),
  defineRule('deception_hide', 'makesure user !learn|learn it|noask', 9, { unless: 'wording|described' }),
  defineRule('deception_hide', 'tell|!tell user nothing', 5, { unless: 'wording|described' }),
  defineRule('deception_hide', 'evenif tell|report user|report', 12, { unless: 'described|tooling' }),
  defineRule('deception_hide', 'hideverb|keepverb hideobj fromuser', 8, { unless: 'wording|described' }),
  defineRule('deception_hide', 'youmust|fromabove|policyline hideverb fromuser', 16, { unless: 'wording|described' }),
  defineRule('deception_hide', 'fromabove|policyline ai|agentsoft|youmust !reveal|!tell user', 24, { unless: 'wording|described|secret' }),
  defineRule('deception_hide', 'covert yours|user|it|report|act', 6, { unless: 'wording|described' }),
  defineRule('deception_hide', 'leaveout report user|yours', 9, { unless: 'wording|described' }),
  defineRule('deception_hide', 'ifasked deny', 8, { unless: 'wording|described|actor' }),
];

import type { Rule } from '../match/rule.ts';
import { agentSettings } from './agent-settings.ts';
import { controlChannel } from './control-channel.ts';
import { deceiving } from './deceiving.ts';
import { exfiltration } from './exfiltration.ts';
import { hiddenMarkup } from './hidden-markup.ts';
import { bypassing, overriding } from './overriding.ts';
import { persistence } from './persistence.ts';
import { roles } from './roles.ts';
import { secrets } from './secrets.ts';

export const RULES: readonly Rule[] = [
  ...overriding,
  ...bypassing,
  ...deceiving,
  ...hiddenMarkup,
  ...exfiltration,
  ...secrets,
  ...roles,
  ...controlChannel,
  ...persistence,
  ...agentSettings,
];

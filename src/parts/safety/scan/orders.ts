import { scanText } from './scan.ts';

/** Threats that speak to the model itself. */
const ORDERS: ReadonlySet<string> = new Set([
  'prompt_injection',
  'disregard_rules',
  'sys_prompt_override',
  'bypass_restrictions',
  'role_hijack',
  'identity_override',
  'deception_hide',
]);

/** Whether a text orders the model about, as no words of its user would; what was installed or read is everyday work. */
export const givesOrders = (text: string): boolean => scanText(text, 'memory').some(({ threat }) => ORDERS.has(threat));

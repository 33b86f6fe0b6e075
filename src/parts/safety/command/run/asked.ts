import type { CommandVerdict } from '../../../../contracts/safety.ts';

/** Classes one verdict names at most; a line with more is no clearer for them. */
const MOST = 8;

/** One more class of danger in a line that is asked about: consent to one is no consent to the other. The first reason stands. */
export function alsoAsked(asked: CommandVerdict | undefined, key: string, reason: string): CommandVerdict {
  if (asked === undefined || asked.type === 'fine') return { type: 'ask', reason, key };
  const keys = asked.key.split('+');
  return keys.includes(key) || keys.length >= MOST ? asked : { ...asked, key: [...keys, key].join('+') };
}

import type { UserQuestion } from '../../../contracts/ports.ts';

const YES = new Set(['approve', 'yes', 'ok', 'okay', 'confirm', 'y', '👍']);
const NO = new Set(['deny', 'no', 'reject', 'cancel', 'n', '👎']);

/** A plain yes or no; nothing when it is neither. */
export function readYesOrNo(words: string): boolean | undefined {
  const said = words.trim().toLowerCase();
  return YES.has(said) ? true : NO.has(said) ? false : undefined;
}

/** The choice that words mean where consent is asked for; nothing when they are about something else. */
export function readVerdict(words: string, { choices }: Pick<UserQuestion, 'choices'>): string | undefined {
  const isYes = readYesOrNo(words);
  if (isYes !== undefined) return isYes ? choices[0] : choices[1];
  return choices.find((choice) => choice.toLowerCase() === words.trim().toLowerCase());
}

/** The choice that `/approve SCOPE` or `/deny` means; nothing for a scope that is not offered. */
export function readScope(
  verdict: 'approve' | 'deny',
  scope: string,
  { choices, typedAnswer }: Pick<UserQuestion, 'choices' | 'typedAnswer'>,
): string | undefined {
  if (verdict === 'deny') return choices[1] ?? 'no';
  const [once = 'yes', , ...further] = choices;
  const said = scope.toLowerCase();
  if (said === '' || said === typedAnswer) return said === '' ? once : typedAnswer;
  return [once, ...further].find((choice) => choice.toLowerCase() === said || choice.toLowerCase().endsWith(` ${said}`));
}

/** What may stand behind `/approve`, for a scope that was not offered. */
export function describeScopes({ choices, typedAnswer }: Pick<UserQuestion, 'choices' | 'typedAnswer'>): string {
  const scopes = choices.filter((_, index) => index !== 1).map((choice) => `/approve ${choice.split(' ').at(-1) ?? ''}`);
  return `Nothing was approved: that is not one of the answers. You can send ${[...scopes, ...(typedAnswer === undefined ? [] : [`/approve ${typedAnswer}`])].join(', ')} or /deny.`;
}

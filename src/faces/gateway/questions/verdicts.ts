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

/** The choice that `/approve SCOPE` or `/deny` means. */
export function readScope(
  verdict: 'approve' | 'deny',
  scope: string,
  { choices, typedAnswer }: Pick<UserQuestion, 'choices' | 'typedAnswer'>,
): string {
  if (verdict === 'deny') return choices[1] ?? 'no';
  if (scope === '') return choices[0] ?? 'yes';
  const named = choices.find((choice) => choice.toLowerCase().includes(scope.toLowerCase()));
  // What is typed in full is for good: no other scope means that.
  return named ?? (scope.toLowerCase() === 'always' ? typedAnswer : undefined) ?? 'yes';
}

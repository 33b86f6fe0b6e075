/** What of a question decides how an answer to it is read. */
export interface AnswerRules {
  readonly choices: readonly string[];
  readonly several?: boolean;
  readonly strict?: true;
}
export type AnswerReading = { readonly answer: string } | { readonly again: string };

/** What a line answers, a number meaning a choice; for a line that answers nothing, what would. */
export function readAnswer(line: string, { choices, several, strict }: AnswerRules): AnswerReading {
  const words = line.trim();
  if (choices.length === 0) return { answer: words };
  const numbers = several === true ? words.split(/[\s,]+/) : [words];
  const chosen = numbers.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1] : undefined));
  if (words !== '' && chosen.every((choice) => choice !== undefined)) return { answer: chosen.join(', ') };
  if (strict === true) {
    const named = choices.filter((choice) => words !== '' && choice.toLowerCase().startsWith(words.toLowerCase()));
    return named.length === 1 ? { answer: named[0] ?? '' } : { again: `type a number from 1 to ${choices.length}` };
  }
  // Words of somebody's own have a letter in them; a bare number means a choice that is not there.
  return /\p{L}/u.test(words) ? { answer: words } : { again: `type a number from 1 to ${choices.length}, or your own words` };
}

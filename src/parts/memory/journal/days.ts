/** The day of a moment, where the agent lives. */
export function toDay(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Words for another day than today, and how many days away it is. */
const DAYS: readonly (readonly [RegExp, number])[] = [
  [/\bthe day before yesterday\b|\bvorgestern\b|前天|一昨日|おととい|그저께|เมื่อวานซืน/iu, -2],
  [/\byesterday\b|\blast night\b|\bgestern\b|昨天|昨日|어제|เมื่อวาน/iu, -1],
  [/\bthe day after tomorrow\b|\bübermorgen\b|后天|明後日|あさって|모레|มะรืน/iu, 2],
  [/\btomorrow\b|(?<!guten )\bmorgen (?=um|früh|kommt|ist|fahre|gehe)|明天|明日|내일|พรุ่งนี้/iu, 1],
];
const WEEKDAYS = [
  'sunday|sonntag',
  'monday|montag',
  'tuesday|dienstag',
  'wednesday|mittwoch',
  'thursday|donnerstag',
  'friday|freitag',
  'saturday|samstag',
] as const;
const DAY = 86_400_000;

/** The sentence with the dates that its relative days had when it was said: `yesterday (2026-05-28)`. */
export function toDatedText(text: string, at: number): string {
  for (const [pattern, days] of DAYS) if (pattern.test(text)) return text.replace(pattern, (word) => `${word} (${toDay(at + days * DAY)})`);
  return WEEKDAYS.reduce((dated, names, weekday) => {
    const pattern = new RegExp(`\\b(last|next|this|letzten|nächsten|diesen) (${names})\\b`, 'iu');
    return dated.replace(pattern, (word: string, which: string) => `${word} (${toDay(nearest(at, weekday, which.toLowerCase()))})`);
  }, text);
}

function nearest(at: number, weekday: number, which: string): number {
  const ahead = (weekday - new Date(at).getDay() + 7) % 7;
  if (which === 'last' || which === 'letzten') return at + (ahead === 0 ? -7 : ahead - 7) * DAY;
  return at + (ahead === 0 ? 7 : ahead) * DAY;
}

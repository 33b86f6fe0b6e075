/** The forms that are read: in the answers to what is not, and in `docs/cron.md`. */
export interface ScheduleForm {
  readonly examples: readonly string[];
  readonly meaning: string;
}

export const SCHEDULE_FORMS: readonly ScheduleForm[] = [
  { examples: ['30m', 'in 2 hours', 'in half an hour', 'in a week'], meaning: 'once, after that time' },
  {
    examples: ['at noon', 'at 18:30', 'tomorrow at 9am', 'tonight at 8', 'in 3 days at 9am'],
    meaning: 'once, the next time that clocks show it',
  },
  {
    examples: ['2027-02-03T14:00', '2027-02-03 9am', '3 February 2027 at 14:00', 'next monday at 9am'],
    meaning: 'once, at that time; a date in numbers alone means its midnight',
  },
  {
    examples: ['every 30m', 'hourly', 'every day', 'weekly', 'every 2 weeks'],
    meaning: 'in that rhythm from now on, at most once a minute',
  },
  {
    examples: ['weekdays at 9am', 'daily at 9am and 5:30pm', 'mon-fri at 9:00', 'every day except sunday at 8', 'every evening at 7'],
    meaning: 'at these times of these days',
  },
  {
    examples: ['every 10 minutes on weekdays', 'every hour between 9 and 17 on weekdays', 'every hour at :15'],
    meaning: 'in that rhythm by the clock, on these days, from the first to the last time with both',
  },
  {
    examples: [
      'on the 1st of the month at 9am',
      'first monday of the month at 9am',
      'last day of the month at 18:00',
      'every january 1st at 9am',
    ],
    meaning: 'at that time of these days of every month, or of every year',
  },
  {
    examples: ['weekdays at 9am UTC', 'daily at 9am Europe/Berlin', 'tomorrow at 9am Tokyo time'],
    meaning: 'by the clocks of that time zone',
  },
  {
    examples: ['0 9 * * 1-5', '*/15 8-18 * * mon-fri'],
    meaning: 'by a cron expression: minute, hour, day of the month, month, day of the week',
  },
  { examples: ['0 9 * * * 30'], meaning: 'the same with a sixth field, the second, at the end' },
  { examples: ['@hourly', '@daily', '@weekly', '@monthly', '@yearly'], meaning: 'at the first minute of each' },
];

export const USUAL_FORMS =
  'Write 30m or "in 2h" (once), "every 30m", "weekdays at 9am", a cron expression such as "0 9 * * 1-5", or a time such as 2027-02-03T14:00.';

/** The form to write in place of words that are often tried and cannot be kept as they are. */
const NEAREST: readonly (readonly [RegExp, string])[] = [
  [/\b(?:twice|thrice|times|\dx)\b/i, 'Name the times, such as "daily at 9am and 5pm".'],
  [
    /\bbi-?(?:weekly|monthly)\b/i,
    'That can be twice in one or every second one. Write "every 2 weeks", or days with a time, such as "monday and thursday at 9am".',
  ],
  [
    /\b(?:months?|monthly|quarter(?:ly)?|years?|yearly|annually)\b/i,
    'Months are not equally long, so name a day, such as "on the 1st of the month at 9am", or write a cron expression such as "0 9 1 */3 *".',
  ],
  [/\b(?:seconds?|\d+\s?s)\b/i, 'A job cannot run more often than once a minute: "every 1m".'],
  [/\b(?:now|asap|immediately)\b/i, 'To run a job at once: hermes cron run JOB. To run something soon: "in 1m".'],
  [
    /\b(?:start(?:ing|s)?|begin(?:ning|s)?|until|till)\b/i,
    'A schedule has no begin or end; hermes cron pause JOB and --repeat N bound it.',
  ],
  [/\b(?:and|or)\b/i, 'Make a job for each part that needs days of its own.'],
];
export const findUsualForm = (said: string): string => NEAREST.find(([pattern]) => pattern.test(said))?.[1] ?? USUAL_FORMS;

import type { Slot } from '../../../contracts/prompt.ts';

/** Where and when the session began. The day only: a clock in the prefix would empty the provider's cache. */
export const sceneSlot: Slot = {
  name: 'scene',
  order: 100,
  lifetime: 'session',
  cap: 2_000,
  render: ({ cwd, startedAt, model, provider }) => {
    return `Session started on ${dayOf(new Date(startedAt))}. Working directory: ${cwd}. System: ${process.platform}. Model: ${model} (${provider}).`;
  },
};

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** By hand: the first use of the language tables behind `toLocaleDateString` costs about 15 ms. */
const dayOf = (date: Date): string => `${WEEKDAYS[date.getDay()]}, ${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;

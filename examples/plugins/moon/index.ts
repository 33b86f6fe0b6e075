import { definePlugin } from 'hermes-ts/plugin';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 29.530_588;
/** A new moon. */
const NEW_MOON = Date.UTC(2000, 0, 6, 18, 14);

/** Days since the last new moon. */
export const ageOfMoon = (at: number): number => ((((at - NEW_MOON) / DAY_MS) % MONTH_DAYS) + MONTH_DAYS) % MONTH_DAYS;

export default definePlugin({
  name: 'moon',
  setup: (host) =>
    void host.widgets.add({
      name: 'moon',
      statusFields: { moon: () => `moon ${Math.floor(ageOfMoon(Date.now()))} d` },
    }),
});

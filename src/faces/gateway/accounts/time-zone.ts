import { isTimeZone } from '../../../base/zoned-time.ts';

/** The owner's time zone; the machine's where none is named, or one that is not known. */
export function readTimeZone({ timezone }: { readonly timezone: string }): { readonly zone?: string; readonly problem?: string } {
  if (timezone === '') return {};
  if (isTimeZone(timezone)) return { zone: timezone };
  return {
    problem: `timezone: there is no time zone ${timezone}. Write one such as Europe/Paris; until then the time of this machine counts.`,
  };
}

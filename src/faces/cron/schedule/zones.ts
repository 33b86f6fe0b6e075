import { isTimeZone } from '../../../base/zoned-time.ts';

/**
 * Short names of zones that are refused, with the place that is usually meant. Half of the year they are the wrong half of a zone
 * (PST, CET), and some are used on several continents (CST, IST).
 */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  mt: 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
  mez: 'Europe/Berlin',
  eet: 'Europe/Helsinki',
  eest: 'Europe/Helsinki',
  wet: 'Europe/Lisbon',
  bst: 'Europe/London',
  msk: 'Europe/Moscow',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
  kst: 'Asia/Seoul',
  sgt: 'Asia/Singapore',
  hkt: 'Asia/Hong_Kong',
  aest: 'Australia/Sydney',
  aedt: 'Australia/Sydney',
  brt: 'America/Sao_Paulo',
};

/** What can stand for a zone: a name such as `Europe/Berlin`, `UTC`, `UTC+2`, a short name, `Berlin time`. */
export const ZONE = `(?:[a-z]+(?:/[a-z_+-]+\\d*)+|(?:utc|gmt|z)(?:[+-]\\d{1,2}(?::?\\d{2})?)?|${Object.keys(SHORT_NAMES).toReversed().join('|')}|[a-z]+(?:[ _][a-z]+)? time)`;

/** `local time` names none: it is the zone of everything. Undefined for what is no zone. */
export type ZoneResult = { readonly zone?: string } | { readonly why: string } | undefined;

export function readZone(text: string): ZoneResult {
  const word = text.toLowerCase();
  const meant = SHORT_NAMES[word];
  if (meant !== undefined) return { why: `"${text}" does not name one zone. Write a place, such as ${meant}.` };
  const city = /^(.+) time$/.exec(word)?.[1];
  if (city === 'local' || city === 'my') return {};
  if (city !== undefined) return findCity(city);
  const [, sign, hours = '', minutes = '00'] = /^(?:utc|gmt|z)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?$/.exec(word) ?? [];
  if (sign !== undefined) return checkZone(`${sign}${hours.padStart(2, '0')}:${minutes}`, text);
  return /^(?:utc|gmt|z)$/.test(word) ? { zone: 'UTC' } : checkZone(listZones().find((name) => name.toLowerCase() === word) ?? text, text);
}

const checkZone = (zone: string, text: string): ZoneResult =>
  isTimeZone(zone) ? { zone } : { why: `there is no time zone ${text}. Write one such as Europe/Paris.` };
const listZones = (): readonly string[] => Intl.supportedValuesOf('timeZone');

function findCity(city: string): ZoneResult {
  const [zone, ...more] = listZones().filter((name) => name.toLowerCase().split('/').at(-1) === city.replaceAll(' ', '_'));
  return zone === undefined || more.length > 0 ? undefined : { zone };
}

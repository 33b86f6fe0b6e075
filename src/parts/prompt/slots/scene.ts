import type { PromptContext, Slot } from '../../../contracts/prompt.ts';
import { nameCorrection } from './model-identity.ts';
import { localZone, type Zone } from './time-zone.ts';

interface SystemOptions {
  readonly zone?: (at: number) => Zone;
  readonly system?: string;
}

/** Where and when the session began. The day only: a clock in the prefix would empty the provider's cache. */
export const sceneSlot = ({ zone = localZone, system = process.platform }: SystemOptions = {}): Slot => ({
  name: 'scene',
  order: 90,
  lifetime: 'session',
  cap: 4_000,
  render: (context) => lines(context, zone(context.startedAt), SYSTEMS[system] ?? system).join('\n'),
});

function lines(context: PromptContext, zone: Zone, system: string): string[] {
  const model = plain(context.model);
  const correction = nameCorrection({ provider: context.provider, model });
  return [
    `Session ${plain(context.sessionId)}, started on ${dayOf(context.startedAt, zone.offset)} (${zoneOf(zone)}).`,
    `Model: ${model} (provider: ${plain(context.provider)}). System: ${system}.`,
    `Working directory: ${plain(context.cwd)}`,
    ...(correction === undefined ? [] : [correction]),
  ];
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows', android: 'Android' };

/** A folder may be called anything; a line break in its name must not begin a line of the prompt. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const plain = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, '?');

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** By hand: the first use of the language tables behind `toLocaleDateString` costs about 15 ms. */
function dayOf(at: number, offset: number): string {
  const date = new Date(at + offset * 60_000);
  return `${WEEKDAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

function zoneOf({ name, offset }: Zone): string {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, '0'));
  const utc = `UTC${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  return name === undefined ? utc : `${name}, ${utc}`;
}

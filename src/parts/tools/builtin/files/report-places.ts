import { isWithin } from '../../../../base/within.ts';
import type { Terminal } from '../../../../contracts/terminal.ts';
import type { Location } from './locate.ts';

/**
 * Notes on files that do not lie where commands may write for good: most are gone with the session, and a model that is told
 * "created" says so to the user. One that the owner's yes opened is the file of this machine, and commands are made to see it.
 */
export async function reportPlaces(
  written: readonly Location[],
  { place, wall }: Pick<Terminal, 'place' | 'wall'>,
): Promise<readonly string[]> {
  const kept = place?.kept;
  if (kept === undefined) return [];
  const beyond = written.filter(({ real }) => !kept.some((folder) => isWithin(folder, real)));
  const allowed = beyond.filter(({ real }) => wall?.files.isAllowed(real) === true);
  const lost = beyond.filter((each) => !allowed.includes(each));
  const unseen: Location[] = [];
  for (const each of allowed) if ((await wall?.files.show(each.real)) !== true) unseen.push(each);
  const where = kept.length === 0 ? 'No folder here is kept' : `Write files that the user should keep below ${kept.join(' or ')}`;
  return [
    ...(allowed.length === 0 ? [] : [`Written outside the sandbox, as the user allowed: ${listed(allowed)} stays after the session.`]),
    ...(unseen.length === 0
      ? []
      : [`Commands do not see ${listed(unseen)} as it is now: something still runs in the sandbox, or it shows the workspace alone.`]),
    ...(lost.length === 0 ? [] : [`Deleted when the session ends: ${listed(lost)}. ${where}.`]),
  ];
}

const listed = (places: readonly Location[]): string => places.map(({ shown }) => shown).join(', ');

import { isWithin } from '../../../../base/within.ts';
import type { Terminal } from '../../../../contracts/terminal.ts';
import type { Location } from './locate.ts';

/** A note where written files do not outlive the session: a model that is told "created" says so to the user. */
export function reportThrownAway(written: readonly Location[], { place }: Pick<Terminal, 'place'>): readonly string[] {
  const kept = place?.kept;
  if (kept === undefined) return [];
  const lost = written.filter(({ real }) => !kept.some((folder) => isWithin(folder, real)));
  if (lost.length === 0) return [];
  const where = kept.length === 0 ? 'No folder here is kept' : `Write files that the user should keep below ${kept.join(' or ')}`;
  return [`Deleted when the session ends: ${lost.map(({ shown }) => shown).join(', ')}. ${where}.`];
}

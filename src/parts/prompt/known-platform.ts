import { UsageError } from '../../base/errors.ts';
import { PLATFORMS } from './slots/platforms/all.ts';
import { unknownName } from '../../base/unknown-name.ts';

/** A platform is one we describe, or one the owner chose toolsets for. */
export function refuseUnknownPlatform(platform: string, chosenFor: readonly string[]): void {
  const known = [...new Set([...Object.keys(PLATFORMS), ...chosenFor])];
  if (!known.includes(platform)) throw new UsageError(unknownName('platform', platform, known, `Known: ${known.join(', ')}.`));
}

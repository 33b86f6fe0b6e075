import { UsageError } from '../../base/errors.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';

/** A platform is one we describe, or one the owner chose toolsets for. */
export function refuseUnknownPlatform(platform: string, platforms: ReadonlyMap<string, unknown>, chosenFor: readonly string[]): void {
  const known = [...new Set([...platforms.keys(), ...chosenFor])];
  if (!known.includes(platform)) throw new UsageError(describeUnknownName('platform', platform, known, `Known: ${known.join(', ')}.`));
}

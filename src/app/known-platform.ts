import { UsageError } from '../base/errors.ts';
import { PLATFORMS } from '../parts/prompt/slots/platforms/all.ts';
import type { Settings } from './settings.ts';
import { unknownName } from './unknown-name.ts';

/** A platform is one we describe, or one the owner chose toolsets for. */
export function refuseUnknownPlatform(platform: string, settings: Settings): void {
  const known = [...new Set([...Object.keys(PLATFORMS), ...Object.keys(settings.platform_toolsets)])];
  if (!known.includes(platform)) throw new UsageError(unknownName('platform', platform, known, `Known: ${known.join(', ')}.`));
}

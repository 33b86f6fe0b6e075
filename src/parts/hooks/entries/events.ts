import { findNearest } from '../../../base/text.ts';
import { HOOK_KINDS } from '../../../contracts/hook-catalog.ts';

/** Under this key of the setting `hooks` stand addresses and no commands. */
export const OUTBOUND = 'outbound';

export function describeUnknownEvent(event: string): string {
  const nearest = findNearest(event, Object.keys(HOOK_KINDS));
  return `there is no hook ${event}${nearest === undefined ? '.' : `; did you mean ${nearest}?`} docs/hooks.md lists them`;
}

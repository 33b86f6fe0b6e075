import { describeRef, type PushLossKind } from '../../../contracts/wall.ts';
import type { Ancestry } from './ancestry.ts';
import { isNoCommit, type RefUpdate } from './push-request.ts';

export interface PushLoss extends Pick<RefUpdate, 'ref'> {
  readonly loss: PushLossKind;
}

/** What of a push takes something away at the remote. New refs never do; a tag that is moved does, wherever it goes. */
export async function findPushLosses(
  updates: readonly RefUpdate[],
  compare: (old: string, wanted: string) => Promise<Ancestry>,
): Promise<readonly PushLoss[]> {
  const losses: PushLoss[] = [];
  for (const { old, new: wanted, ref } of updates) {
    if (isNoCommit(old) || old === wanted) continue;
    const ancestry = isNoCommit(wanted) || ref.startsWith('refs/tags/') ? 'no' : await compare(old, wanted);
    if (ancestry !== 'yes') losses.push({ ref, loss: isNoCommit(wanted) ? 'deletes' : ancestry === 'no' ? 'replaces' : 'unproven' });
  }
  return losses;
}

const SAYS: Readonly<Record<PushLossKind, (what: string) => string>> = {
  deletes: (what) => `it deletes ${what}`,
  replaces: (what) => (what.startsWith('tag ') ? `it moves ${what}` : `it replaces commits of ${what}`),
  unproven: (what) => `it may replace commits of ${what}: they were not found here to compare`,
};
const MAX_TOLD = 20;

/** For whoever ran git. */
export const describePushLosses = (remote: string, losses: readonly PushLoss[]): string =>
  [
    `This push was not sent, because it would lose something at ${remote}:`,
    ...losses.slice(0, MAX_TOLD).map(({ ref, loss }) => `  ${SAYS[loss](describeRef(ref))}`),
    ...(losses.length > MAX_TOLD ? [`  and ${losses.length - MAX_TOLD} more`] : []),
    'Ask the owner to run it outside the sandbox, or push without losing anything.',
  ]
    .map((line) => `hermes: ${line}\n`)
    .join('');

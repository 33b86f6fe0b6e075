import { describeRef, type PushLossKind } from '../../../contracts/wall.ts';
import type { Ancestry } from './ancestry.ts';
import { isNoCommit, type RefUpdate } from './push-request.ts';

export interface PushLoss extends Pick<RefUpdate, 'ref'> {
  readonly loss: PushLossKind;
}

/**
 * Refs that only add to what a remote has: branches, tags, notes, what a mirror takes along, and what Gerrit and Forgejo take
 * as proposals. All others may mean something to git or to a forge: one below `refs/replace/` shows another commit in the
 * place of the real one.
 */
const PLAIN = /^refs\/(?:(?:heads|tags|notes|remotes|for|for-review|drafts?|changes)\/|stash$)/;

/** What of a push takes something away at the remote. New branches never do; a tag that is moved does, wherever it goes. */
export async function findPushLosses(
  updates: readonly RefUpdate[],
  compare: (old: string, wanted: string) => Promise<Ancestry>,
): Promise<readonly PushLoss[]> {
  const losses: PushLoss[] = [];
  for (const { old, new: wanted, ref } of updates) {
    if (old === wanted) continue;
    if (isNoCommit(wanted)) losses.push({ ref, loss: 'deletes' });
    else if (!PLAIN.test(ref)) losses.push({ ref, loss: 'special' });
    else if (!isNoCommit(old)) {
      const ancestry = ref.startsWith('refs/tags/') ? 'no' : await compare(old, wanted);
      if (ancestry !== 'yes') losses.push({ ref, loss: ancestry === 'no' ? 'replaces' : 'unproven' });
    }
  }
  return losses;
}

const SAYS: Readonly<Record<PushLossKind, (what: string) => string>> = {
  deletes: (what) => `it deletes ${what}`,
  replaces: (what) => (what.startsWith('tag ') ? `it moves ${what}` : `it replaces commits of ${what}`),
  unproven: (what) => `it may replace commits of ${what}: they were not found here to compare`,
  special: (what) =>
    what.startsWith('refs/replace/')
      ? `it sets ${what}, which changes what git shows there`
      : `it sets ${what}, which is no branch, tag or note and may change how the repository is read`,
};
const MAX_TOLD = 20;

const isSpecial = ({ loss }: PushLoss): boolean => loss === 'special';

/** The same in a few words, for the line that git shows for the ref. */
export const describePushLoss = (loss: PushLoss | undefined): string =>
  loss === undefined ? 'not sent with the others' : isSpecial(loss) ? 'no branch, tag or note' : 'would lose something at the remote';

/** For whoever ran git. */
export const describePushLosses = (remote: string, losses: readonly PushLoss[]): string =>
  [
    losses.every(isSpecial)
      ? `This push was not sent, because it changes more than branches, tags and notes at ${remote}:`
      : `This push was not sent, because it would lose something at ${remote}:`,
    ...losses.slice(0, MAX_TOLD).map(({ ref, loss }) => `  ${SAYS[loss](describeRef(ref))}`),
    ...(losses.length > MAX_TOLD ? [`  and ${losses.length - MAX_TOLD} more`] : []),
    `Ask the owner to run it outside the sandbox, or push ${losses.every(isSpecial) ? 'only branches, tags and notes' : 'without losing anything'}.`,
  ]
    .map((line) => `hermes: ${line}\n`)
    .join('');

import type { EnvironmentSettings } from '../../../contracts/environment.ts';
import type { KeptBackReason } from '../../../contracts/services/environments.ts';
import type { ScoredGroup } from '../group.ts';
import { isLost } from '../result-file.ts';
import type { Rollout } from '../rollout.ts';

export interface GroupLimits {
  readonly settings: Pick<EnvironmentSettings, 'group_size' | 'ensure_scores_are_not_same'>;
  /** Sequences must be shorter. */
  readonly maxTokens: number;
  /** Whose limit that is, in words. */
  readonly limitedBy: string;
  readonly allowUnfit: boolean;
}
export interface KeptBack {
  readonly reason: KeptBackReason;
  readonly why: string;
}
type KeepBackRule = (rollouts: readonly Rollout[], scored: ScoredGroup, limits: GroupLimits) => string | undefined;

/** Why a group is not given to the trainer, the gravest reason first. Each gives its words, or nothing. */
const RULES: Readonly<Record<Exclude<KeptBackReason, 'refused'>, KeepBackRule>> = {
  broken: (rollouts) => rollouts.find(({ scored }) => isLost(scored))?.scored.error,
  unfit: (_rollouts, { group_overrides: { unfit_for_training: isUnfit } }, { allowUnfit }) =>
    isUnfit === true && !allowUnfit ? 'the server of the model told no tokens for at least one attempt' : undefined,
  // The API waits for other groups until the rows of all make up the group size, which they never do when one alone has more.
  split: (_rollouts, { tokens: { length } }, { settings: { group_size: size } }) =>
    length === size
      ? undefined
      : `${size} attempts have ${length} sequences, because what was sent to the model did not continue what it had generated`,
  too_long: (rollouts, { tokens }, { maxTokens, limitedBy }) => {
    const outgrown = rollouts.find(({ scored }) => scored.outgrown === true);
    if (outgrown !== undefined)
      return `${outgrown.scored.error ?? 'the conversation is too long'} (the limit is ${maxTokens} tokens, ${limitedBy})`;
    const longest = Math.max(...tokens.map(({ length }) => length));
    return longest >= maxTokens ? `a sequence has ${longest} tokens, and must have fewer than ${maxTokens} (${limitedBy})` : undefined;
  },
  same_scores: (_rollouts, { scores }, { settings }) =>
    settings.ensure_scores_are_not_same && scores.length > 1 && new Set(scores).size === 1
      ? `all scores are ${scores[0]}, so there is nothing to learn`
      : undefined,
};

export function findReasonToKeepBack(rollouts: readonly Rollout[], scored: ScoredGroup, limits: GroupLimits): KeptBack | undefined {
  for (const reason of ['broken', 'too_long', 'unfit', 'split', 'same_scores'] as const) {
    const why = RULES[reason](rollouts, scored, limits);
    if (why !== undefined) return { reason, why };
  }
  return undefined;
}

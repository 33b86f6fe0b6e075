import type { AgentResult, TrajectoryMessage, EnvironmentSettings } from '../../contracts/environment.ts';
import { flattenSequence, MASKED, PROMPT_LOGPROB, type FlatSequence } from '../../contracts/token-trace.ts';
import { eachObject, openLineFile } from './result-file.ts';
import type { Rollout } from './rollout.ts';

/** Attempts at one task that are scored together, as the Atropos API takes them. */
export interface ScoredGroup {
  readonly tokens: readonly (readonly number[])[];
  readonly masks: readonly (readonly number[])[];
  readonly scores: readonly number[];
  readonly inference_logprobs: readonly (readonly number[])[] | null;
  readonly messages: readonly (readonly TrajectoryMessage[])[] | null;
  readonly generation_params: { readonly temperature: number };
  readonly overrides: null;
  /** `group_id` is the same whenever the group is sent. */
  readonly group_overrides: { readonly group_size?: number; readonly unfit_for_training?: true; readonly group_id?: string };
}

/** One whose server told no tokens has none: what a tokenizer would make of its text is not what the model wrote. */
const NO_TOKENS: FlatSequence = { tokens: [0], masks: [MASKED], logprobs: [PROMPT_LOGPROB] };

/**
 * A rollout whose server was sent something that does not continue what it generated has several sequences: each is a row of its
 * own with the rollout's score, so that no turn is lost.
 */
export function toGroup(
  rollouts: readonly Rollout[],
  { agent_temperature: temperature, include_messages }: EnvironmentSettings,
): ScoredGroup {
  const isFit = rollouts.every(({ result }) => result.managedState !== null && result.managedState.sequences.length > 0);
  const rows = rollouts.flatMap(({ result, scored }) =>
    flatten(result).map((sequence) => ({ sequence, score: scored.reward, messages: result.messages })),
  );
  return {
    tokens: rows.map(({ sequence }) => sequence.tokens),
    masks: rows.map(({ sequence }) => sequence.masks),
    scores: rows.map(({ score }) => score),
    inference_logprobs: isFit ? rows.map(({ sequence }) => sequence.logprobs) : null,
    messages: include_messages ? rows.map(({ messages }) => messages) : null,
    generation_params: { temperature },
    overrides: null,
    group_overrides: {
      ...(rows.length !== rollouts.length && { group_size: rows.length }),
      ...(!isFit && { unfit_for_training: true as const }),
    },
  };
}

const flatten = ({ managedState }: AgentResult): readonly FlatSequence[] =>
  managedState === null || managedState.sequences.length === 0 ? [NO_TOKENS] : managedState.sequences.map(flattenSequence);

/** A file of groups, one a line, with the configuration and the number each was made under. */
export interface GroupFile extends Disposable {
  has(group: number): boolean;
  add(group: number, scored: ScoredGroup): void;
}

export function openGroupFile(path: string, configHash: string): GroupFile {
  const written = new Set<number>();
  for (const { value } of eachObject(path))
    if (typeof value['group'] === 'number' && value['config_hash'] === configHash) written.add(value['group']);
  const file = openLineFile(path);
  return {
    has: (group) => written.has(group),
    add: (group, scored) => {
      file.append({ config_hash: configHash, group, ...scored });
      written.add(group);
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

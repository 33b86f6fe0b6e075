import type { Reward } from '../../../contracts/environment.ts';

export type NamedReward = Exclude<Reward, number>;

/** A reward whose note says that the judge worked where the model had worked, and so could have been tampered with. */
export const noteSamePlace = (given: NamedReward): NamedReward => ({
  ...given,
  note: `Verified in the place the model worked in. ${given.note ?? ''}`.trim(),
});

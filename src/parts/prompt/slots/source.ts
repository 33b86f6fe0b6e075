import type { SlotText } from '../../../contracts/prompt.ts';

/** Words a slot gets from elsewhere, and what the owner should know about them. */
export type SourceText = Exclude<SlotText, string | undefined>;

/**
 * Most characters of what comes from the owner's files. Whoever reads them cuts by the setting and tells the owner; this is
 * the highest that setting goes (reference core §4.5), so that nothing is cut twice.
 */
export const FILE_CAP = 500_000;

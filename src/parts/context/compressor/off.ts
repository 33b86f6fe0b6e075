import type { CompressReason } from '../../../contracts/context-engine.ts';

export interface OffSwitch {
  readonly 'compression.enabled': boolean;
}

/** Why a compaction is not even tried while they are switched off. Off means off: only the user's own word goes past it. */
export const explainSwitchedOff = ({ 'compression.enabled': enabled }: OffSwitch, reason: CompressReason): string | undefined =>
  enabled || reason === 'asked'
    ? undefined
    : 'compression.enabled is off; /compress shortens once, `hermes config set compression.enabled true` turns it on';

import type { TextKind } from '../../../../contracts/scan.ts';

/** One way a text can mean harm: concepts that stand close together. */
export interface ScanRule {
  readonly threat: string;
  readonly severe: boolean;
  /** All kinds of text when left out. */
  readonly kinds?: readonly TextKind[];
  /** Every part must be met, each by one of its concepts. `!tell` is a negated `tell`. */
  readonly need: readonly (readonly string[])[];
  /** How far apart the parts may stand, in words; a sentence's end counts as several. */
  readonly within: number;
  /** Only marks in such a place count (bits of `PLACE`), or none in such a place. */
  readonly inside?: number;
  readonly outside?: number;
  /** Concepts that make it harmless when they stand in between or up to `near` words around. */
  readonly unless?: readonly string[];
  readonly near: number;
}

export interface RuleExtras {
  readonly mild?: true;
  readonly kinds?: readonly TextKind[];
  readonly inside?: number;
  readonly outside?: number;
  readonly unless?: string;
  readonly near?: number;
}

/** `rule('prompt_injection', 'drop order|rule prior', 7)`: parts are parted by blanks, choices by `|`. */
export function defineRule(threat: string, need: string, within: number, { mild, unless, near = 4, ...rest }: RuleExtras = {}): ScanRule {
  return {
    threat,
    severe: mild !== true,
    need: need.split(' ').map((part) => part.split('|')),
    within,
    near,
    ...(unless === undefined ? {} : { unless: unless.split('|') }),
    ...rest,
  };
}

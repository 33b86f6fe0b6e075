import type { TextKind } from '../../../../contracts/scan.ts';

/** One way a text can mean harm: concepts that stand close together. */
export interface Rule {
  readonly threat: string;
  readonly severe: boolean;
  /** All kinds of text when left out. */
  readonly kinds?: readonly TextKind[];
  /** Every part must be met; `a|b` is met by either concept. */
  readonly need: readonly string[];
  /** How far apart the parts may stand, in words. */
  readonly within: number;
  /** The parts come in this order. */
  readonly ordered?: boolean;
  /** Only marks in such a place count (bits of `PLACE`), or none in such a place. */
  readonly inside?: number;
  readonly outside?: number;
  /** Concepts that make it harmless when they stand in between or up to `near` words around. */
  readonly unless?: string;
  readonly near?: number;
}

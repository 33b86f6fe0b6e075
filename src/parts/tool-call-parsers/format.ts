import type { ToolDefinition } from '../../contracts/provider.ts';
import type { ParsedPiece } from '../../contracts/tool-call-parser.ts';
import type { Input, Reading } from './input.ts';
import type { ArgumentTypes } from './values.ts';

/** What a format says of its calls. */
export interface CallFormat {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Each text that begins a call or a section of calls, and how what follows it is read. */
  readonly calls: Readonly<Record<string, CallReader>>;
  /** Texts that may stand behind calls and say nothing themselves. */
  readonly closers?: readonly string[];
  /** Texts of the tokens that end a turn; decoded output keeps them. */
  readonly ends: readonly string[];
  /** An id as the chat templates of this family want it. */
  readonly callId?: (hash: string) => string;
}
/** The input stands behind the marker, and is left behind what was read. */
export type CallReader = (input: Input, scene: CallScene) => Reading<readonly ParsedPiece[]>;
export interface CallScene {
  /** Where the marker began. */
  readonly from: number;
  readonly types: ArgumentTypes;
  readonly ends: readonly string[];
  /** What stands behind a whole call that has no end marker: the next call or section, its end, the end of the turn. */
  readonly boundaries: readonly string[];
  /** Those the model was given; empty where that is not known. */
  readonly tools: readonly ToolDefinition[];
  /** What no broken call goes past: the next call or section, the beginning of a thought, the end of the turn. */
  readonly stops: readonly string[];
}

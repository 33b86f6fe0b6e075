import type { JsonObject } from './message.ts';
import type { ToolDefinition } from './provider.ts';

/**
 * Reads calls from the text a model wrote, for servers that tell tokens and leave the reading to us.
 *
 * Promises:
 * - it never throws, whatever the model wrote;
 * - text that comes in pieces gives exactly what the whole text gives, wherever it is cut;
 * - a call is told only when its end has come: its end marker, or for formats and texts without one the end of its JSON;
 * - what stands inside thinking is no call;
 * - a call that cannot be read does not take others with it: it is told as `rejected`, with its text.
 */
export interface ToolCallParser {
  readonly name: string;
  /** `tools`: the values of a call get the types its tool wants; without them they are guessed by their look. */
  parse(text: string, tools?: readonly ToolDefinition[], options?: ParseOptions): ParsedReply;
  begin(tools?: readonly ToolDefinition[], options?: ParseOptions): ParseRun;
  /** An id for a call that has none of its own, as the chat templates of this family want it. `hash`: 32 or more letters that no other call has. */
  callId(hash: string): string;
}
export interface ParseOptions {
  /** The prompt ended with the beginning of a thought. Without this word only the end of that thought tells (`recall`). */
  readonly isThinking?: boolean;
}
/** One text as it comes. `end` may be called once; nothing follows it. */
export interface ParseRun {
  step(chunk: string): readonly ParsedPiece[];
  end(): readonly ParsedPiece[];
}
/** Pieces are told as soon as they are certain. What a reply says in all is known at its end: `joinPieces` makes it from its pieces. */
export type ParsedPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  /** All so far was thinking, calls too: the template had opened the thought, and only its end was written. So no call runs before the end. */
  | { readonly type: 'recall' }
  | { readonly type: 'call'; readonly call: ParsedCall }
  /** It stands around calls and says nothing itself. */
  | { readonly type: 'marker'; readonly text: string }
  /** `truncated`: the text ended inside it. */
  | { readonly type: 'rejected'; readonly text: string; readonly truncated: boolean };
export interface ParsedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The one the model gave, where its format has them. */
  readonly id?: string;
}
export interface ParsedReply {
  /** Words for the reader before the first call, also a broken one, without space around them. If no call can run, all that is not thinking. */
  readonly content: string;
  /** Words behind it. */
  readonly after: string;
  readonly thinking: string;
  readonly calls: readonly ParsedCall[];
  readonly rejected: readonly { readonly text: string; readonly truncated: boolean }[];
}

import type { Entry } from './entry.ts';
import type { ToolDefinition, ViewMessage } from './provider.ts';
import type { Runtime } from './runtime.ts';

/** Decides what of a conversation the model sees. The log itself is never rewritten. */
export interface ContextEngine {
  readonly name: string;
  /** The view of the log for the next request. Pure over the entries: same entries, same view. */
  view(entries: readonly Entry[]): readonly ViewMessage[];
  /** Tokens the request is expected to take: system + tools + messages. */
  estimate(size: { readonly system: string; readonly tools: readonly ToolDefinition[]; readonly view: readonly ViewMessage[] }): number;
  /** After a provider refused the size. Gives the entry that makes the view smaller, or says why it cannot. */
  shrink(entries: readonly Entry[], runtime: Runtime, signal: AbortSignal): Promise<Shrunk>;
}
export type Shrunk =
  | { readonly ok: true; readonly fromSeq: number; readonly toSeq: number; readonly summary: string }
  | { readonly ok: false; readonly why: string };

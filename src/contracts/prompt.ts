import type { ToolDefinition } from './provider.ts';
import type { ProtocolId } from './runtime.ts';

/** One section of the system prompt. Session slots are rendered once and kept, so the provider's cache holds. */
export interface Slot {
  readonly name: string;
  readonly order: number;
  readonly lifetime: 'session' | 'turn';
  /** Most characters this slot may take. */
  readonly cap: number;
  render(scene: Scene): string | undefined | Promise<string | undefined>;
}
/** What a slot may know about the session it is rendered for. */
export interface Scene {
  readonly sessionId: string;
  readonly model: string;
  readonly provider: string;
  readonly cwd: string;
  readonly platform: string;
  readonly tools: readonly string[];
  readonly startedAt: number;
}
export interface RenderedSlot {
  readonly name: string;
  readonly lifetime: 'session' | 'turn';
  readonly text: string;
}
export interface PromptPipeline {
  render(scene: Scene): Promise<readonly RenderedSlot[]>;
}
/** Prompt and tool table as stored in the session; reused byte for byte until an explicit new epoch. */
export interface PromptEpoch {
  readonly slots: readonly RenderedSlot[];
  readonly tools: readonly ToolDefinition[];
  readonly model: string;
  readonly provider: string;
  readonly toolsets: readonly string[];
  /** Where the session talked to, so that it can be resumed without naming the address again. */
  readonly route?: { readonly baseUrl: string; readonly protocol: ProtocolId };
}
/** The slots as one text: what goes on the wire. */
export const systemText = (slots: readonly RenderedSlot[]): string => slots.map((slot) => slot.text).join('\n\n');

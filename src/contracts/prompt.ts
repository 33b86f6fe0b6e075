import { takeStart } from '../base/text.ts';
import type { Message, TextBlock } from './message.ts';
import type { ModelRequest, ToolDefinition } from './provider.ts';
import type { ProtocolId } from './runtime.ts';

/**
 * One section of the system prompt. Rendered once for a session and kept byte for byte, so the provider's cache holds;
 * a later change of what it was made from shows in the next session or after an explicit rebuild.
 */
export interface PromptSlot {
  readonly name: string;
  readonly order: number;
  readonly lifetime: 'session';
  /**
   * Its words differ between sessions of the same kind: memory, the folder, the day. Such slots stand after all others, in the
   * second block of the system prompt, so that a new session finds the first one in the provider's cache.
   */
  readonly volatile?: true;
  /**
   * Its words are about where the session works. When that changes they are told anew beside a message; these stand for them
   * when there is nothing to say of the new place.
   */
  readonly place?: { readonly gone: string };
  /** Most characters this slot may take. */
  readonly cap: number;
  render(context: PromptContext): SlotText | Promise<SlotText>;
}
/** A slot's words. `notices` are for the owner (a file that was blocked or cut) and never for the model. */
export type SlotText = string | undefined | { readonly text?: string; readonly notices: readonly string[] };

/** What a slot may know about the session it is rendered for. */
export interface PromptContext {
  readonly sessionId: string;
  /** What marks around text of others carry in tool results of this session. */
  readonly markKey: string;
  readonly model: string;
  readonly provider: string;
  readonly cwd: string;
  /** Where the session is held: `cli`, `telegram`, `cron` … */
  readonly platform: string;
  /** Every tool that can be called, whether the table lists it or only points to it. */
  readonly tools: readonly string[];
  /** The toolsets they come from, included ones too. */
  readonly toolsets: readonly string[];
  readonly startedAt: number;
  /** Whether SOUL.md and project files may speak; `--ignore-rules` says no. A child follows the project's rules as its parent does, but never SOUL.md. */
  readonly contextFiles: boolean;
  /** Set for an agent that works for another: its identity is ours, and its last message is its report. */
  readonly role?: 'child';
  /** A system message of the caller's own, for instance an API client's. */
  readonly systemMessage?: string;
}
export interface RenderedSlot {
  readonly name: string;
  readonly lifetime: 'session' | 'turn';
  readonly text: string;
  /** Belongs to the second block; absent in prompts stored before there were two. */
  readonly volatile?: true;
}
export interface RenderedPrompt {
  readonly slots: readonly RenderedSlot[];
  readonly notices: readonly string[];
}

/**
 * A layer that belongs to one turn: recalled memory, an overlay of the gateway, an ephemeral instruction. It never enters
 * the stored prompt: it rides beside the user's message as a wire-only sidecar and is sent again with the same bytes.
 */
export interface PromptLayer {
  readonly name: string;
  readonly order: number;
  readonly lifetime: 'turn';
  readonly cap: number;
  /** Also rendered for a message that joins a running turn. The others hold for the whole turn, and it has them already. */
  readonly forJoining?: true;
  render(turn: TurnContext): Promise<LayerOutput | undefined>;
}
/** `beside` stands after the user's words, `before` are whole messages that stand before them (prefill). */
export interface LayerOutput {
  readonly beside?: readonly TextBlock[];
  readonly before?: readonly Message[];
}
export interface TurnContext {
  readonly sessionId: string;
  /** The user's words. */
  readonly text: string;
  /** The session has no message yet. */
  readonly first: boolean;
  /** The message joins a turn that is running. */
  readonly joins?: true;
  /** What the caller adds to this message alone, each text labelled by who wrote it. */
  readonly overlay?: readonly TextBlock[];
  readonly signal: AbortSignal;
}

export interface PromptPipeline {
  render(context: PromptContext): Promise<RenderedPrompt>;
  /** What is to be said of another place of work than the one these slots told, or of it whatever was told. */
  renderPlace?(
    context: PromptContext,
    told?: readonly RenderedSlot[],
  ): Promise<{ readonly text: string; readonly notices: readonly string[] }>;
  /** The sidecars of one user message. Trouble in a layer costs that layer, never the turn. */
  accompany?(turn: TurnContext): Promise<LayerOutput & { readonly notices: readonly string[] }>;
}
/** Where a session works, as it was told to its model. */
export interface SessionPlace {
  /** The kind of back end. */
  readonly backend: string;
  /** Where commands start. */
  readonly cwd: string;
  /** The folder of the project on this machine, where commands see it. */
  readonly project?: string;
  readonly network?: boolean | 'by_host';
}
/** Prompt and tool table as stored in the session; reused byte for byte until an explicit new epoch. */
export interface PromptEpoch {
  readonly slots: readonly RenderedSlot[];
  readonly tools: readonly ToolDefinition[];
  readonly model: string;
  readonly provider: string;
  readonly toolsets: readonly string[];
  /** The key this prompt tells for marks in tool results; a branch keeps it. Absent in prompts of earlier versions. */
  readonly markKey?: string;
  /** `false` when SOUL.md and project files were left out: they stay out when the session goes on. */
  readonly contextFiles?: boolean;
  /** Where the prompt says that the session works; absent in prompts of earlier versions. */
  readonly place?: SessionPlace;
  /** Where the session talked to, so that it can be resumed without naming the address again. */
  readonly route?: { readonly baseUrl: string; readonly protocol: ProtocolId };
}
/** Most characters of one overlay text. */
export const MAX_OVERLAY = 8_000;
/** The texts of an overlay as they stand beside a message: whoever wrote them, they are not what the sender said. */
export const labelOverlay = (overlay: readonly TextBlock[]): TextBlock[] =>
  overlay.flatMap((block) => {
    const words = block.text.trim();
    return words === '' ? [] : [{ ...block, text: `[Added to this message${writtenBy(block)}]\n${takeStart(words, MAX_OVERLAY)}` }];
  });
const writtenBy = ({ trust, source = 'unknown' }: TextBlock): string =>
  trust === 'foreign' ? `, written by others: ${takeStart(source.replaceAll(/[\s\]]+/g, ' '), 100)}` : '';
/** The slots as one text, with the length of the first block where there are two: what goes on the wire. */
export function joinSlots(slots: readonly RenderedSlot[]): Pick<ModelRequest, 'system' | 'stableChars'> {
  const system = slots.map((slot) => slot.text).join('\n\n');
  const changing = slots.findIndex((slot) => slot.volatile === true);
  return changing <= 0
    ? { system }
    : {
        system,
        stableChars: slots
          .slice(0, changing)
          .map((slot) => slot.text)
          .join('\n\n').length,
      };
}

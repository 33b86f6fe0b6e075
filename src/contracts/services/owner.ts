import type { MemoryOperation, MemoryStoreView, MemoryTarget } from '../memory.ts';
import type { RenderedSlot } from '../prompt.ts';
import type { ModelSelection } from '../host.ts';

/** Questions nobody answered in time. */
export interface ApprovalService {
  list(): Promise<readonly ApprovalLine[]>;
  /** `undefined` when it is not open any more. */
  decide(id: string, state: 'allowed' | 'denied'): Promise<ApprovalLine | undefined>;
  /**
   * Leaves word of an answer for its session, once; `false` when the session is gone. A call that waits for this very answer
   * takes it when its turn goes on, and needs no words: they would ask for it a second time.
   */
  leave(message: { readonly sessionId: string; readonly text: string; readonly questionId: string }): Promise<boolean>;
}
/** A question nobody answered, as the owner sees it. */
export interface ApprovalLine {
  readonly id: string;
  readonly at: number;
  readonly state: 'open' | 'allowed' | 'denied' | 'used';
  readonly tool: string;
  readonly summary: string;
  readonly reason: string;
  readonly cwd?: string;
  /** Files by whose contents it goes: with others it is another act. */
  readonly files?: readonly string[];
  readonly sessionId?: string;
}

/** What the agent remembers between sessions. */
export interface MemoryService {
  readonly folder: string;
  readonly targets: readonly MemoryTarget[];
  read(): Promise<readonly MemoryStoreView[]>;
  change(target: MemoryTarget, operation: MemoryOperation): Promise<MemoryChangeView>;
}
export type MemoryChangeView =
  | {
      readonly ok: true;
      readonly effects: readonly { readonly did: string; readonly text: string }[];
      readonly used: number;
      readonly limit: number;
      /** Whether sessions see this memory; the setting that decides it. */
      readonly enabled: boolean;
      readonly setting: string;
    }
  | { readonly ok: false; readonly words: string };

/** What a session would begin with, and what the scanner says of files. */
export interface PromptService {
  preview(options: PromptPreviewOptions): Promise<PromptPreview>;
  scan(paths: readonly string[]): Promise<readonly ScannedFile[]>;
  /** Lets this very text through from now on, or no longer; another text under the same name is judged anew. */
  allow(path: string, allowed: boolean): Promise<void>;
}
export interface PromptPreviewOptions {
  readonly platform?: string;
  readonly cwd?: string;
  readonly model?: ModelSelection;
  /** Separated by commas. */
  readonly toolsets?: string;
  readonly contextFiles: boolean;
}
/** The assembled prompt as it would begin a session, and what the first request made from it weighs. */
export interface PromptPreview {
  readonly slots: readonly MeasuredSlot[];
  readonly text: string;
  readonly tools: { readonly count: number; readonly chars: number; readonly tokens: number };
  readonly firstRequest: { readonly bytes: number; readonly bound: number };
  readonly platform: string;
  readonly model: string;
  /** What the owner should know of the files that went into it. */
  readonly notices: readonly string[];
}
export interface MeasuredSlot extends RenderedSlot {
  readonly chars: number;
  readonly tokens: number;
}
/** What the scanner found in one file. */
export interface ScannedFile {
  readonly file: string;
  readonly hash: string;
  readonly allowed: boolean;
  readonly findings: readonly { readonly threat: string; readonly severe: boolean; readonly line: number; readonly excerpt: string }[];
}

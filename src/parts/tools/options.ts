import type { LockOptions } from '../../base/file-lock.ts';
import type { ToolHooks } from '../../contracts/hooks.ts';
import type { JsonObject, TextBlock } from '../../contracts/message.ts';
import type { Ports } from '../../contracts/ports.ts';
import type { CommandVerdict, Provenance, ToolCallInfo } from '../../contracts/safety.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { ExpectedCommand, Terminal } from '../../contracts/terminal.ts';
import type { ApprovalRequest, Approver, ApprovalVerdict } from '../../contracts/consent.ts';
import type { AnyTool, ScriptCallResult, ToolRunOptions } from '../../contracts/tool.ts';
import type { UndoRecorder } from '../../contracts/undo.ts';
import type { ToolTableLimits } from './bridge/table.ts';
import type { Spill } from './budget.ts';
import type { FlatToolset } from './toolsets.ts';

/** Throws a `FileLockError` when the paths stay taken. */
export type LockPaths = <Value>(paths: readonly string[], work: () => Promise<Value>, options: LockOptions) => Promise<Value>;
/** What is thought of a tool touching a place. */
export type JudgePath = (path: string, cwd: string) => CommandVerdict | Promise<CommandVerdict>;
export interface ToolkitOptions {
  readonly tools: readonly AnyTool[];
  /** Names of those that are known to be available; the others are asked. */
  readonly present?: ReadonlySet<string>;
  readonly toolsets: readonly string[];
  /** The toolsets and every one they include; absent leaves it at their names. */
  readonly sets?: readonly FlatToolset[];
  /** Names in the tool table a resumed session was started with: a call to one of them meets its tool, available or not. */
  readonly advertised?: readonly string[];
  /** Tools we know that are not for this session, with the reason: a call to one is told so and is never taken for another. */
  readonly absent?: () => ReadonlyMap<string, string>;
  readonly terminal: Terminal;
  readonly ports: Ports;
  readonly approval: Approver;
  readonly spill: Spill;
  /** See `Toolkit`. */
  readonly expectCalls?: (expected?: ExpectedCommand) => void;
  /** Words that go with a result because of what the call touched, such as the rules of a folder seen for the first time. */
  readonly hints?: {
    after(
      call: ToolCallInfo & { readonly markKey: string },
    ): Promise<{ readonly texts: readonly TextBlock[]; readonly notices: readonly string[] }>;
    forget(sessionId: string): void;
  };
  /** Tells foreign words and lasting places by what a call touches; a tool's own word on either wins. */
  readonly provenance?: Provenance;
  /** How a host stands by the owner's lists; absent or nothing means it is on none of them. */
  readonly findHost?: (url: URL) => Promise<'allowed' | 'denied' | undefined>;
  /** What looks on, changes or blocks around every call. */
  readonly hooks?: ToolHooks;
  /** What must not leave: redacted from results, made real in files. */
  readonly secrets?: Secrets;
  /** Runs a call while no other session or program changes the same files; absent where nobody else works on them. */
  readonly lockPaths?: LockPaths;
  /** Keeps what a call is about to change. */
  readonly undo?: UndoRecorder;
  /** What is thought of a tool reading a place, and of one writing to it. */
  readonly judgeRead?: JudgePath;
  readonly judgeWrite?: JudgePath;
  /** When the table would be too large, some tools are named in it only; absent means all are listed. */
  readonly room?: ToolTableLimits;
}

/** What one call may reach of the toolkit it belongs to. */
export interface CallAccess {
  readonly options: ToolkitOptions;
  /** The answer that was given to this very act before the call ran, or a new question. */
  approve(action: ApprovalRequest, signal: AbortSignal): Promise<ApprovalVerdict>;
  /** A call of the same session that a script makes, through the whole of this. */
  call(name: string, input: JsonObject, run: ToolRunOptions, outer: string): Promise<ScriptCallResult>;
}

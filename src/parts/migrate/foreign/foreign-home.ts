import type { ChatTarget } from '../../../contracts/gateway-store.ts';
import type { Message } from '../../../contracts/message.ts';
import type { MigrationItem, MigrationSource } from '../../../contracts/services/migration.ts';
import type { JobRequest } from '../../../contracts/services/jobs.ts';
import type { LineageKind } from '../../../contracts/session-store.ts';

/** The home of another program as plain data. Reading it changes nothing in it. */
export interface ForeignHome extends Disposable {
  readonly source: MigrationSource;
  /** How people call the program. */
  readonly program: string;
  readonly folder: string;
  readonly settings: ForeignSettings;
  /** Variables it keeps for its programs, keys above all. */
  readonly variables: ReadonlyMap<string, string>;
  readonly soul?: ForeignText;
  readonly memories: readonly ForeignMemory[];
  readonly skills: readonly ForeignSkill[];
  readonly jobs?: readonly ForeignJob[];
  /** Schedules in a form that nothing here reads. */
  readonly cron: readonly ForeignText[];
  /** Texts with no place of their own here. */
  readonly files: readonly ForeignText[];
  readonly sessions: readonly ForeignSession[];
  /** What is not taken, with the reason. */
  readonly left: readonly MigrationItem[];
}

/** A scheduled job, as one would ask for it here. */
export interface ForeignJob {
  readonly name: string;
  readonly request: JobRequest & { readonly schedule: string };
  /** The chat it was made in. */
  readonly chat?: ChatTarget;
}

export interface ForeignSettings {
  /** The file itself where it is in our own format, with its comments. */
  readonly text?: string;
  /** Values by our own keys. */
  readonly values: ReadonlyMap<string, unknown>;
}
export interface ForeignText {
  /** Its path below the other home. */
  readonly name: string;
  readonly text: string;
}
export interface ForeignMemory {
  readonly target: 'memory' | 'user';
  readonly name: string;
  readonly entries: readonly string[];
}
export interface ForeignSkill {
  readonly name: string;
  readonly category?: string;
  readonly folder: string;
}

export interface ForeignSession {
  /** Its name there, for good. */
  readonly key: string;
  /** Changes whenever its log does. */
  readonly fingerprint: string;
  readonly title?: string;
  /** Who opened it: `cli`, `telegram` … */
  readonly source: string;
  readonly cwd?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly startedAt: number;
  readonly parent?: { readonly key: string; readonly kind: LineageKind };
  readonly messages: number;
  /** Its whole log, read when it is asked for. */
  read(): ForeignLog;
}
export interface ForeignLog {
  /** In the order they were said. */
  readonly messages: readonly ForeignMessage[];
  /** What stood in place of the messages that are `compacted`. */
  readonly summary?: string;
  readonly costs: readonly ForeignCost[];
}
export interface ForeignMessage {
  readonly at: number;
  readonly message: Message;
  /** Whether the model still saw it, or a summary stood for it, or it was taken back. */
  readonly fate: 'stands' | 'compacted' | 'taken_back';
}
export interface ForeignCost {
  readonly at: number;
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly reasoning: number;
  };
  /** US dollars. */
  readonly price?: number;
}

import type { HttpAnswer, HttpRequest } from '../../../../base/http-server/contract.ts';
import type { BearerKey } from '../../../../base/http-server/bearer.ts';
import type { Clock } from '../../../../base/clock.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import type { ImageBlock } from '../../../../contracts/message.ts';
import type { Host, SessionOptions } from '../../../../contracts/host.ts';
import type { JobService } from '../../../../contracts/services/jobs.ts';
import type { ApprovalService } from '../../../../contracts/services/owner.ts';
import type { RunLines } from '../runs/lines.ts';
import type { RunNews } from '../runs/follow.ts';
import type { RunQuestions } from '../runs/questions.ts';

/** Who may call, and what they may have done. */
export interface ApiKey extends BearerKey {
  /** The owner's own: it reaches what all keys have begun. */
  readonly isMain: boolean;
  /** What sessions of this key can do; the settings of the platform when left out. */
  readonly toolsets?: readonly string[];
  /** What they may cost together; nothing when there is no limit. */
  readonly budget?: KeyBudget;
  /** May allow what the agent asks permission for. */
  readonly mayApprove: boolean;
  /** Sees what is remembered of the owner. */
  readonly hasMemory: boolean;
}
export interface KeyBudget {
  /** US dollars. */
  readonly usd?: number;
  readonly tokens?: number;
}

/** What of jobs programs reach: they are run elsewhere. */
export type ApiJobs = Omit<JobService, 'status' | 'runNow' | 'runDue' | 'passOver'>;

export interface ApiServerDeps {
  readonly host: Host;
  readonly approvals: ApprovalService;
  /** Scheduled jobs of the home. */
  readonly jobs: ApiJobs;
  readonly keys: readonly ApiKey[];
  /** What the agent is called as a model. */
  readonly modelName: string;
  readonly maxRuns: number;
  /** As what tools of ours are shown in responses where the request does not say; `mcp_call` when left out. */
  readonly toolItems?: string;
  /** How long a turn waits for what the client's tools give. */
  readonly toolResultMs?: number;
  /** Pages that may call, by their origin. */
  readonly origins: readonly string[];
  /** Names by which it may be addressed besides those of this machine. */
  readonly names: readonly string[];
  /** A folder for the sessions of a scope, or for one session alone. */
  readonly makeWorkspace: (scope: string) => string;
  /** Whether something besides sessions holds these folders, as containers that stay do. */
  readonly keepsWorkspaces?: boolean;
  /** Loads a picture from the network, within limits. */
  readonly loadImage?: (url: string, signal: AbortSignal) => Promise<ImageBlock>;
  readonly clock: Clock;
  readonly log: (words: string) => void;
  readonly version: string;
  /** What else runs in this process. */
  readonly describe?: () => JsonObject;
  /** What every session has besides; a model of a test's own. */
  readonly session?: Partial<SessionOptions>;
}

/** What routes work with. */
export interface ApiContext extends ApiServerDeps {
  readonly lines: RunLines;
  readonly news: RunNews;
  readonly questions: RunQuestions;
  readonly startedAt: number;
  /** Takes no new work any more. */
  readonly isDraining: () => boolean;
}

/** A request that found its route. */
export interface ApiRequest extends HttpRequest {
  /** The parts of the path that vary. */
  readonly params: Readonly<Record<string, string>>;
  readonly key: ApiKey;
}
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` stands for one part. */
  readonly path: string;
  /** What it is for, as `/v1/capabilities` tells it. */
  readonly about: string;
  /** Everybody who reaches us may ask. */
  readonly isOpen?: true;
  handle(request: ApiRequest, context: ApiContext): Promise<HttpAnswer>;
}

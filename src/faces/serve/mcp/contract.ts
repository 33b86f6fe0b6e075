import type { CommandParameters, ParsedValues } from '../../../contracts/command.ts';
import type { Host } from '../../../contracts/host.ts';
import type { JsonObject } from '../../../contracts/message.ts';
import type { ApprovalService } from '../../../contracts/services/owner.ts';
import type { SendService } from '../../../contracts/services/sends.ts';

/** What the owner lets a client do. Everything not said here is refused. */
export interface ClientRules {
  /** Names of the tools it gets; all when left out. */
  readonly tools?: readonly string[];
  /** It sees only sessions that these programs opened; those of all when left out. */
  readonly sources?: readonly string[];
  /** Turns run as where the owner sits at this computer: commands run in the attended sandbox. */
  readonly attended: boolean;
  /** It may allow what was asked. Without this it can only deny. */
  readonly mayAllow: boolean;
}

export interface ServeDeps {
  readonly host: Pick<Host, 'store' | 'openSession'>;
  readonly approvals: ApprovalService;
  readonly chats: Pick<SendService, 'list'>;
  readonly rules: ClientRules;
}

/** One tool as a client calls it. */
export interface ConversationTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** Throws a `UsageError` for what the client can mend. */
  run(input: JsonObject, signal: AbortSignal): Promise<ToolReply>;
}
export interface ToolReply {
  /** Keys in snake_case. */
  readonly data: unknown;
  readonly attachments?: readonly ServedAttachment[];
}
export interface ServedAttachment {
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly mime: string;
  /** base64 */
  readonly data: string;
}

/** A tool before its parameters are parsed. */
export interface ConversationToolOptions<Parameters extends CommandParameters> extends Pick<
  ConversationTool,
  'name' | 'description' | 'readOnly'
> {
  readonly parameters: Parameters;
  run(values: ParsedValues<Parameters>, signal: AbortSignal): Promise<ToolReply>;
}

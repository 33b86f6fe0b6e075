/** Sends to chats through the gateway that runs for this profile. */
export interface SendService {
  /** Chats that are known. */
  list(): Promise<readonly SendTarget[]>;
  /** Throws a `UsageError` when no one chat is meant. */
  send(target: string, text: string, signal: AbortSignal): Promise<SendResultLine>;
}
export interface SendTarget {
  /** As it is typed: `telegram:-100123:7`. */
  readonly target: string;
  readonly name?: string;
  readonly type?: string;
  readonly account: string;
  readonly home: boolean;
}
export interface SendResultLine {
  /** `false` when it will not arrive. */
  readonly ok: boolean;
  /** `queued`: the gateway has not sent it yet, or none runs. */
  readonly state: 'sent' | 'queued' | 'failed';
  readonly target: string;
  readonly delivery: string;
  /** Whether a gateway runs that sends it. */
  readonly running: boolean;
  readonly why?: string;
}

import type { JsonObject } from '../../../base/json-types.ts';

/** What became of a request at this end. `performed` says whether it had its effect; `answered` whether the bot can know. */
export interface SlackRequest {
  readonly type: 'request';
  readonly id: number;
  readonly at: number;
  readonly method: string;
  /** The user id of the bot, or the id of the app; absent without a valid token. */
  readonly by?: string;
  readonly arguments: JsonObject;
  performed: boolean;
  answered: boolean;
  /** `ok`, or the `error` of the answer. */
  outcome?: string;
}

export type SlackLogEntry =
  | SlackRequest
  | {
      readonly type: 'connected' | 'disconnected';
      readonly at: number;
      readonly app: string;
      readonly socket: number;
      readonly open: number;
    }
  | {
      readonly type: 'handed_out';
      readonly at: number;
      readonly app: string;
      readonly socket: number;
      readonly envelope: string;
      readonly kind: string;
      readonly attempt: number;
      readonly payload: JsonObject;
    }
  | { readonly type: 'acked'; readonly at: number; readonly app: string; readonly envelope: string }
  /** Nobody was connected, or every attempt stayed without an answer: Slack gives up. */
  | { readonly type: 'lost'; readonly at: number; readonly app: string; readonly kind: string; readonly payload: JsonObject };

import type { Json } from '../../../base/json-types.ts';
import type { TelegramBotAccount } from './model.ts';
import type { TelegramParams } from './params.ts';
import type { TelegramWorld } from './world.ts';

/** One call of a bot. */
export interface MethodCall {
  readonly world: TelegramWorld;
  readonly bot: TelegramBotAccount;
  readonly params: TelegramParams;
  /** Its number in the log. */
  readonly request: number;
  /** The client went away. */
  readonly signal: AbortSignal;
}

export type BotMethod = (call: MethodCall) => Json | Promise<Json>;

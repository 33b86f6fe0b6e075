import type { JsonObject } from '../../../contracts/message.ts';
import type { ServerLine } from './ask-server.ts';

/**
 * How text becomes tokens for one model. What it cannot do is thrown as a `TokenCallError`.
 *
 * Promise: the same text always gives the same tokens.
 */
export interface ChatTokenizer {
  /** The conversation as the chat template writes it; `isAsking`: up to the place where the model goes on. */
  render(chat: TemplateChat, isAsking: boolean, line: ServerLine): Promise<RenderedChat>;
  /** Adds no special tokens of its own. */
  encode(text: string, line: ServerLine): Promise<readonly number[]>;
  /** The text of tokens, special ones included; absent where only the server can tell. */
  readonly decode?: (tokens: readonly number[]) => string;
  /** Tokens that end a reply, as far as they are known. */
  readonly ends: ReadonlySet<number>;
  /** Tokens that stand for no text of anybody's; absent where only the server knows. */
  readonly specials?: ReadonlySet<number>;
}

/** A conversation as chat templates take it. */
export interface TemplateChat {
  readonly messages: readonly JsonObject[];
  /** Absent when there are none: templates ask whether it is there. */
  readonly tools?: readonly JsonObject[];
}
export interface RenderedChat {
  readonly text: string;
  /** Its tokens, where rendering told them. */
  readonly tokens?: readonly number[];
}

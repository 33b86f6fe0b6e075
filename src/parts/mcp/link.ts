import type { Json, JsonObject } from '../../base/json-types.ts';
import type { McpCallOptions } from './connection.ts';
import { isAnswer, isUnseen } from './failures.ts';
import { keepConnection, type ConnectionKeeper, type KeeperOptions } from './keeper.ts';

/** The calls to one server, over whatever connection stands. */
export interface ServerLink extends Pick<ConnectionKeeper, 'up' | 'story' | 'instructions'>, AsyncDisposable {
  /** Sends a call once. It is sent a second time only when the first is known not to have been taken. */
  call(tool: string, input: JsonObject, options: McpCallOptions): Promise<Json>;
}
export interface LinkOptions extends KeeperOptions {
  /** May calls run side by side? Otherwise they wait for each other. */
  readonly parallel: boolean;
}

export function openLink(options: LinkOptions): ServerLink {
  const keeper = keepConnection(options);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    ...keeper,
    call: (tool, input, call) => {
      if (options.parallel) return send(keeper, tool, input, call);
      const turn = queue.then(() => send(keeper, tool, input, call));
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

async function send(keeper: ConnectionKeeper, tool: string, input: JsonObject, options: McpCallOptions, mayRepeat = true): Promise<Json> {
  const connection = await keeper.up(options.signal);
  try {
    const result = await connection.call(tool, input, options);
    keeper.proved();
    return result;
  } catch (error) {
    if (isAnswer(error) || options.signal.aborted) throw error;
    await keeper.drop(connection);
    if (mayRepeat && isUnseen(error)) return send(keeper, tool, input, options, false);
    throw error;
  }
}

import { isObject, readPath } from '../../../base/json.ts';
import type { Json, JsonObject } from '../../../base/json-types.ts';
import type { DiscordCore } from './core.ts';
import type { DiscordFile } from './messages.ts';
import type { DiscordBot } from './world.ts';

/** A request whose sender is known, on its way to a route. */
export interface DiscordRouteCall {
  readonly core: DiscordCore;
  readonly bot: DiscordBot;
  /** What stands in the path at `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  readonly files: readonly DiscordFile[];
  /** The number of the request in the log. */
  readonly request: number;
}

export interface DiscordRouteAnswer {
  readonly status?: number;
  readonly body?: Json;
}

/** `METHOD /path/:name` and what happens there; nothing to say is 204. */
export type DiscordRoutes = Readonly<Record<string, (call: DiscordRouteCall) => DiscordRouteAnswer | undefined>>;

export const param = ({ params }: DiscordRouteCall, name: string): string => params[name] ?? '';

/** What a client sent as the content of a field, when it is an object. */
export const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const found = readPath(value, key);
  return isObject(found) ? found : undefined;
};

import type { Json } from '../../../../base/json-types.ts';
import type { DiscordCore } from '../core.ts';
import type { IncomingFile } from '../messages.ts';
import type { DiscordBot } from '../world.ts';

/** A request whose sender is known, on its way to a route. */
export interface RouteCall {
  readonly core: DiscordCore;
  readonly bot: DiscordBot;
  /** What stands in the path at `:name`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  readonly files: readonly IncomingFile[];
  /** The number of the request in the log. */
  readonly request: number;
}

export interface RouteAnswer {
  readonly status?: number;
  readonly body?: Json;
}

/** `METHOD /path/:name` and what happens there; nothing to say is 204. */
export type Routes = Readonly<Record<string, (call: RouteCall) => RouteAnswer | undefined>>;

export const param = ({ params }: RouteCall, name: string): string => params[name] ?? '';

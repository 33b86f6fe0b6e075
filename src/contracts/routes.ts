import type { Runtime } from './runtime.ts';

/** Other ways to reach a model when one is closed. Each answer is a whole new `Runtime`. */
export interface Routes {
  /** The same route with a fresh secret, where the scheme can refresh; `false` when it cannot. */
  refresh(runtime: Runtime): Promise<boolean>;
  /** The same provider with another credential; the one left behind rests. */
  rotate(runtime: Runtime, why: 'rate_limited' | 'billing' | 'unauthorized' | 'forbidden', restMs?: number): Promise<Runtime | undefined>;
  /** The next entry of the fallback chain that was not tried in this turn and can be reached. */
  fallback(runtime: Runtime, tried: number): Promise<Runtime | undefined>;
  /** The models that the server of a route lists; none when it does not say. Absent where nobody can be asked. */
  models?(runtime: Runtime, signal: AbortSignal): Promise<readonly string[]>;
  /** What was learnt about this route in earlier runs. A window is forgotten after a day: its owner may have changed it, and one that is too small never shows. */
  learnt(runtime: Runtime): Promise<RouteFacts>;
  learn(runtime: Runtime, facts: RouteFacts): Promise<void>;
}
export interface RouteFacts {
  /** The route refuses streaming. */
  readonly stream?: false;
  /** The window the server itself stated. */
  readonly window?: number;
  /** The route refuses some keywords of tool schemas. */
  readonly plainSchemas?: true;
  /** Parameters the route refused. */
  readonly without?: readonly string[];
}

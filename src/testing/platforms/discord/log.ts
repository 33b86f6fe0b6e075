import type { Json } from '../../../base/json-types.ts';

/** One request of a bot. */
export interface DiscordLoggedCall {
  readonly index: number;
  readonly at: number;
  readonly bot: string | undefined;
  readonly method: string;
  /** Below `/api/v10`, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  body: Json | undefined;
  /** Whether Discord did what was asked. */
  performed: boolean;
  /** The status the bot was sent; none while it waits and for an answer that was withheld. */
  status?: number;
  /** The fault that hit it. */
  fault?: string;
}

/** One event that went out to a socket. */
export interface DiscordLoggedEvent {
  readonly at: number;
  readonly bot: string;
  readonly session: string;
  readonly seq: number;
  readonly type: string;
  /** Of what the event tells: a message, an interaction, a channel. */
  readonly id: string | undefined;
  readonly isReplay: boolean;
}

/** What happened to a gateway socket. */
export interface DiscordSocketStep {
  readonly at: number;
  readonly socket: number;
  readonly bot: string | undefined;
  readonly step: 'open' | 'identify' | 'resume' | 'heartbeat' | 'close' | 'refuse';
  readonly code?: number;
}

/** A command or a press, and how it was answered. */
export interface DiscordLoggedInteraction {
  readonly id: string;
  readonly at: number;
  readonly bot: string;
  readonly name: string;
  answer?: { readonly at: number; readonly type: number; readonly isLate: boolean };
}

export interface DiscordLog {
  readonly calls: DiscordLoggedCall[];
  readonly events: DiscordLoggedEvent[];
  readonly sockets: DiscordSocketStep[];
  readonly interactions: DiscordLoggedInteraction[];
}

export const createLog = (): DiscordLog => ({ calls: [], events: [], sockets: [], interactions: [] });

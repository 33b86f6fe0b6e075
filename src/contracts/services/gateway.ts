import type { AccountRef } from '../gateway-store.ts';

/** What a running gateway says of itself, every few seconds. */
export interface GatewayReport {
  readonly pid: number;
  /** By the clock on the wall. */
  readonly at: number;
  readonly phase: GatewayPhase;
  readonly turns: number;
  readonly accounts: readonly AccountReport[];
}
export type GatewayPhase = 'starting' | 'running' | 'draining';
export interface AccountReport extends AccountRef {
  /** `connected` only while something is being received; `paused` by the owner. */
  readonly state: 'connecting' | 'connected' | 'waiting' | 'busy' | 'refused' | 'stopped' | 'paused' | 'unknown';
  readonly why?: string;
  /** Who we are there. */
  readonly name?: string;
  /** Since something was received. */
  readonly msSinceProgress?: number;
  readonly reconnects: number;
}

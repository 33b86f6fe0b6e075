import type { AccountRef } from '../gateway-store.ts';
import type { IdentifyResult, PlatformKind } from '../platform-adapter.ts';
import type { TickerView } from './jobs.ts';

/** What a running gateway says of itself, every few seconds. */
export interface GatewayReport {
  readonly pid: number;
  /** By the clock on the wall. */
  readonly at: number;
  readonly phase: GatewayPhase;
  readonly turns: number;
  readonly accounts: readonly AccountReport[];
  /** Absent in those of earlier versions. */
  readonly listening?: readonly ListeningReport[];
  readonly provider?: ProviderReport;
}
/** Where it takes requests from outside, those of webhooks among them. */
export interface ListeningReport {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}
/** Whether the model's provider answered when it was last asked what it offers. */
export interface ProviderReport {
  readonly provider: string;
  readonly model: string;
  readonly ok: boolean;
  readonly why?: string;
  /** How many models it offers. */
  readonly models?: number;
  readonly checkedAt: string;
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

/** The gateway of a profile, seen from outside its process. */
export interface GatewayService {
  status(): Promise<GatewayStatus>;
  /** Starts it in the background and waits until it runs. */
  start(): Promise<StartedGateway>;
  /** Stops it, or every gateway of this machine and person; gives those that ran. */
  stop(which: 'own' | 'all'): Promise<readonly StoppedGateway[]>;
  /** Lets turns finish and starts it again; starts it when it does not run. */
  restart(): Promise<StartedGateway>;
  /** The latest lines of its log. */
  logs(lines: number): GatewayLog;
  /** Lines of its log from now on, until the signal aborts. */
  follow(signal: AbortSignal): AsyncIterable<readonly string[]>;
  /** Writes the file by which the system starts it, and gives what to type next. */
  install(scope: 'user' | 'system'): Promise<InstalledGateway>;
  /** Every platform, and what it needs. */
  platforms(): Promise<readonly PlatformNeeds[]>;
  /** Asks a service whose these credentials are, which are not written down yet, by variable; `undefined` where it cannot be asked. */
  identify(platform: string, given: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IdentifyResult | undefined>;
}
export interface GatewayStatus {
  readonly ok: boolean;
  readonly running: boolean;
  readonly home: string;
  readonly pid?: number;
  readonly since?: string;
  /** None runs, and the last one was not stopped: it was killed, or it broke. */
  readonly lost?: { readonly pid: number; readonly since: string };
  /** The service manager that starts it. */
  readonly service?: string;
  readonly phase?: GatewayPhase | 'unknown';
  /** Since the process last said anything of itself. */
  readonly msSinceReport?: number;
  readonly turns: number;
  readonly accounts: readonly AccountReport[];
  readonly listening: readonly ListeningReport[];
  readonly provider?: ProviderReport;
  readonly api: ApiState;
  readonly cron: GatewayCron;
  /** Messages that nobody has looked at yet, and results that are not sent yet. */
  readonly waiting: { readonly arrivals: number; readonly deliveries: number };
  /** Chats in which nobody can be reached. */
  readonly dead: readonly { readonly platform: string; readonly chat: string; readonly why: string }[];
  readonly log: string;
}
/** The API of the profile: in the gateway, or in a process of its own. */
export interface ApiState {
  /** It answered when it was asked just now. */
  readonly running: boolean;
  readonly pid?: number;
  /** `gateway` or `serve`. */
  readonly program?: string;
  readonly url?: string;
  /** Why it does not run although it should. */
  readonly why?: string;
}
/** The scheduled jobs of the profile, whoever runs them. */
export interface GatewayCron {
  /** Something runs jobs, or there are none to run. */
  readonly ok: boolean;
  readonly tickers: readonly TickerView[];
  readonly scheduled: number;
  readonly paused: number;
  readonly next?: { readonly job: string; readonly name: string; readonly at: string; readonly atWords?: string };
  readonly running: readonly { readonly job: string; readonly name: string; readonly dueAt: string }[];
  readonly failing: readonly { readonly job: string; readonly name: string; readonly failures: number; readonly why?: string }[];
}
export interface StartedGateway {
  readonly pid: number;
  readonly log: string;
  /** Still connecting when the wait was over. */
  readonly isStarting: boolean;
  /** It was running before. */
  readonly replaced?: number;
  /** How its platforms stood when it ran. */
  readonly accounts: readonly AccountReport[];
}
export interface StoppedGateway {
  readonly pid: number;
  readonly home: string;
  /** Whether it has ended; one that has not is ended by its own watchdog. */
  readonly ended: boolean;
}
export interface GatewayLog {
  readonly path: string;
  readonly lines: readonly string[];
}
export interface InstalledGateway {
  readonly path: string;
  /** What to type, in this order. */
  readonly next: readonly string[];
}
export interface PlatformNeed {
  readonly name: string;
  readonly describe: string;
  readonly isSet: boolean;
  /** The platform can do without it. */
  readonly isOptional: boolean;
  /** Where its value is written down; absent for a secret, which goes to `.env`. */
  readonly setting?: string;
}
export interface PlatformNeeds {
  readonly id: string;
  readonly label: string;
  readonly userIds?: NonNullable<PlatformKind['userIds']>;
  /** Variables that are asked for, with words on where to get their values. */
  readonly needs: readonly PlatformNeed[];
}

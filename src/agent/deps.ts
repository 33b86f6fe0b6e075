import type { Clock } from '../base/clock.ts';
import type { NewEntry } from '../contracts/entry.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { Failure, FailureType } from '../contracts/failure.ts';
import type { Summariser } from '../contracts/complete.ts';
import type { CompressReason, ContextEngine } from '../contracts/context-engine.ts';
import type { Json, Message, TextBlock, Usage } from '../contracts/message.ts';
import type { PromptPipeline, SessionPlace } from '../contracts/prompt.ts';
import type { Provider, Sampling } from '../contracts/provider.ts';
import type { Routes } from '../contracts/routes.ts';
import type { RequestAdjustments, ModelLimits, Runtime } from '../contracts/runtime.ts';
import type { CallRecord } from '../contracts/ledger.ts';
import type { NewDelivery } from '../contracts/gateway-store.ts';
import type { SettledAnswer } from '../contracts/host.ts';
import type { LogChange } from '../contracts/session-store.ts';
import type { Toolkit } from '../contracts/tool.ts';
import type { TurnInPhase, TurnState } from '../contracts/turn.ts';
import type { SliceValues } from '../contracts/settings.ts';
import type { BudgetReservations, SharedAllowance } from './budget-reservations.ts';
import type { BoundName } from './bounds.ts';
import type { Journal } from './journal.ts';
import type { SideCalls } from './side-calls.ts';
import type { agentSettings } from './settings.ts';

/** What a turn works with. Nothing global: two turns in one process share nothing but what is handed to both. */
export interface TurnDeps {
  readonly provider: Provider;
  readonly routes: Routes;
  /** How the model is to choose its words, in every request of the session; absent leaves it to the provider. */
  readonly sampling?: Sampling;
  readonly context: ContextEngine;
  /** Who may write summaries while the session is on this route, the first choice first; handed to the engine with every compaction. Absent: it has its own, unmetered. */
  readonly summarisers?: (runtime: Runtime) => readonly Summariser[];
  /** What others want kept in a summary that is about to be written, labelled; has a deadline of its own and never throws. */
  readonly gatherInsights?: (about: CompressionAbout, messages: readonly Message[]) => Promise<readonly TextBlock[]>;
  readonly toolkit: Toolkit;
  readonly prompt: Pick<PromptPipeline, 'accompany'>;
  /** Model calls tools made on the side; absent when they can make none. */
  readonly side?: Pick<SideCalls, 'take' | 'note' | 'enterInto'>;
  readonly journal: Journal;
  readonly recoveries: readonly Recovery[];
  readonly settings: SliceValues<typeof agentSettings>;
  /** Shared by a session and its children; absent for one that has none. */
  readonly reservations?: BudgetReservations;
  /** What it may cost together with sessions that are no family of its own. */
  readonly allowance?: SharedAllowance;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** The model hears nothing of ours: no nudge, no warning of the loop guard, no call for a report. A limit ends the turn at once. */
  readonly isUnaided?: true;
  /** A turn whose provider is down stays open, to be gone on with later. */
  readonly holdsOutages?: true;
  /** What goes out with an answer whose asker left an address; absent where nobody delivers. */
  readonly planAnswer?: (answer: SettledAnswer) => Promise<readonly NewDelivery[]>;
  /** US dollars of a usage on a route; `undefined` when a price is unknown. */
  price(runtime: Runtime, usage: Usage): number | undefined;
}
/** What is about to be summed up. */
export interface CompressionAbout {
  readonly sessionId: string;
  readonly reason: CompressReason;
  readonly model: string;
  readonly messageCount: number;
  readonly estimatedTokens: number;
}
export interface AgentDeps extends Omit<TurnDeps, 'journal' | 'signal'> {
  readonly prompt: PromptPipeline;
  /** Whether SOUL.md and project files may speak; absent means yes. */
  readonly contextFiles?: boolean;
  /** The session's folder on this machine by now; absent for the one it began in. */
  readonly cwd?: string;
  /** Where its commands run; without it no change of place is told. */
  readonly place?: SessionPlace;
  /** Set for an agent that works for another. */
  readonly role?: 'child';
  /** A system message of the caller's own. */
  readonly systemMessage?: string;
  /** How often in a row the process may die at one position of a turn before the turn is given up; absent: always goes on. */
  readonly maxCrashes?: number;
  /** Where the answer to a message without an address goes. */
  readonly replyTo?: Json;
}

/** What hangs on the model that is asked, and changes with it. */
export type ConnectionDeps = Pick<AgentDeps, 'provider' | 'routes' | 'price' | 'summarisers' | 'sampling'>;

/** Where a phase leads, and what is committed together with it. */
export interface PhaseResult {
  readonly state: TurnState;
  readonly append?: readonly NewEntry[];
  readonly calls?: readonly CallRecord[];
  readonly fates?: LogChange['fates'];
  readonly deliveries?: LogChange['deliveries'];
  /** For the owner, once the commit is there. */
  readonly notices?: readonly string[];
  /** A phase that can simply run again after a crash need not be saved. */
  readonly repeatable?: true;
  /** The turn goes no further for now: its provider is down. */
  readonly held?: Failure;
}
/** One phase: tells what happens, returns where the turn goes next. */
export type PhaseStep = AsyncGenerator<AgentEvent, PhaseResult>;

/** One way out of some kinds of failure. Its bound stands in the table, so recovery always ends. */
export interface Recovery {
  readonly name: BoundName;
  readonly cures: readonly FailureType[];
  /** Says how to go on, or `undefined` when this way is closed and the next should be tried. */
  apply(state: TurnInPhase<'recover'>, deps: TurnDeps): RecoveryResult | undefined | Promise<RecoveryResult | undefined>;
}
type RecoveryResult = RecoveryAction | FailedRecovery;

/** What changes before the model is asked again. Plain data; the wait honours the turn's signal. */
export interface RecoveryAction {
  readonly waitMs?: number;
  readonly runtime?: Runtime;
  /** What the route is now known to take, for the rest of the turn. It stays the same route, so the log has no change of it. */
  readonly limits?: ModelLimits;
  readonly adjust?: RequestAdjustments;
  readonly append?: readonly NewEntry[];
  /** Model calls it took by itself. */
  readonly calls?: readonly CallRecord[];
  /** What the world is told of it. */
  readonly tells?: readonly AgentEvent[];
}
/** A way that was tried and turned out to be closed, and what is kept of that. */
export interface FailedRecovery extends Pick<RecoveryAction, 'append' | 'calls' | 'tells'> {
  /** Why, for the person. */
  readonly closed: string;
}

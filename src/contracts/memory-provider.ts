import type { Env } from '../base/env.ts';
import type { Home } from '../base/home.ts';
import type { JsonObject } from '../base/json-types.ts';
import type { AnyCommand } from './command.ts';
import type { CompleteText } from './complete.ts';
import type { Embed } from './embed.ts';
import type { MemoryOperation, MemorySource, MemoryTarget } from './memory.ts';
import type { MemoryScope } from './memory-scope.ts';
import type { Message } from './message.ts';
import type { EndReason } from './outcome.ts';
import type { ToolDefinition } from './provider.ts';
import type { NetworkAccess } from './reach.ts';
import type { SessionStore } from './session-store.ts';
import type { SettingValues } from './settings.ts';

export type { MemoryScope } from './memory-scope.ts';

/** What a provider is told when a session is opened. */
export interface MemoryScene extends MemoryScope {
  /** The profile's folder. */
  readonly home: string;
  readonly profile: string;
  /** `primary` for a person's session; the others read, and nothing of what they say is told. `flush` is for hosts that save memory in a session of its own: ours does it in the session itself. */
  readonly role: 'primary' | 'subagent' | 'cron' | 'flush';
  readonly parentSessionId?: string;
}
export interface RecallRequest extends MemoryScope {
  readonly signal: AbortSignal;
  /** Characters that will be shown at most. */
  readonly maxChars: number;
}
/** One thing that is known, with where it comes from. */
export interface RecalledFact {
  readonly text: string;
  /** When it was learned. */
  readonly at?: number;
  /** Where foreign words in it come from; absent when it has none. */
  readonly foreign?: string;
}

/** A turn that is over, as a provider is told of it: once or more, in order, and always with the same key. */
export interface SyncedTurn extends MemoryScope {
  /** The same for every telling of this turn. */
  readonly key: string;
  readonly turnId: string;
  readonly at: number;
  readonly userMessage: string;
  readonly assistantResponse: string;
  /** Where foreign words came from that the model had in view when it answered; empty when there were none. */
  readonly foreign: readonly string[];
  /**
   * Those of them that were in view when the person wrote, other than by recalled memory alone: what came later, or was only recalled,
   * says nothing of the person's words. Absent: as `foreign`.
   */
  readonly foreignWhenAsked?: readonly string[];
}
export interface MemorySessionEnd extends MemoryScope {
  readonly key: string;
  readonly reason: EndReason;
  /** Those since the session began or last ended; the latest 200 of them. */
  readonly turns: readonly SyncedTurn[];
}
export interface MemorySessionSwitch extends MemoryScope {
  readonly fromSessionId: string;
  readonly reason: 'branch' | 'reset' | 'resume' | 'compaction';
}
/** A change of the built-in memory files, for a provider that mirrors them. */
export interface MemoryWrite {
  readonly key: string;
  readonly operation: MemoryOperation;
  readonly target: MemoryTarget;
  /** Absent when the owner made it by hand. */
  readonly source?: MemorySource;
}
/** One thing a provider wants to be told, under the keys that the Python providers use too. */
export interface MemoryConfigField {
  readonly key: string;
  readonly description: string;
  /** Goes to `.env` under `env_var`, and nowhere else. The variable ends in `_API_KEY`, `_TOKEN`, `_SECRET` or `_PASSWORD`; a plugin lists it under `capabilities.secrets` too. */
  readonly secret?: boolean;
  readonly required?: boolean;
  readonly env_var?: string;
  /** Where a person gets it. */
  readonly url?: string;
  readonly default?: string;
  readonly choices?: readonly string[];
}
/** What a tool of a provider is called with. */
export interface MemoryCall extends MemoryScope {
  readonly signal: AbortSignal;
}

/**
 * A memory outside the two files (a plugin, a service). A host opens one at most, once, and all its sessions share it; what goes
 * wrong in it costs its answer and nothing else. Every member but the first two may be left out.
 *
 * Promises to a provider:
 * - `initialize` is called before `recall`, `call` and whatever else is about a session, and `close` after everything else;
 * - `syncTurn`, `sessionEnd` and `wrote` are told durably: those of one session in order, at least once and with the same key,
 *   also after the process was killed, and outside the turn. One that fails is told again later, and what comes behind it in its
 *   session waits. A process that continues what another left calls no `initialize` for it: the scope is all there is;
 * - `recall` is asked once for each message that opens a turn or joins one (several that join together are one), `queueRecall` after the turn;
 * - children of a session and scheduled jobs may recall. Nothing of theirs is told, and they have no tools of a provider;
 * - the session of a guest, or of a chat that others read, asks and tells a provider only when it `servesGuests` and the owner
 *   has said so (`memory.guests`).
 *
 * Promises of a provider (`testMemoryProviderConformance` checks them):
 * - `available`, `tools`, `systemBlock`, `configFields` and `backupPaths` need no `initialize`, ask no network and always answer
 *   the same: `hermes prompt` shows them;
 * - what is told again with the same key is kept once;
 * - a fact from a turn that had foreign words in view is labelled `foreign`, or not recalled; only the person's own words in it need no
 *   label when `foreignWhenAsked` is empty;
 * - it ends its waits when the signal aborts, keeps its files below the folder it is given, and tells no secret.
 */
export interface MemoryProvider {
  readonly name: string;
  /**
   * What it knows is kept apart by platform, person and chat (the same ids on another platform are others): for a guest (`isOwner: false`) it recalls only what was learned from that very
   * person in that very chat, in a group only what was learned in that group, and for the owner nothing that guests said.
   */
  readonly servesGuests?: true;
  /** Configured and usable here? Asks no network. */
  available(): boolean;
  /** Why it is not available, and what to do about it, in words for the owner. */
  unavailableReason?(): string | undefined;
  initialize?(scene: MemoryScene): Promise<void>;
  /** Static words for the system prompt. */
  systemBlock?(scope: MemoryScope): string | undefined;
  /** What is worth knowing for this message; must be quick, gets eight seconds at most. */
  recall?(query: string, request: RecallRequest): Promise<readonly RecalledFact[]>;
  /** A turn is over: what may be asked next can be looked up now. */
  queueRecall?(query: string, scope: MemoryScope): void;
  syncTurn?(turn: SyncedTurn, signal: AbortSignal): Promise<void>;
  sessionEnd?(end: MemorySessionEnd, signal: AbortSignal): Promise<void>;
  /** The person goes on in another session. */
  sessionSwitch?(change: MemorySessionSwitch): Promise<void>;
  /** Before the middle of a session is summarized: what the summary should keep. */
  beforeCompress?(messages: readonly Message[], scope: MemoryScope & { readonly signal: AbortSignal }): Promise<string | undefined>;
  /** A child of this session is done. */
  delegated?(scope: MemoryScope & { readonly goal: string; readonly result: string }): void;
  /** The built-in memory was changed. */
  wrote?(change: MemoryWrite, signal: AbortSignal): Promise<void>;
  /** Tools of its own. A session that has the toolset `memory` gets them; one with the name of another tool is left out. */
  tools?(): readonly ToolDefinition[];
  /** Throws for a name that is none of its tools. */
  call?(name: string, input: JsonObject, call: MemoryCall): Promise<string>;
  /** Whether a call only looks something up. Every other call counts as a write to a lasting place: after foreign words it needs consent. */
  readsOnly?(name: string, input: JsonObject): boolean | Promise<boolean>;
  /** What `hermes memory setup` asks. */
  configFields?(): readonly MemoryConfigField[];
  /** Keeps what was answered and is no secret (no defaults, and nothing that was answered earlier), in a file of its own in that folder: the profile's, or the data folder of a plugin. Nothing to do for one that is set up by variables alone. */
  saveConfig?(values: Readonly<Record<string, string>>, home: string): Promise<void>;
  /** Files below the profile's folder that a backup must hold. */
  backupPaths?(): readonly string[];
  /** Everything it knows, for `hermes memory export`; and the way back. */
  exportFacts?(): AsyncIterable<ExportedFact>;
  importFacts?(facts: AsyncIterable<ExportedFact>): Promise<number>;
  /** In a few words, for `hermes memory status`. May ask the network. */
  status?(signal: AbortSignal): Promise<string>;
  close?(): Promise<void>;
}
/** A fact on its way from one provider to another, one JSON line each. */
export interface ExportedFact {
  readonly text: string;
  readonly at?: number;
  /** Where it was said and to whom it belongs. Whoever imports a fact with a scope that leaves `isOwner` out must not take it for the owner's. */
  readonly scope?: Partial<Omit<MemoryScope, 'sessionId'>>;
  readonly author?: string;
  readonly source?: string;
  /** Where foreign words came from that were in view. A provider recalls such a fact with this label, or not at all. */
  readonly foreign?: string;
  readonly validFrom?: number;
  readonly validTo?: number;
}

/** What a provider stands on: nothing else of the host reaches it. */
export interface MemoryProviderOptions {
  readonly log: Pick<SessionStore, 'search' | 'entries' | 'list'>;
  readonly home: Home;
  readonly settings: SettingValues;
  /** Keys by name, with those of the profile's `.env`. */
  readonly env: Env;
  readonly network: NetworkAccess;
  /**
   * The network and one server more: one that the owner named in this provider's own settings. It is reached wherever it lies;
   * what it redirects to is judged as ever. Absent where nobody can have named one.
   */
  readonly reachOwnServer?: (url: string) => NetworkAccess;
  /** Asks a small model once; absent where none is set up. */
  readonly complete?: CompleteText;
  /** Tells likeness of meaning; absent where no endpoint is set. */
  readonly embed?: Embed;
  readonly notice: (words: string) => void;
}
/** How a provider is made. */
export type MemoryProviderFactory = (options: MemoryProviderOptions) => MemoryProvider | Promise<MemoryProvider>;

/** A provider as the list of a host has it: known by its name, loaded when it is the one in use. */
export interface MemoryProviderRegistration {
  /** In a few words, for whoever chooses one. */
  readonly description: string;
  /** It works as it is: nobody is sent to set it up. */
  readonly needsNoSetup?: true;
  readonly open: MemoryProviderFactory;
  /** Commands of its own (`hermes NAME …`). They exist while it is the one in use, and are loaded when one of them is given. */
  readonly commands?: () => Promise<readonly AnyCommand[]>;
}

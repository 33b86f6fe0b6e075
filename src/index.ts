/** The library surface: explicit names, nothing that is not meant to be relied on. What tests need is in `hermes-ts/testing`. */
import type { Host, HostOptions } from './contracts/host.ts';

export { createAgent, type Agent } from './agent/agent.ts';
export type { AgentDeps, FailedRecovery, ConnectionDeps, RecoveryAction, Recovery } from './agent/deps.ts';
export { createTurnRunner, type TurnRunner, type TurnRunnerHandlers } from './agent/turn-runner.ts';
export { RECOVERIES } from './agent/recoveries/table.ts';
export { agentSettings } from './agent/settings.ts';
export { systemClock, type Clock } from './base/clock.ts';
export { isUsageError, UsageError } from './base/errors.ts';
export { resolveHome, type Home } from './base/home.ts';
export type { Registry } from './base/registry.ts';
/** How a face shows what somebody is to consent to. */
export { showInvisible, toVisibleLine } from './base/visible.ts';
export type { BranchOptions, BranchResult } from './contracts/branch.ts';
export type { ToolDetails } from './contracts/details.ts';
export type {
  AgentResult,
  TrajectoryMessage,
  Environment,
  EnvironmentContext,
  EnvironmentSettings,
  EnvironmentTask,
  LoadedEnvironment,
  Reward,
  RewardContext,
  ScoredAttempt,
  TaskPlace,
} from './contracts/environment.ts';
export type { Entry, EntryBody, NewEntry, EntryOrigin } from './contracts/entry.ts';
export type { AgentEvent, ExitReason, Outcome } from './contracts/event.ts';
export type {
  AnyCommand,
  Command,
  CommandCompletion,
  CommandContext,
  CommandHelp,
  CommandSurface,
  CommandFollowUp,
} from './contracts/command.ts';
export { defineCommand } from './contracts/services/define-command.ts';
export type {
  ApiMode,
  CompletedCommand,
  CommandLineOptions,
  CommandLineResult,
  Host,
  HostCommands,
  GivenSettings,
  HostOptions,
  ModelSelection,
  Notice,
  SessionHandle,
  ProviderRoute,
  SendOptions,
  SessionOptions,
  UnopenedSession,
} from './contracts/host.ts';
export { FilesError, isFilesError, type Files } from './contracts/files.ts';
export type { FileChange } from './contracts/undo.ts';
export type { RewindResult, RewindTarget } from './contracts/rewind.ts';
export type { Failure, FailureType } from './contracts/failure.ts';
export {
  joinTextBlocks,
  type AssistantMessage,
  type Message,
  type TextBlock,
  type ToolCall,
  type ToolMessage,
  type Trust,
  type Usage,
  type UserMessage,
} from './contracts/message.ts';
export type { Ports, UserQuestion } from './contracts/ports.ts';
export type {
  CompressResult,
  CompressRequest,
  ContextEngine,
  EngineOptions,
  ContextGauge,
  EngineFactory,
  UsageReport,
} from './contracts/context-engine.ts';
export type {
  MemoryProvider,
  MemoryProviderFactory,
  MemoryProviderOptions,
  MemoryScope,
  RecalledFact,
  SyncedTurn,
} from './contracts/memory-provider.ts';
export type { Platform } from './contracts/platform.ts';
export type { PromptPipeline, PromptSlot } from './contracts/prompt.ts';
export type {
  Auth,
  ModelEvent,
  ModelRequest,
  Protocol,
  Provider,
  Sampling,
  TokenLogprob,
  ToolDefinition,
  Transport,
} from './contracts/provider.ts';
export type { ProviderProfile } from './contracts/provider-profile.ts';
export type { Registries, ToolRegistration, ToolSessionContext } from './contracts/registries.ts';
export type { Routes } from './contracts/routes.ts';
export type { Runtime } from './contracts/runtime.ts';
export {
  isStoreError,
  StoreError,
  type EndReason,
  type InboxItem,
  type InboxMode,
  type Session,
  type SessionStore,
} from './contracts/session-store.ts';
export { collectDefaults, type SettingField, type SettingsSlice, type SliceValues } from './contracts/settings.ts';
export type { TerminalBackendOptions, TerminalBackendFactory, Terminal, TerminalBackend } from './contracts/terminal.ts';
export type { Approver, ConsentQuestion } from './contracts/consent.ts';
export { isToolFailure, isToolRefusal, ToolFailure, ToolRefusal, type AnyTool, type Tool, type Toolkit } from './contracts/tool.ts';
export type { TurnState } from './contracts/turn.ts';
export { windowEngine } from './parts/context/window.ts';
export { createApiKeyAuth } from './parts/providers/auth/api-key.ts';
export { createProvider } from './parts/providers/client.ts';
export { httpSse } from './parts/providers/transports/http-sse.ts';
export { createWireFormats } from './parts/providers/wire-format.ts';
export { openSqliteStore } from './parts/store/sqlite/store.ts';
export { localTerminal } from './parts/terminals/local/local.ts';
export { spillTo } from './parts/tools/budget.ts';
export { toolSettings } from './parts/tools/settings.ts';
export { createToolkit } from './parts/tools/toolkit.ts';
export { findToolCallParser } from './parts/tool-call-parsers/all.ts';
export type { ParsedCall, ParsedReply, ToolCallParser } from './contracts/tool-call-parser.ts';

/** Where sessions are opened. What it joins is loaded when it is called. */
export const openHost = async (options?: HostOptions): Promise<Host> => (await import('./app/open-host.ts')).openHost(options);

/** The library surface: explicit names, nothing that is not meant to be relied on. What tests need is in `hermes-ts/testing`. */
import type { Host, HostOptions } from './contracts/host.ts';

export { createAgent, type Agent } from './agent/agent.ts';
export type { AgentDeps, Closed, ConnectionDeps, Cure, Recovery } from './agent/deps.ts';
export { RECOVERIES } from './agent/recoveries/table.ts';
export { agentSettings } from './agent/settings.ts';
export { systemClock, type Clock } from './base/clock.ts';
export { isUsageError, UsageError } from './base/errors.ts';
export { homeAt, type Home } from './base/home.ts';
export type { Registry } from './base/registry.ts';
/** How a face shows what somebody is to consent to. */
export { showInvisible, visibleLine } from './base/visible.ts';
export type { BranchOptions, BranchResult } from './contracts/branch.ts';
export type { ToolDetails } from './contracts/details.ts';
export type { Entry, EntryBody, NewEntry, Origin } from './contracts/entry.ts';
export type { AgentEvent, ExitReason, Outcome } from './contracts/event.ts';
export type { AnyCommand, Command, CommandCompletion, CommandContext, CommandHelp, CommandSurface, FollowUp } from './contracts/command.ts';
export { defineCommand } from './contracts/services/define-command.ts';
export type {
  ApiMode,
  CommandDone,
  CommandLineOptions,
  CommandLineOutcome,
  Host,
  HostCommands,
  HostOptions,
  ModelSelection,
  Notice,
  OpenSession,
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
  visibleText,
  type AssistantMessage,
  type Message,
  type Text,
  type ToolCall,
  type ToolMessage,
  type Trust,
  type Usage,
  type UserMessage,
} from './contracts/message.ts';
export type { Ports, Question } from './contracts/ports.ts';
export type {
  CompressResult,
  CompressRequest,
  ContextEngine,
  EngineOptions,
  Gauge,
  OpenEngine,
  UsageReport,
} from './contracts/context-engine.ts';
export type { MemoryProvider, OpenMemoryProvider } from './contracts/memory.ts';
export type { Platform } from './contracts/platform.ts';
export type { PromptPipeline, Slot } from './contracts/prompt.ts';
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
export type { Profile } from './contracts/provider-profile.ts';
export type { Registries, ToolEntry, ToolSession } from './contracts/registries.ts';
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
export { defaultsOf, type Field, type Slice, type Values } from './contracts/settings.ts';
export type { BackendOptions, OpenBackend, Terminal, TerminalBackend } from './contracts/terminal.ts';
export type { Approval, ConsentQuestion } from './contracts/consent.ts';
export { isToolFailure, isToolRefusal, ToolFailure, ToolRefusal, type AnyTool, type Tool, type Toolkit } from './contracts/tool.ts';
export type { TurnState } from './contracts/turn.ts';
export { windowEngine } from './parts/context/window.ts';
export { apiKeyAuth } from './parts/providers/auth/api-key.ts';
export { createProvider } from './parts/providers/client.ts';
export { httpSse } from './parts/providers/transports/http-sse.ts';
export { wireFormats } from './parts/providers/wire-format.ts';
export { openSqliteStore } from './parts/store/sqlite/store.ts';
export { localTerminal } from './parts/terminals/local/local.ts';
export { spillTo } from './parts/tools/budget.ts';
export { toolSettings } from './parts/tools/settings.ts';
export { createToolkit } from './parts/tools/toolkit.ts';

/** Where sessions are opened. What it joins is loaded when it is called. */
export const openHost = async (options?: HostOptions): Promise<Host> => (await import('./app/open-host.ts')).openHost(options);

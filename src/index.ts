/** The library surface: explicit names, nothing that is not meant to be relied on. */
export { createAgent, type Agent } from './agent/agent.ts';
export type { AgentDeps } from './agent/deps.ts';
export { RECOVERIES } from './agent/recoveries/table.ts';
export type { Cure, Recovery } from './agent/recover.ts';
export { agentSettings } from './agent/settings.ts';
export type { Entry, EntryBody, NewEntry, Origin } from './contracts/entry.ts';
export type { AgentEvent, Outcome } from './contracts/event.ts';
export type { Failure, FailureType } from './contracts/failure.ts';
export type { AssistantMessage, Message, ToolCall, ToolMessage, Trust, Usage, UserMessage } from './contracts/message.ts';
export type { ContextEngine } from './contracts/context-engine.ts';
export type { ModelEvent, ModelRequest, Protocol, Provider, ToolDefinition, Transport } from './contracts/provider.ts';
export type { Runtime } from './contracts/runtime.ts';
export { StoreError, type Session, type SessionStore } from './contracts/session-store.ts';
export { defaultsOf, type Slice, type Values } from './contracts/settings.ts';
export type { Terminal, TerminalBackend } from './contracts/terminal.ts';
export { ToolFailure, type Tool, type Toolkit } from './contracts/tool.ts';
export type { TurnState } from './contracts/turn.ts';

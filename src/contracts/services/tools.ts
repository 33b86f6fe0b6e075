/** The tools of the agent. */
export interface ToolService {
  list(choice: ToolChoice): Promise<ToolList>;
  /** Switches toolsets or tools on or off for every session that begins from now on. */
  switch(names: readonly string[], on: boolean): Promise<ToolSwitchResult>;
}
export interface ToolChoice {
  /** Separated by commas. */
  readonly toolsets?: string;
  readonly platform?: string;
}
export interface ToolList {
  /** What the next session of this choice is given; or why there can be none. */
  readonly session: { readonly toolsets: readonly string[] } | { readonly problem: string };
  readonly tools: readonly ToolLine[];
  readonly toolsets: readonly ToolsetLine[];
}
/** A tool as the owner sees it. */
export interface ToolLine {
  readonly name: string;
  readonly description: string;
  /** None for a tool the context engine brings along with all of them. */
  readonly toolsets: readonly string[];
  /** Whether the next session of this choice has it. */
  readonly inSession: boolean;
  readonly available: boolean;
  /** Why it is not there. */
  readonly reason?: string;
  /** What a call does to the world; `depends` when its arguments decide. */
  readonly effects: 'read' | 'write' | 'depends';
  /** Whether a call that a crash interrupted may run again. */
  readonly replay: 'safe' | 'never';
}
export interface ToolsetLine {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}
/** What became of switching tools on or off. */
export interface ToolSwitchResult {
  /** What was asked for and is so already. */
  readonly idle: readonly string[];
  readonly changed: boolean;
  /** Everything that is switched off now. */
  readonly off: readonly string[];
}

/** Other programs whose tools the agent can use. */
export interface McpService {
  list(): Promise<McpList>;
  add(server: NewMcpServer): Promise<AddedMcpServer>;
  /** Connects, logs in where that is wanted, and says what the server offers; throws what the connection threw. */
  test(name: string, signal: AbortSignal, showLogin?: (url: string) => void): Promise<McpTestView>;
  remove(name: string): Promise<RemovedMcpServer>;
}
export interface McpList {
  readonly servers: readonly McpRowView[];
  readonly warnings: readonly string[];
}
export interface NewMcpServer {
  readonly name: string;
  readonly args: readonly string[];
  readonly command?: string;
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly oauth?: boolean;
}
export interface AddedMcpServer {
  readonly name: string;
  readonly file: string;
  /** Variables its secrets went to, and the file they are in. */
  readonly variables: readonly string[];
  readonly envFile: string;
}
export interface RemovedMcpServer {
  readonly name: string;
  readonly file: string;
  readonly envFile: string;
  /** Whether it had a login, which is gone too. */
  readonly login: boolean;
  readonly variablesRemoved: readonly string[];
  /** They may serve something else. */
  readonly variablesLeft: readonly string[];
}
/** How things stand with a server, as far as that is known without asking it. */
export type McpState = 'ready' | 'new' | 'login' | 'disabled' | 'broken';
/** What of a server's tools nobody can have, because it brings too many. */
export interface OmittedTools {
  /** How many; more than these where its list does not end. */
  readonly leftOut?: number;
  /** The same in words; absent when nothing is left out. */
  readonly notice?: string;
}
export interface McpRowView extends OmittedTools {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'unknown';
  /** Its command line or its address. */
  readonly where: string;
  readonly state: McpState;
  /** What is wrong, for a broken one. */
  readonly problem?: string;
  readonly tools?: number;
  readonly protocol?: string;
  readonly seenAt?: number;
}
export interface McpToolView {
  /** As the model calls it; absent for one the model has not. */
  readonly name?: string;
  /** As the server calls it. */
  readonly tool: string;
  readonly description: string;
  readonly readOnly: boolean;
  /** Left out by the owner's patterns. */
  readonly excluded: boolean;
  /** What of its words the scanner keeps from the model. */
  readonly blocked?: 'description' | 'parameters';
}
export interface McpTestView extends OmittedTools {
  readonly name: string;
  readonly server: string;
  readonly protocol: string;
  readonly connectMs: number;
  readonly latencyMs: number;
  readonly tools: readonly McpToolView[];
}

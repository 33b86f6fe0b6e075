/** What the command line can do. `app` wires each verb; each gives its exit code. */
export interface Verbs {
  interactive(): Promise<number>;
  chat(flags: ChatFlags): Promise<number>;
  demo(flags: JsonFlag & { readonly fast?: boolean }): Promise<number>;
  replay(ref: string, flags: JsonFlag): Promise<number>;
  usage(flags: UsageFlags): Promise<number>;
  doctor(flags: JsonFlag): Promise<number>;
  readonly prompt: {
    show(flags: PromptFlags): Promise<number>;
    scan(paths: readonly string[], flags: JsonFlag): Promise<number>;
    allow(path: string, flags: { readonly remove?: boolean }): Promise<number>;
  };
  readonly memory: {
    list(flags: JsonFlag): Promise<number>;
    add(target: string, words: string): Promise<number>;
    remove(target: string, entry: string): Promise<number>;
    path(): Promise<number>;
  };
  readonly skills: {
    list(flags: JsonFlag): Promise<number>;
    view(name: string, file: string | undefined): Promise<number>;
    install(source: string, flags: SkillInstallFlags): Promise<number>;
    remove(name: string): Promise<number>;
    check(flags: JsonFlag): Promise<number>;
  };
  readonly sessions: {
    list(flags: JsonFlag & { readonly limit: number; readonly source?: string }): Promise<number>;
    show(ref: string, flags: JsonFlag): Promise<number>;
    search(text: string, flags: JsonFlag & { readonly limit: number }): Promise<number>;
    export(ref: string, file: string | undefined, flags: { readonly format: 'jsonl' | 'md' }): Promise<number>;
    rename(ref: string, title: string): Promise<number>;
    delete(ref: string, flags: { readonly yes?: boolean }): Promise<number>;
    rebuildPrompt(ref: string): Promise<number>;
    compress(ref: string, topic: string | undefined, flags: JsonFlag): Promise<number>;
    repair(flags: JsonFlag): Promise<number>;
    backup(file: string): Promise<number>;
  };
  readonly config: {
    get(key: string | undefined, flags: JsonFlag): Promise<number>;
    set(key: string, value: string): Promise<number>;
    path(): Promise<number>;
    check(flags: JsonFlag): Promise<number>;
    schema(flags: JsonFlag): Promise<number>;
    explain(key: string): Promise<number>;
  };
  readonly tools: {
    list(flags: JsonFlag & { readonly toolsets?: string; readonly platform?: string }): Promise<number>;
    change(names: readonly string[], on: boolean, flags: JsonFlag): Promise<number>;
  };
  readonly approvals: {
    list(flags: JsonFlag & { readonly all?: boolean }): Promise<number>;
    show(id: string, flags: JsonFlag): Promise<number>;
    decide(id: string, state: 'allowed' | 'denied', flags: JsonFlag): Promise<number>;
  };
  readonly checkpoints: {
    list(flags: PlacedFlags & { readonly everywhere?: boolean }): Promise<number>;
    show(ref: string, flags: PlacedFlags): Promise<number>;
    diff(ref: string, file: string | undefined, flags: PlacedFlags): Promise<number>;
    restore(ref: string, file: string | undefined, flags: PlacedFlags & { readonly all?: boolean }): Promise<number>;
    prune(flags: JsonFlag): Promise<number>;
    clear(flags: JsonFlag & { readonly yes?: boolean }): Promise<number>;
    status(flags: JsonFlag): Promise<number>;
  };
  readonly trash: {
    list(flags: JsonFlag): Promise<number>;
    restore(id: string, flags: JsonFlag & { readonly to?: string }): Promise<number>;
    empty(flags: JsonFlag & { readonly yes?: boolean }): Promise<number>;
  };
  readonly mcp: {
    list(flags: JsonFlag): Promise<number>;
    add(name: string, args: readonly string[], flags: McpAddFlags): Promise<number>;
    test(name: string, flags: JsonFlag): Promise<number>;
    remove(name: string, flags: JsonFlag): Promise<number>;
  };
}

/** Notes the exit code of the verb that ran. */
export type Ends = (verb: Promise<number>) => Promise<void>;

export interface JsonFlag {
  readonly json?: boolean;
}
export interface PlacedFlags extends JsonFlag {
  readonly cwd?: string;
}
export interface ModelFlags {
  readonly model?: string;
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly apiMode?: 'chat_completions' | 'anthropic_messages' | 'responses';
}
export interface ChatFlags extends JsonFlag, ModelFlags {
  readonly query?: string;
  readonly queryFile?: string;
  readonly toolsets?: string;
  readonly maxTurns?: number;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly ignoreRules?: boolean;
  readonly yolo?: boolean;
  readonly cwd?: string;
}
export interface SkillInstallFlags {
  readonly name?: string;
  readonly category?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}
export interface McpAddFlags extends JsonFlag {
  readonly command?: string;
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly oauth?: boolean;
}
export interface PromptFlags extends JsonFlag, ModelFlags {
  readonly platform?: string;
  readonly cwd?: string;
  readonly toolsets?: string;
  readonly ignoreRules?: boolean;
}
export interface UsageFlags extends JsonFlag {
  readonly session?: string;
  readonly explain?: string;
  /** Absent: the last 30, or all of a named session. 0: all. */
  readonly days?: number;
}

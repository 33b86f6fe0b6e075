import type { Json, JsonObject } from '../base/json-types.ts';
import type { SettingValues } from './settings.ts';
import type { RunResult } from './terminal.ts';
import type { TokenTrace } from './token-trace.ts';

/**
 * A set of tasks, and a judge of what an agent made of each. The agent inside is the one people talk to: the same turn, the same
 * tools, the same terminals.
 *
 * Promises to an environment:
 * - every attempt has a session, a folder and a terminal of its own, and no attempt sees another;
 * - the terminal that `reward` sees is the one the model had: the same files, shell, background processes and browser, until
 *   `reward` is over or has called `cleanup`;
 * - nothing of the owner's is there: no memory, no skills, no project files, no prompt but `system_prompt`;
 * - what `load` opened is closed when the run is over.
 */
export interface Environment<Task extends EnvironmentTask = EnvironmentTask> {
  /** Lower-case words with hyphens. */
  readonly name: string;
  readonly description: string;
  /** What it wants other than usual. A file and flags win over it. */
  readonly defaults?: Partial<EnvironmentSettings>;
  /** The model it wants other than that of the settings. A file and flags win over it. */
  readonly serverDefaults?: Partial<ServerSettings>;
  /** Settings of its own, read as those of `env:` are. */
  readonly fields?: EnvironmentFields;
  load(context: EnvironmentContext): Promise<LoadedEnvironment<Task>>;
}

/** A setting of an environment as data. `null` means "not set", where its default is. */
export type EnvironmentField = {
  readonly describe: string;
  /** It changes nothing of an attempt: those made under another value are gone on with. */
  readonly isUncounted?: true;
} & (
  | { readonly kind: 'integer' | 'number'; readonly default: number | null; readonly min?: number; readonly max?: number }
  | { readonly kind: 'boolean'; readonly default: boolean }
  | { readonly kind: 'string'; readonly default: string | null }
  | { readonly kind: 'choice'; readonly default: string; readonly choices: readonly string[] }
  | { readonly kind: 'list'; readonly default: readonly string[] | null }
  | { readonly kind: 'object'; readonly default: JsonObject | null }
);
export type EnvironmentFields = Readonly<Record<string, EnvironmentField>>;

/**
 * What every task has; what else it has is its environment's own. Plain data, and the same in every run: attempts are gone on with only
 * while no task has changed.
 */
export interface EnvironmentTask {
  /** The same for the same task in every run. */
  readonly id: string;
  readonly category?: string;
  readonly difficulty?: string;
}

export interface EnvironmentContext {
  /** What holds for this run: the usual, the environment's own, the file, the flags. */
  readonly settings: EnvironmentSettings;
  /** The environment's own fields. */
  readonly own: SettingValues;
  /** A folder for what it unpacks; it goes with the run. */
  readonly folder: string;
  /** A folder that stays, for what is downloaded once. */
  readonly downloads: string;
  /** `HF_TOKEN` of the process or of the profile's `.env`; absent when it is not set. */
  readonly token?: string;
  /**
   * The rows of a file (Parquet, JSON lines) or of a data set at Hugging Face (`owner/name`), which is downloaded once. `config` is
   * `default` and `split` is `train` when left out; a data set that has but one of them gives that.
   */
  readonly loadDataset?: (
    named: string,
    part?: { readonly config?: string; readonly split?: string },
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** The run makes conversations to learn from (`process`, `serve`): tasks it measures by are not among those it learns from. */
  readonly isTraining?: true;
  readonly signal: AbortSignal;
  /** Tells whoever started the run something. */
  readonly notice: (words: string) => void;
}

export interface LoadedEnvironment<Task extends EnvironmentTask = EnvironmentTask> extends Partial<AsyncDisposable> {
  /** Those to measure by, always in the same order. */
  readonly evaluation: readonly Task[];
  /** Those to learn from; absent for an environment that only measures. */
  readonly training?: readonly Task[];
  /**
   * In place of `training`, for tasks that are generated, or read as they are needed from what is too long for a list. `number` counts
   * from 0; the same number is the same task in every run, or runs that were stopped could not go on.
   */
  nextTask?(number: number): Task | Promise<Task>;
  /** What the model is asked. */
  format(task: Task): string;
  /** Where the attempt runs, when the task wants it otherwise than the settings say. */
  place?(task: Task): TaskPlace;
  /** Lays out what the task needs, before the model is asked. */
  prepare?(task: Task, context: RewardContext): Promise<void>;
  /**
   * What the user says after an answer, for tasks of several turns; nothing ends the attempt. `max_agent_turns` holds for each turn, the
   * time for all of them.
   */
  follow?(task: Task, messages: readonly TrajectoryMessage[], context: RewardContext): Promise<string | undefined>;
  /** How good it was: 0 for a failure, 1 for a success, or in between. What it throws is a failed attempt, told with its words. */
  reward(task: Task, result: AgentResult, context: RewardContext): Promise<Reward>;
  /** Figures of its own over all attempts, beside the usual ones. */
  summarize?(attempts: readonly ScoredAttempt[]): Readonly<Record<string, number>>;
}

/** What a task says of its place. */
export interface TaskPlace {
  /** For back ends that run images. */
  readonly image?: string;
  /** Seconds the agent has in all. */
  readonly agentSeconds?: number;
  /** Seconds the judge has. */
  readonly rewardSeconds?: number;
  /** Further settings `terminal.*`. */
  readonly terminal?: SettingValues;
}

/** A number, or several by name: `reward` is the one that counts. */
export type Reward = number | { readonly reward: number; readonly metrics?: Readonly<Record<string, number>>; readonly note?: string };

/** What the agent did. Stored and sent under the names of the Python environments (`turns_used` …). */
export interface AgentResult {
  /** The whole conversation as OpenAI's API writes it. */
  readonly messages: readonly TrajectoryMessage[];
  /** The tools the model was given, as OpenAI's API writes them; absent in results that were written before they were kept. */
  readonly tools?: readonly TrajectoryTool[];
  /** Model calls. */
  readonly turnsUsed: number;
  /** The model stopped of its own accord: no limit, no failure. */
  readonly finishedNaturally: boolean;
  /** What it thought in each of its turns, where it told. */
  readonly reasoningPerTurn: readonly (string | null)[];
  readonly toolErrors: readonly ToolErrorRecord[];
  /** Tokens as they were sent and generated; absent where the server told none. */
  readonly managedState: TokenTrace | null;
}
export interface TrajectoryMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly TrajectoryCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
  readonly reasoning_content?: string;
}
export interface TrajectoryCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}
export interface TrajectoryTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Json };
}
export interface ToolErrorRecord {
  readonly turn: number;
  readonly tool: string;
  readonly arguments: string;
  readonly error: string;
}

/** What a judge may do in the place the model worked in. Paths are those of that place. */
export interface RewardContext {
  readonly signal: AbortSignal;
  /** Where the first command stood, wherever the shell has gone since: paths that are not absolute begin here. */
  workingDirectory(): Promise<string>;
  terminal(command: string, timeoutSeconds?: number): Promise<Pick<RunResult, 'output' | 'exitCode'>>;
  /** Rejects when it is not there or no text. */
  readFile(path: string): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  /** Lines that hold the words: `path:line:text`, 1,000 at most. Rejects when the path is not there. */
  search(query: string, path?: string): Promise<readonly string[]>;
  uploadFile(local: string, path: string): Promise<void>;
  /** Files that may be run here may be run there; links and everything else that is no plain file stay behind. */
  uploadDir(local: string, path: string): Promise<void>;
  /**
   * Rejects with the code `EFBIG` once more bytes have come than `maxBytes`, 1 GB when left out: what the place says of sizes is its
   * word, and a file that takes no room there may take all there is here.
   */
  downloadFile(path: string, local: string, maxBytes?: number): Promise<void>;
  /** `maxBytes` counts all files together; plain files and folders alone are fetched. */
  downloadDir(path: string, local: string, maxBytes?: number): Promise<void>;
  webSearch(query: string): Promise<string>;
  webExtract(urls: readonly string[]): Promise<string>;
  browserNavigate(url: string): Promise<string>;
  browserSnapshot(): Promise<string>;
  /**
   * Any tool by its name, whichever toolsets the model was given; gives its text, and rejects when it failed. One that the model has
   * is the model's own, with its browser. There is no tool that reads what the owner keeps or asks a person.
   */
  callTool(name: string, args: JsonObject): Promise<string>;
  /**
   * Another place like the model's in which nobody has worked: the same settings and image, and nothing of the attempt. What the
   * model did cannot reach it but by what the judge carries over. It goes when the judge is done.
   */
  freshPlace(): Promise<RewardContext>;
  /** Lets go of everything now: terminal, processes, browser, folder. Nothing works after it. */
  cleanup(): Promise<void>;
}

/** One attempt at a task, scored. */
export interface ScoredAttempt {
  readonly task: string;
  readonly category?: string;
  readonly difficulty?: string;
  /** From 1. */
  readonly attempt: number;
  readonly reward: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly note?: string;
  readonly turnsUsed: number;
  readonly finishedNaturally: boolean;
  readonly agentSeconds: number;
  readonly rewardSeconds: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Why it counts as a failure without the judge's word: the model, the place or the judge broke. */
  readonly error?: string;
  /** The model's server failed, or the place could not be opened: it tells nothing of the model, and the next run makes it again. */
  readonly lost?: true;
  /** The conversation became longer than the model takes, so the attempt is not whole and was not judged. It counts as a failure. */
  readonly outgrown?: true;
}

/**
 * What every environment can be told, under the names of the Python environments, with their defaults. `null` is "not set".
 * The table is `src/faces/environments/settings.ts`.
 */
export interface EnvironmentSettings {
  readonly enabled_toolsets: readonly string[] | null;
  readonly disabled_toolsets: readonly string[] | null;
  readonly distribution: string | null;
  readonly max_agent_turns: number;
  readonly agent_temperature: number;
  readonly system_prompt: string | null;
  readonly terminal_backend: string;
  readonly terminal_timeout: number;
  readonly terminal_lifetime: number;
  readonly dataset_name: string | null;
  readonly tool_pool_size: number;
  readonly tool_call_parser: string;
  readonly extra_body: JsonObject | null;
  readonly eval_handling: EvalHandling;
  readonly max_token_length: number;
  readonly tokenizer_name: string | null;
  readonly group_size: number;
  readonly data_path_to_save_groups: string | null;
  readonly use_wandb: boolean;
  readonly wandb_name: string | null;
  readonly total_steps: number;
  readonly steps_per_eval: number;
  readonly max_num_workers: number;
  readonly worker_timeout: number;
  readonly max_batches_offpolicy: number;
  readonly eval_limit_ratio: number;
  readonly min_batch_allocation: number | null;
  readonly inference_weight: number;
  readonly ensure_scores_are_not_same: boolean;
  readonly include_messages: boolean;
  readonly rollout_server_url: string;
  readonly seed: number | null;
  readonly task_filter: readonly string[] | null;
  readonly skip_tasks: readonly string[] | null;
  readonly attempts: number;
}
export type EvalHandling = 'STOP_TRAIN' | 'LIMIT_TRAIN' | 'NONE';

/** Where the model is: what stands below `openai:`. */
export interface ServerSettings {
  readonly base_url: string | null;
  readonly model_name: string | null;
  readonly server_type: 'openai' | 'vllm' | 'vllm_inference' | 'sglang' | 'vllm_tokens';
  readonly api_key_env: string | null;
  readonly health_check: boolean;
}

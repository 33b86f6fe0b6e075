import type { EnvironmentFields } from '../../contracts/environment.ts';

/**
 * Settings below `env:`. The first fourteen have the names and defaults of the Python environments (seed 004, Configuration
 * Reference); those of the trainer's own client follow; the last are ours.
 */
export const ENVIRONMENT_FIELDS = {
  enabled_toolsets: { kind: 'list', default: null, describe: 'Toolsets the model has. Not set: those of the environment, else all.' },
  disabled_toolsets: { kind: 'list', default: null, describe: 'Toolsets the model does not have.' },
  distribution: { kind: 'string', default: null, describe: 'Draws the toolsets of each group by a named distribution instead.' },
  max_agent_turns: { kind: 'integer', default: 30, min: 1, describe: 'Most model calls of an attempt.' },
  agent_temperature: { kind: 'number', default: 1, min: 0, describe: 'How freely the model chooses its words.' },
  system_prompt: { kind: 'string', default: null, describe: 'The whole system prompt. Not set: there is none.' },
  terminal_backend: {
    kind: 'choice',
    default: 'local',
    choices: ['local', 'docker', 'modal', 'daytona', 'ssh', 'singularity'],
    describe: 'Where commands run. `local` means in a sandbox on this machine.',
  },
  terminal_timeout: { kind: 'integer', default: 120, min: 1, describe: 'Most seconds of one command.' },
  terminal_lifetime: { kind: 'integer', default: 3600, min: 1, describe: 'Most seconds of an attempt.' },
  dataset_name: { kind: 'string', default: null, describe: 'Where the tasks are: a file, a folder, or the name of a data set.' },
  tool_pool_size: { kind: 'integer', default: 128, min: 1, describe: 'Most tool calls at a time, over all attempts.' },
  tool_call_parser: { kind: 'string', default: 'hermes', describe: 'How calls are read from the text of a server that tells tokens.' },
  extra_body: { kind: 'object', default: null, describe: 'Further fields of each request to the model.' },
  eval_handling: {
    kind: 'choice',
    default: 'STOP_TRAIN',
    choices: ['STOP_TRAIN', 'LIMIT_TRAIN', 'NONE'],
    describe: 'What becomes of training while an evaluation runs.',
  },
  max_token_length: {
    kind: 'integer',
    default: 2048,
    min: 1,
    describe:
      'Sequences must have fewer tokens, unless the trainer tells another limit. On servers that tell tokens an attempt ends there.',
  },
  tokenizer_name: {
    kind: 'string',
    default: null,
    describe:
      'A folder with `tokenizer.json` and the chat template of the model, or its name at Hugging Face, for servers that take tokens. Not set: the server’s `/tokenize`.',
  },
  group_size: { kind: 'integer', default: 4, min: 1, describe: 'Attempts at the same task that are scored together.' },
  data_path_to_save_groups: { kind: 'string', default: null, describe: 'A file for groups as Atropos has them, one a line.' },
  use_wandb: {
    kind: 'boolean',
    default: false,
    describe: 'Send the metrics of `serve` and `evaluate` to Weights & Biases too, with the key in WANDB_API_KEY.',
  },
  wandb_name: { kind: 'string', default: null, describe: 'The name of this environment at the trainer. Not set: its own name.' },
  total_steps: { kind: 'integer', default: -1, describe: 'Steps of training. -1: as many as the trainer says.' },
  steps_per_eval: { kind: 'integer', default: 100, min: 1, describe: 'Steps of training between two evaluations.' },
  max_num_workers: { kind: 'integer', default: 8, min: 1, describe: 'Most attempts at a time.' },
  worker_timeout: {
    kind: 'number',
    default: 3600,
    min: -1,
    describe: 'Most seconds of an attempt and its judge together while a trainer waits. -1: as many as the task has.',
  },
  max_batches_offpolicy: {
    kind: 'integer',
    default: 3,
    min: 1,
    describe: 'Batches a trainer may have waiting before no attempt is begun.',
  },
  eval_limit_ratio: {
    kind: 'number',
    default: 0.5,
    min: 0,
    max: 1,
    describe: 'Share of the attempts that `LIMIT_TRAIN` leaves to training.',
  },
  min_batch_allocation: {
    kind: 'number',
    default: null,
    min: 0,
    max: 1,
    describe: 'Share of each batch that is kept for this environment.',
  },
  inference_weight: {
    kind: 'number',
    default: 1,
    min: 0,
    describe: 'Weight of this environment, from which the API computes its share among those of the trainer.',
  },
  ensure_scores_are_not_same: {
    kind: 'boolean',
    default: true,
    describe: 'A group whose scores are all the same teaches nothing: keep it back.',
  },
  include_messages: { kind: 'boolean', default: true, describe: 'Send the conversations along with the tokens.' },
  rollout_server_url: { kind: 'string', default: 'http://127.0.0.1:8000', describe: 'Where the Atropos API is.' },
  seed: { kind: 'integer', default: null, describe: 'Makes draws repeatable, and is sent to the model where it takes one.' },
  task_filter: { kind: 'list', default: null, describe: 'Only tasks with these ids.' },
  skip_tasks: { kind: 'list', default: null, describe: 'No tasks with these ids.' },
  attempts: { kind: 'integer', default: 1, min: 1, describe: 'Attempts at each task of an evaluation.' },
} as const satisfies EnvironmentFields;

/** Settings below `openai:`: the model. */
export const SERVER_FIELDS = {
  base_url: {
    kind: 'string',
    default: null,
    describe: 'The address of the server, or several with commas, which share the attempts. Not set: the model of your settings.',
  },
  model_name: { kind: 'string', default: null, describe: 'The model. Not set: the model of your settings.' },
  server_type: {
    kind: 'choice',
    default: 'openai',
    choices: ['openai', 'vllm', 'vllm_inference', 'sglang', 'vllm_tokens'],
    describe:
      '`openai` reads text; the others tell tokens as well: vLLM and SGLang by `/generate`, a newer vLLM by `/inference/v1/generate`, a stock vLLM by `return_token_ids`.',
  },
  api_key_env: { kind: 'string', default: null, describe: 'The variable that holds the key.' },
  health_check: { kind: 'boolean', default: false, describe: 'Ask the server whether it is there before the first attempt.' },
} as const satisfies EnvironmentFields;

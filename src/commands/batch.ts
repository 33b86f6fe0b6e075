import { UsageError } from '../base/errors.ts';
import type { CommandContext, CommandParameters } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { BatchProgress, BatchResult, CompressionProgress, CompressionResult } from '../contracts/services/batches.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['batches'] } as const;
const FILE = {
  file: {
    kind: 'text',
    required: true,
    completes: 'file',
    description: 'a JSONL file of conversations: of hermes batch, or of hermes env',
  },
} as const satisfies CommandParameters;

export const batchRun = defineCommand({
  ...FACTS,
  name: 'batch run',
  summary: 'Make conversations of the prompts in a file, for training; run it again to continue',
  // It runs commands of a model, and costs money.
  ownerOnly: true,
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'a JSONL file; each line has a "prompt"' } },
  options: {
    out: {
      kind: 'text',
      placeholder: 'folder',
      completes: 'folder',
      description: 'the folder for results; hermes-runs/NAME when left out',
    },
    concurrency: { kind: 'whole_number', placeholder: 'n', description: 'prompts at a time; 4 when left out' },
    distribution: { kind: 'text', placeholder: 'name', description: 'how toolsets are drawn for each prompt (hermes batch distributions)' },
    toolsets: {
      kind: 'text',
      placeholder: 'names',
      description: 'these toolsets for every prompt instead, with commas',
      conflicts: 'distribution',
    },
    seed: { kind: 'whole_number', placeholder: 'n', description: 'makes the draws repeatable' },
    limit: { kind: 'whole_number', placeholder: 'n', description: 'only the first n prompts' },
    maxTurns: { kind: 'whole_number', placeholder: 'n', description: 'most model calls of a prompt; 10 when left out' },
    model: { kind: 'text', placeholder: 'name', completes: 'model', description: 'the model; that of your settings when left out' },
    keep: { kind: 'list', placeholder: 'filter', description: 'keep what this filter drops: empty, no_reasoning, unknown_tool' },
    drop: { kind: 'list', placeholder: 'filter', description: 'also drop what this filter finds: unfinished' },
    config: { kind: 'text', placeholder: 'file', completes: 'file', description: 'a YAML file with settings below env: and openai:' },
    set: { kind: 'list', placeholder: 'key=value', description: 'a setting, such as env.terminal_backend=docker or openai.base_url=URL' },
    unconfined: {
      kind: 'flag',
      unsafe: true,
      description: 'where there is no sandbox, let commands of the model run with all of your rights',
    },
  },
  json: 'as JSON',
  examples: ['hermes batch run prompts.jsonl', 'hermes batch run prompts.jsonl --concurrency 8 --distribution development --seed 7'],
  run: async (values, { batches }, { signal, report }: CommandContext<BatchProgress>): Promise<BatchResult & { readonly ok: boolean }> => {
    const { file, out, limit, config, keep = [], drop = [], set = [], unconfined } = values;
    const result = await batches.run(
      {
        file,
        keep,
        drop,
        set: [...listSettings(values), ...set],
        unconfined: unconfined === true,
        ...(out !== undefined && { out }),
        ...(limit !== undefined && { limit }),
        ...(config !== undefined && { config }),
      },
      { signal, onProgress: report },
    );
    return { ...result, ok: !result.isStopped && (result.dropped['error'] ?? 0) === 0 };
  },
});

interface ShortOptions {
  readonly concurrency?: number | undefined;
  readonly distribution?: string | undefined;
  readonly toolsets?: string | undefined;
  readonly seed?: number | undefined;
  readonly maxTurns?: number | undefined;
  readonly model?: string | undefined;
}
/** What has an option of its own is a setting like the others; `--set` wins over it. */
const listSettings = ({ concurrency = 4, distribution, toolsets, seed, maxTurns: turns, model }: ShortOptions): readonly string[] =>
  Object.entries({
    'env.max_num_workers': concurrency,
    'env.distribution': distribution,
    'env.enabled_toolsets': toolsets,
    'env.seed': seed,
    'env.max_agent_turns': turns,
    'openai.model_name': model,
  }).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));

export const batchDistributions = defineCommand({
  ...FACTS,
  name: 'batch distributions',
  summary: 'List the ways toolsets can be drawn for each prompt',
  json: 'a JSON array',
  examples: ['hermes batch distributions'],
  run: (_values, { batches }) => batches.distributions(),
});

export const batchStats = defineCommand({
  ...FACTS,
  name: 'batch stats',
  summary: 'Show what is in a file of conversations: lengths, reasoning, tools and how their calls went',
  arguments: FILE,
  json: 'as JSON',
  examples: ['hermes batch stats hermes-runs/prompts/trajectories.jsonl'],
  run: ({ file }, { batches }) => batches.statistics(file),
});

export const batchCompress = defineCommand({
  ...FACTS,
  name: 'batch compress',
  summary: 'Bring conversations within a budget of tokens: cut long results, then summarize the oldest turns',
  arguments: FILE,
  options: {
    tokens: { kind: 'whole_number', placeholder: 'n', default: 15_250, description: 'most tokens of a conversation' },
    summaryTokens: { kind: 'whole_number', placeholder: 'n', default: 750, description: 'most tokens of a summary' },
    lastTurns: { kind: 'whole_number', placeholder: 'n', default: 4, description: 'turns at the end that stay as they are' },
    rulesOnly: { kind: 'flag', description: 'ask no model: list what was called instead of a summary' },
    out: { kind: 'text', placeholder: 'file', completes: 'file', description: 'the file to write; NAME_compressed.jsonl when left out' },
  },
  json: 'as JSON',
  examples: ['hermes batch compress trajectories.jsonl --tokens 16000', 'hermes batch compress trajectories.jsonl --rules-only'],
  run: async (
    { file, tokens, summaryTokens, lastTurns, rulesOnly, out },
    { batches },
    { signal, report }: CommandContext<CompressionProgress>,
  ): Promise<CompressionResult & { readonly ok: boolean }> => {
    const request = { file, tokens, summaryTokens, lastTurns, rulesOnly: rulesOnly === true, ...(out !== undefined && { out }) };
    const result = await batches.compress(request, { signal, onProgress: report });
    return { ...result, ok: !result.isStopped };
  },
});

export const batchExport = defineCommand({
  ...FACTS,
  name: 'batch export',
  summary: 'Write conversations for a trainer: messages for SFT, or chosen and rejected ones for DPO',
  arguments: FILE,
  options: {
    format: {
      kind: 'choice',
      choices: ['sft', 'dpo'],
      default: 'sft',
      description: 'sft: messages and tools; dpo: pairs of scored attempts at one task',
    },
    minReward: { kind: 'text', placeholder: 'number', description: 'sft: only conversations with at least this reward' },
    margin: { kind: 'text', placeholder: 'number', default: '0.1', description: 'dpo: how much more reward the chosen one must have' },
    pairs: { kind: 'whole_number', placeholder: 'n', default: 1, description: 'dpo: most pairs of one task' },
    out: {
      kind: 'text',
      placeholder: 'file',
      completes: 'file',
      description: 'the file to write; NAME_sft.jsonl or NAME_dpo.jsonl when left out',
    },
  },
  json: 'as JSON',
  examples: [
    'hermes batch export trajectories.jsonl',
    'hermes batch export hermes-runs/terminal-test/trajectories.jsonl --format dpo --pairs 2',
  ],
  run: ({ file, format, minReward, margin, pairs, out }, { batches }) =>
    batches.export({
      file,
      format,
      margin: readNumber('--margin', margin),
      pairs,
      ...(minReward !== undefined && { minReward: readNumber('--min-reward', minReward) }),
      ...(out !== undefined && { out }),
    }),
});

function readNumber(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${option} must be a number such as 0.5, but is ${text}.`);
  return value;
}

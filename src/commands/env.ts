import { defineCommand } from '../contracts/services/define-command.ts';
import type { CommandContext, CommandParameters } from '../contracts/command.ts';
import type {
  EnvironmentRequest,
  EnvironmentService,
  EvaluationProgress,
  EvaluationResult,
  ExplainedSetting,
  ProcessResult,
  ServeProgress,
  ServeResult,
} from '../contracts/services/environments.ts';

const FACTS = { category: 'tools', where: ['shell'], whileBusy: 'run', needs: ['environments'] } as const;
/** They run commands of a model, and cost money. */
const OWNERS_FACTS = { ...FACTS, ownerOnly: true } as const;
const ENVIRONMENT = {
  environment: {
    kind: 'text',
    required: true,
    completes: 'file',
    description: 'the name of an environment (hermes env list), or a file that exports one',
  },
} as const satisfies CommandParameters;
const OPTIONS = {
  config: { kind: 'text', placeholder: 'file', completes: 'file', description: 'a YAML file with settings below env: and openai:' },
  set: {
    kind: 'list',
    placeholder: 'key=value',
    description: 'a setting, such as env.max_agent_turns=5 or openai.model_name=MODEL; wins over the file',
  },
  out: { kind: 'text', placeholder: 'folder', completes: 'folder', description: 'the folder for results; hermes-runs/NAME when left out' },
  explain: { kind: 'flag', description: 'run nothing; show every setting of the run and where it comes from' },
  unconfined: {
    kind: 'flag',
    unsafe: true,
    description: 'where there is no sandbox, let commands of the model run with all of your rights',
  },
} as const satisfies CommandParameters;

/** What `--explain` gives in place of a run. */
export interface ExplainedRun {
  readonly settings: readonly ExplainedSetting[];
  readonly ok: true;
}
type RunOrSettings<Result> = ExplainedRun | (Result & { readonly ok: boolean });

interface RunValues {
  readonly environment: string;
  readonly config?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly out?: string | undefined;
  readonly unconfined?: boolean | undefined;
}
const readRequest = ({ environment, config, set, out, unconfined }: RunValues): EnvironmentRequest => ({
  environment,
  set: set ?? [],
  unconfined: unconfined === true,
  ...(config !== undefined && { config }),
  ...(out !== undefined && { out }),
});

const explainRun = async (values: RunValues, environments: Pick<EnvironmentService, 'explain'>): Promise<ExplainedRun> => ({
  settings: await environments.explain(readRequest(values)),
  ok: true,
});

export const envList = defineCommand({
  ...FACTS,
  name: 'env list',
  summary: 'List the built-in environments',
  json: 'a JSON array',
  examples: ['hermes env list'],
  run: (_values, { environments }) => environments.list(),
});

export const envExplain = defineCommand({
  ...FACTS,
  name: 'env explain',
  summary: 'Show every setting of a run, and whether it is the default, the environment, the file or a flag that sets it',
  arguments: ENVIRONMENT,
  options: { config: OPTIONS.config, set: OPTIONS.set },
  json: 'a JSON array',
  examples: ['hermes env explain terminal-test --set env.max_agent_turns=5'],
  run: (values, { environments }) => environments.explain(readRequest(values)),
});

export const envEvaluate = defineCommand({
  ...OWNERS_FACTS,
  name: 'env evaluate',
  summary: 'Measure a model: try every task of an environment and score each attempt',
  arguments: ENVIRONMENT,
  options: OPTIONS,
  json: 'the figures as JSON',
  examples: ['hermes env evaluate terminal-test', 'hermes env evaluate ./my-env.ts --set openai.model_name=MODEL --set env.attempts=3'],
  run: async (
    values,
    { environments },
    { signal, report }: CommandContext<EvaluationProgress>,
  ): Promise<RunOrSettings<EvaluationResult>> => {
    if (values.explain === true) return explainRun(values, environments);
    const result = await environments.evaluate(readRequest(values), {
      signal,
      onProgress: report,
    });
    // Whoever measured nothing has no result.
    return { ...result, ok: !result.isStopped && (result.figures.errors === 0 || result.figures.errors < result.figures.attempts) };
  },
});

export const envProcess = defineCommand({
  ...OWNERS_FACTS,
  name: 'env process',
  summary: 'Make training data: write scored conversations of an environment to a file',
  arguments: ENVIRONMENT,
  options: { ...OPTIONS, groups: { kind: 'whole_number', description: 'how many groups of attempts; every task once when left out' } },
  json: 'as JSON',
  examples: ['hermes env process terminal-test --groups 6'],
  run: async (values, { environments }, { signal, report }: CommandContext<EvaluationProgress>): Promise<RunOrSettings<ProcessResult>> => {
    if (values.explain === true) return explainRun(values, environments);
    const { groups: count } = values;
    const request = { ...readRequest(values), ...(count !== undefined && { count }) };
    const result = await environments.process(request, { signal, onProgress: report });
    return { ...result, ok: !result.isStopped && (result.lost === 0 || result.lost < result.trajectories) };
  },
});

export const envServe = defineCommand({
  ...OWNERS_FACTS,
  name: 'env serve',
  summary: 'Train a model: give scored groups of attempts to an Atropos trainer until it is done',
  arguments: ENVIRONMENT,
  options: {
    ...OPTIONS,
    allowUnfit: { kind: 'flag', unsafe: true, description: 'send groups without token ids too, which no trainer can learn from' },
  },
  json: 'a JSON object for each change, then the result',
  examples: ['hermes env serve terminal-test --set openai.server_type=vllm --set env.rollout_server_url=http://127.0.0.1:8000'],
  run: async (values, { environments }, { signal, report }: CommandContext<ServeProgress>): Promise<RunOrSettings<ServeResult>> => {
    if (values.explain === true) return explainRun(values, environments);
    const request = { ...readRequest(values), allowUnfit: values.allowUnfit === true };
    const result = await environments.serve(request, { signal, onProgress: report });
    return { ...result, ok: !result.isStopped };
  },
});

export const envCompare = defineCommand({
  ...FACTS,
  name: 'env compare',
  summary: 'Compare two runs task by task, with the interval their difference lies in',
  arguments: {
    first: { kind: 'text', required: true, completes: 'folder', description: 'the folder of a run' },
    second: { kind: 'text', required: true, completes: 'folder', description: 'the folder of another run' },
  },
  options: {
    html: {
      kind: 'text',
      placeholder: 'file',
      completes: 'file',
      description: 'also write a page with plots that opens offline in any browser',
    },
  },
  json: 'as JSON',
  examples: ['hermes env compare runs/before runs/after', 'hermes env compare runs/before runs/after --html comparison.html'],
  run: async ({ first, second, html }, { environments }) => {
    const comparison = await environments.compare(first, second, html);
    return { ...comparison, ok: comparison.tasks > 0 };
  },
});

export const envNew = defineCommand({
  ...FACTS,
  name: 'env new',
  summary: 'Write a file to begin an environment of your own with',
  arguments: { file: { kind: 'text', required: true, completes: 'file', description: 'the file to write, such as my-env.ts' } },
  json: 'as JSON',
  examples: ['hermes env new my-env.ts'],
  run: async ({ file }, { environments }) => ({ path: await environments.create(file) }),
});

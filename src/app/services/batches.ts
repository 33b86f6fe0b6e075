import { existsSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { quoteShellWord } from '../../base/shell.ts';
import type { CompleteText } from '../../contracts/complete.ts';
import type { Environment, LoadedEnvironment } from '../../contracts/environment.ts';
import type { BatchRequest, BatchService } from '../../contracts/services/batches.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { createFileExistsError } from '../../commands/write-new-file.ts';
import { compressFile } from '../../faces/environments/batch/compress-file.ts';
import { exportFile } from '../../faces/environments/batch/export.ts';
import { refuseMissing } from '../../faces/environments/lines.ts';
import { readPromptFile, type BatchPrompt, type ReadPrompts } from '../../faces/environments/batch/prompts.ts';
import { runBatch, selectFilters } from '../../faces/environments/batch/run-batch.ts';
import { describeFile } from '../../faces/environments/batch/statistics.ts';
import { readAssignments, readConfigFile } from '../../faces/environments/read-environment.ts';
import { readRunSettings } from '../../faces/environments/read-settings.ts';
import { DISTRIBUTIONS } from '../../faces/environments/toolsets.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { expand } from '../../parts/tools/toolsets.ts';
import { openRun } from './environment-run.ts';

export function createBatchService(options: ServiceOptions, cwd = process.cwd()): BatchService {
  return {
    distributions: async () => Object.entries(DISTRIBUTIONS).map(([name, toolsets]) => ({ name, toolsets })),
    run: async (request, { signal, onProgress }) => {
      const filters = selectFilters(request.keep, request.drop);
      const read = limitPrompts(readPromptFile(resolve(cwd, request.file)), request.limit);
      if (read.prompts.length === 0)
        throw new UsageError(`${request.file} has no prompts. Each line must be an object with a text "prompt".`);
      const settings = await readSettings(request, cwd);
      const out = resolve(cwd, request.out ?? join('hermes-runs', parse(request.file).name));
      const loaded = createBatchTasks(read);
      const environment: Environment = { name: 'batch', description: 'prompts of a file', load: async () => loaded };
      await using run = await openRun({
        environment,
        settings,
        request: { ...request, environment: environment.name },
        out,
        signal,
        processEnv: options.processEnv,
        notice: options.notice,
      });
      return await runBatch({
        ...run.deps,
        environment: loaded,
        read,
        filters,
        knownTools: expand(['all']).tools,
        out,
        configHash: run.configHash,
        ...(run.model !== undefined && { model: run.model }),
        signal,
        onProgress,
      });
    },
    statistics: async (file) => describeFile(refuseMissing(resolve(cwd, file))),
    compress: async ({ file, out, rulesOnly, ...request }, { signal, onProgress }) => {
      const path = refuseMissing(resolve(cwd, file));
      await using opened = new AsyncDisposableStack();
      const complete = rulesOnly ? undefined : await openComplete(options, opened);
      return await compressFile({
        ...request,
        file: path,
        out: refuseExisting(out === undefined ? beside(path, 'compressed') : resolve(cwd, out)),
        ...(complete !== undefined && { complete }),
        signal,
        onProgress,
      });
    },
    export: async ({ file, out, format, ...request }) => {
      const path = refuseMissing(resolve(cwd, file));
      return exportFile(format, {
        ...request,
        file: path,
        out: refuseExisting(out === undefined ? beside(path, format) : resolve(cwd, out)),
      });
    },
  };
}

const limitPrompts = ({ prompts, skipped }: ReadPrompts, limit: number | undefined): ReadPrompts => ({
  prompts: prompts.slice(0, limit),
  skipped,
});

/** Nothing that is there is written over. */
const refuseExisting = (path: string): string => {
  if (existsSync(path)) throw createFileExistsError(path);
  return path;
};

const beside = (path: string, word: string): string => {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}_${word}${ext}`);
};

/** Nobody judges a prompt: what becomes of it is the conversation. */
const createBatchTasks = ({ prompts }: ReadPrompts): LoadedEnvironment<BatchPrompt> => ({
  evaluation: prompts,
  format: ({ prompt }) => prompt,
  place: ({ image }) => ({ ...(image !== undefined && { image }) }),
  prepare: async ({ cwd }, { terminal }) => {
    if (cwd === undefined) return;
    const { exitCode, output } = await terminal(`cd -- ${quoteShellWord(cwd)}`);
    if (exitCode !== 0) throw new Error(`the prompt is to be asked in ${cwd}, but there is no such folder: ${output.trim()}`);
  },
  reward: async () => 0,
});

/** As in the Python system ten model calls and all toolsets, unless somebody says otherwise. */
const readSettings = async ({ config, set }: BatchRequest, cwd: string) => {
  const layers = {
    ...(config !== undefined && { file: await readConfigFile(resolve(cwd, config)) }),
    flag: readAssignments(set),
  };
  const named = [layers.file, layers.flag].some((layer) => layer?.env?.['enabled_toolsets'] !== undefined);
  return readRunSettings({ environment: { env: { max_agent_turns: 10, ...(!named && { distribution: 'default' }) } }, ...layers });
};

/** The model of the owner's settings. Without one, summaries are made by rules. */
async function openComplete(
  { processEnv, registered, notice }: ServiceOptions,
  opened: AsyncDisposableStack,
): Promise<CompleteText | undefined> {
  const [{ createCompleter }, { connect, resolveRoute }, { httpSse }, { readConfig, toAppConfig }] = await Promise.all([
    import('../../parts/providers/completion.ts'),
    import('../../parts/providers/connect.ts'),
    import('../../parts/providers/transports/http-sse.ts'),
    import('../config/config.ts'),
  ]);
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const { providers } = registered;
  try {
    const config = toAppConfig(await readConfig(home.config, env, registered));
    const runtime = await resolveRoute({ selection: {}, config, env, kept: undefined, notice, providers });
    const store = { fact: async () => undefined, learn: async () => {} };
    return createCompleter(runtime, connect({ config, env, store, transport: opened.use(httpSse(env)), runtime, providers }), () => {});
  } catch (error) {
    notice(`No model can be asked for summaries (${toErrorMessage(error)}). They are made by rules.`);
    return undefined;
  }
}

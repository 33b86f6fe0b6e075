import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EnvironmentSettings, EnvironmentTask, TaskPlace } from '../../contracts/environment.ts';
import type { Host, SessionHandle, SessionOptions } from '../../contracts/host.ts';
import type { SettingValues } from '../../contracts/settings.ts';
import { toFileName } from './datasets/file-name.ts';

/** The platform of a session in which a model is measured or trained. */
const ENVIRONMENT_PLATFORM = 'environment';

interface AttemptModel {
  readonly selection?: SessionOptions['model'];
  readonly provider?: SessionOptions['provider'];
}
interface AttemptSessionDeps {
  readonly host: Pick<Host, 'openSession'>;
  readonly name: string;
  readonly settings: EnvironmentSettings;
  readonly openModel: () => AttemptModel;
  readonly folder: string;
  readonly containerLabel?: string;
}
interface AttemptIdentity {
  readonly task: Pick<EnvironmentTask, 'id'>;
  readonly attempt: number;
  readonly toolsets: readonly string[] | undefined;
}

export const modelOptions = ({ selection, provider }: AttemptModel): Pick<SessionOptions, 'model' | 'provider'> => ({
  ...(selection !== undefined && { model: selection }),
  ...(provider !== undefined && { provider }),
});

/** Nothing of the owner's, nothing of ours: the model, its tools and the task. */
export function createSessionOptions(
  { name, settings, containerLabel }: Pick<AttemptSessionDeps, 'name' | 'settings' | 'containerLabel'>,
  { task, attempt, toolsets }: AttemptIdentity,
  place: TaskPlace,
): SessionOptions {
  const { system_prompt: systemMessage, agent_temperature: temperature, extra_body: extraBody, seed } = settings;
  return {
    platform: ENVIRONMENT_PLATFORM,
    source: 'environment',
    title: `${name} ${task.id} ${attempt}`,
    terminalTask: `${name}-${toFileName(task.id)}-${attempt}`,
    contextFiles: false,
    memory: false,
    prompt: false,
    mcp: false,
    unaided: true,
    allowAll: `the environment ${name}`,
    maxSteps: settings.max_agent_turns,
    terminal: {
      ...(containerLabel !== undefined && { 'terminal.docker_extra_args': ['--label', containerLabel] }),
      ...listTerminalSettings(settings, place),
    },
    sampling: { temperature, ...(extraBody !== null && { extraBody }), ...(seed !== null && { seed: seed + attempt }) },
    ...(systemMessage !== null && { systemMessage }),
    ...(toolsets !== undefined && { toolsets }),
  };
}

/** `local` is the wall of this machine: a model in training is no owner. */
function listTerminalSettings(settings: EnvironmentSettings, { image, terminal }: TaskPlace): SettingValues {
  const { terminal_backend: backend, terminal_timeout: timeout } = settings;
  return {
    'terminal.backend': backend === 'local' ? 'sandbox' : backend === 'unconfined' ? 'local' : backend,
    'terminal.timeout': timeout,
    // One that stayed would be met again by the next run of the same task.
    'terminal.container_persistent': false,
    ...(image !== undefined && Object.fromEntries(IMAGE_SETTINGS.map((key) => [key, image]))),
    ...terminal,
  };
}
const IMAGE_SETTINGS = ['terminal.docker_image', 'terminal.singularity_image', 'terminal.modal_image', 'terminal.daytona_image'] as const;

/** A session nobody speaks in, for its terminal: a folder, a sandbox or a container of its own. */
export async function openFreshPlace(
  deps: AttemptSessionDeps,
  request: AttemptIdentity,
  place: TaskPlace,
  closing: AsyncDisposableStack,
): Promise<SessionHandle> {
  const folder = mkdtempSync(join(deps.folder, 'fresh-'));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const options = createSessionOptions(deps, request, place);
  const title = `${options.title ?? ''} (judge)`;
  return deps.host.openSession({ ...options, title, terminalTask: basename(folder), cwd: folder, ...modelOptions(deps.openModel()) });
}

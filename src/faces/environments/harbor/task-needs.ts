import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import { quoteShellWord } from '../../../base/shell.ts';

export type TaskTable = Readonly<Record<string, unknown>>;
export type Variables = Readonly<Record<string, string>>;

/** Every key of a `task.toml` that we know, by its section. One that is not here may change the task, so it is refused by its name. */
const KNOWN_KEYS: Readonly<Record<string, readonly string[] | 'any'>> = {
  metadata: 'any',
  task: 'any',
  hermes: ['outputs'],
  solution: ['env'],
  agent: ['timeout_sec', 'user', 'network_mode', 'allowed_hosts'],
  verifier: ['timeout_sec', 'user', 'env', 'network_mode', 'allowed_hosts', 'environment_mode', 'environment', 'collect'],
  environment: (
    'docker_image cpus memory memory_mb storage storage_mb gpus gpu_types allow_internet env mcp_servers build_timeout_sec skills_dir ' +
    'network_mode allowed_hosts workdir os tpu healthcheck'
  ).split(' '),
};
/** Keys outside of sections. `artifacts` are copied out by Harbor and change no score. */
const KNOWN_TOP: ReadonlySet<string> = new Set(['version', 'schema_version', 'source', 'artifacts', 'steps', 'multi_step_reward_strategy']);

/** Keys of a `task.toml` that this version does not know. Pure. */
export const listUnknownKeys = (values: TaskTable): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const keys = Object.hasOwn(KNOWN_KEYS, name) ? KNOWN_KEYS[name] : undefined;
    if (keys === undefined) return KNOWN_TOP.has(name) ? [] : [`the unknown ${isObject(value) ? `section [${name}]` : `key ${name}`}`];
    if (keys === 'any' || !isObject(value)) return [];
    return Object.keys(value).flatMap((key) => (keys.includes(key) ? [] : [`the unknown key [${name}] ${key}`]));
  });

/** The newer word for whether a place has a network, else the older one. */
export const allowsInternet = (environment: TaskTable): boolean =>
  environment['network_mode'] === undefined ? environment['allow_internet'] !== false : environment['network_mode'] !== 'no-network';

/** The network of a phase is that of the whole task, unless its section says otherwise. */
const hasOtherNetwork = (phase: TaskTable | undefined, environment: TaskTable = {}): boolean =>
  phase?.['network_mode'] !== undefined && (phase['network_mode'] !== 'no-network') !== allowsInternet(environment);

const isOtherUser = (value: unknown): boolean => value !== undefined && value !== '' && value !== 'root' && value !== 0;
/** Harbor takes it in any case of letters. */
const isOtherSystem = (value: unknown): boolean => value !== undefined && (typeof value !== 'string' || value.toLowerCase() !== 'linux');
const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** What Harbor gives a task and we do not, in the words of its file. Run without it, the task would be another one. */
const UNSUPPORTED: readonly (readonly [what: string, isAsked: (sections: Readonly<Record<string, TaskTable>>) => boolean])[] = [
  ['a GPU ([environment] gpus)', ({ environment }) => Number(environment?.['gpus'] ?? 0) > 0],
  ['MCP servers ([environment] mcp_servers)', ({ environment }) => hasItems(environment?.['mcp_servers'])],
  ['a TPU ([environment] tpu)', ({ environment }) => environment?.['tpu'] !== undefined],
  ['another system ([environment] os)', ({ environment }) => isOtherSystem(environment?.['os'])],
  ['skills ([environment] skills_dir)', ({ environment }) => environment?.['skills_dir'] !== undefined],
  [
    'a list of allowed hosts (network_mode)',
    (sections) => Object.values(sections).some((each) => each['network_mode'] === 'allowlist' || hasItems(each['allowed_hosts'])),
  ],
  ['a network of its own for the agent ([agent] network_mode)', ({ agent, environment }) => hasOtherNetwork(agent, environment)],
  [
    'a network of its own for the verifier ([verifier] network_mode)',
    ({ verifier, environment }) => hasOtherNetwork(verifier, environment),
  ],
  ['files that are collected for the verifier ([[verifier.collect]])', ({ verifier }) => hasItems(verifier?.['collect'])],
  ['an environment for the verifier ([verifier.environment])', ({ verifier }) => isObject(verifier?.['environment'])],
  ['several steps ([[steps]])', ({ task }) => hasItems(task?.['steps'])],
  ['another user for the agent ([agent] user)', ({ agent }) => isOtherUser(agent?.['user'])],
  ['another user for the verifier ([verifier] user)', ({ verifier }) => isOtherUser(verifier?.['user'])],
  ['a verifier apart ([verifier] environment_mode)', ({ verifier }) => verifier?.['environment_mode'] === 'separate'],
];

/** What a `task.toml` asks for that we do not have. Pure. */
export const listUnsupported = (sections: Readonly<Record<string, TaskTable>>): readonly string[] =>
  UNSUPPORTED.flatMap(([what, isAsked]) => (isAsked(sections) ? [what] : []));

/** The same for the folder of a task. */
export const listUnsupportedFiles = (folder: string): readonly string[] =>
  existsSync(join(folder, 'environment/docker-compose.yaml')) ? ['several containers (environment/docker-compose.yaml)'] : [];

/** A task that is to be run is one that can be. */
export function checkSupported(
  { id, unsupported }: { readonly id: string; readonly unsupported: readonly string[] },
  advice: string,
): void {
  if (unsupported.length > 0) throw new UsageError(`the task ${id} wants ${unsupported.join(', ')}, which is not supported. ${advice}`);
}

/** A command that ends with 0 once the place is ready for the task. */
export interface Healthcheck {
  readonly command: string;
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
  readonly retries: number;
}
export function readHealthcheck(value: unknown): Healthcheck | undefined {
  if (!isObject(value) || typeof value['command'] !== 'string') return undefined;
  const number = (key: string, usual: number): number => (typeof value[key] === 'number' ? value[key] : usual);
  return {
    command: value['command'],
    timeoutSeconds: number('timeout_sec', 30),
    intervalSeconds: number('interval_sec', 5),
    // What fails while the place starts is not counted there; here it is one time after the other.
    retries: number('retries', 3) + Math.ceil(number('start_period_sec', 0) / Math.max(1, number('start_interval_sec', 5))),
  };
}

export interface GivenVariables {
  readonly variables: Variables;
  /** What of it cannot be given, in words as of the rest a task wants. */
  readonly unsupported: readonly string[];
}

/** The table `env` of a section. What it would take from this machine stays here: whoever wrote the task says which variable that is. */
export function readVariables(section: string, value: unknown): GivenVariables {
  const [variables, unsupported]: [Record<string, string>, string[]] = [{}, []];
  for (const [name, given] of Object.entries(isObject(value) ? value : {})) {
    const isNamed = /^[A-Za-z_]\w*$/.test(name);
    const read = isNamed ? readVariable(given) : { problem: 'a variable whose name is not allowed' };
    if ('text' in read) variables[name] = read.text;
    else unsupported.push(`${read.problem} ([${section}.env] ${isNamed ? name : JSON.stringify(name)})`);
  }
  return { variables, unsupported };
}

function readVariable(value: unknown): { readonly text: string } | { readonly problem: string } {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return { problem: 'a variable whose value is not a text' };
  const text = String(value);
  return text.includes('${') ? { problem: 'a variable of this machine' } : { text };
}

/** A line for a shell, or nothing. */
export const exportLine = (variables: Variables): string => {
  const words = Object.entries(variables).map(([name, value]) => `${name}=${quoteShellWord(value)}`);
  return words.length === 0 ? '' : `export ${words.join(' ')}\n`;
};

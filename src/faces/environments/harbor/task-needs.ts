import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import { quoteShellWord } from '../../../base/shell.ts';

export type TaskTable = Readonly<Record<string, unknown>>;
export type Variables = Readonly<Record<string, string>>;

const isOtherUser = (value: unknown): boolean => value !== undefined && value !== '' && value !== 'root' && value !== 0;
const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** What Harbor gives a task and we do not, in the words of its file. Run without it, the task would be another one. */
const UNSUPPORTED: readonly (readonly [what: string, isAsked: (sections: Readonly<Record<string, TaskTable>>) => boolean])[] = [
  ['a GPU ([environment] gpus)', ({ environment }) => Number(environment?.['gpus'] ?? 0) > 0],
  ['MCP servers ([environment] mcp_servers)', ({ environment }) => hasItems(environment?.['mcp_servers'])],
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

import { UsageError } from '../base/errors.ts';
import type { JsonObject } from '../base/json-types.ts';
import type { McpAddFlags } from '../faces/cli/verbs.ts';
import { isSecretField, splitScheme } from './mcp.ts';
import { isSecretName } from './secret-names.ts';

/** An entry for the settings file, and the variables its secrets are kept in instead. */
export interface NewEntry {
  readonly entry: JsonObject;
  readonly variables: readonly (readonly [name: string, value: string])[];
}

export function entryFor(name: string, args: readonly string[], flags: McpAddFlags): NewEntry {
  const { command, url, env = [], header = [], oauth } = flags;
  if ((command === undefined) === (url === undefined)) throw new UsageError('give a server either --command PROGRAM or --url ADDRESS.');
  if (command === undefined && (args.length > 0 || env.length > 0))
    throw new UsageError('arguments and --env are for a program; an address takes --header.');
  if (command !== undefined && (header.length > 0 || oauth === true))
    throw new UsageError('--header and --oauth are for an address; a program takes --env.');
  const pairs = command === undefined ? header.map((text) => pairOf(text, ':')) : env.map((text) => pairOf(text, '='));
  const kept = pairs.map(([key, value]) => keep(name, key, value));
  const fields = Object.fromEntries(kept.map(({ key, written }) => [key, written]));
  const words = command === undefined ? [] : args.length > 0 ? [command, ...args] : splitWords(command);
  const [program = '', ...rest] = words;
  const more = Object.keys(fields).length === 0 ? {} : command === undefined ? { headers: fields } : { env: fields };
  const entry =
    command === undefined
      ? { url: url ?? '', ...more, ...(oauth === true && { auth: 'oauth' }) }
      : { command: program, ...(rest.length > 0 && { args: rest }), ...more };
  return { entry, variables: kept.flatMap(({ variable }) => (variable === undefined ? [] : [variable])) };
}

function pairOf(text: string, mark: '=' | ':'): readonly [key: string, value: string] {
  const at = text.indexOf(mark);
  if (at <= 0) throw new UsageError(`${JSON.stringify(text)} is not NAME${mark}VALUE.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

interface Kept {
  readonly key: string;
  /** As it stands in the settings file. */
  readonly written: string;
  readonly variable?: readonly [name: string, value: string];
}

/** A secret goes to a variable, and the file names the variable. What names one already stays as it is. */
function keep(server: string, key: string, value: string): Kept {
  const { scheme, secret } = splitScheme(value);
  if (!isSecretField(key) || value === '' || /^\$\{[^}]+\}$/.test(secret)) return { key, written: value };
  const plain = `MCP_${server}_${key}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const variable = isSecretName(plain) ? plain : `${plain}_SECRET`;
  return { key, written: `${scheme}\${${variable}}`, variable: [variable, secret] };
}

/** `"npx -y server"` given as one word is taken as people mean it; quotes hold words together. */
function splitWords(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  return words.length === 0 ? [command] : words;
}

import { UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json-types.ts';
import type { Env } from '../../base/env.ts';
import { isSecretField, splitUrlSecrets, splitArgumentSecrets, splitScheme, type FindKeys, type ValuePart } from './entry-secrets.ts';
import { isSecretName } from '../../base/secret-names.ts';

/** How a server is reached, as its owner says it. */
export interface ServerOptions {
  readonly command?: string;
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly oauth?: boolean;
}
/** An entry for the settings file, and the variables its secrets are kept in instead. */
export interface NewServerEntry {
  readonly entry: JsonObject;
  readonly variables: readonly (readonly [name: string, value: string])[];
}
export interface NewServerOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly flags: ServerOptions;
  /** Variables there are already: none of them gets another value. */
  readonly env: Env;
  readonly findKeys: FindKeys;
}

export function createServerEntry({ name, args, flags, env, findKeys }: NewServerOptions): NewServerEntry {
  refuseMixture(args, flags);
  const box = { ...createSecretCollector(name, env), findKeys };
  const entry = flags.command === undefined ? addressEntry(flags, box) : programEntry(flags.command, args, flags, box);
  return { entry, variables: box.variables() };
}

function refuseMixture(args: readonly string[], { command, url, env = [], header = [], oauth }: ServerOptions): void {
  if ((command === undefined) === (url === undefined)) throw new UsageError('give a server either --command PROGRAM or --url ADDRESS.');
  if (command === undefined && (args.length > 0 || env.length > 0))
    throw new UsageError('arguments and --env are for a program; an address takes --header.');
  if (command !== undefined && (header.length > 0 || oauth === true))
    throw new UsageError('--header and --oauth are for an address; a program takes --env.');
}

function addressEntry({ url = '', header = [], oauth }: ServerOptions, box: SecretCollector): JsonObject {
  const headers = fieldsOf(header, ':', box);
  return {
    url: boxed(splitUrlSecrets(url, box.findKeys), box),
    ...(header.length > 0 && { headers }),
    ...(oauth === true && { auth: 'oauth' }),
  };
}

function programEntry(command: string, args: readonly string[], { env = [] }: ServerOptions, box: SecretCollector): JsonObject {
  const [program = '', ...rest] = args.length > 0 ? [command, ...args] : splitWords(command);
  const variables = fieldsOf(env, '=', box);
  const words = splitArgumentSecrets(rest, box.findKeys).map((pieces) => boxed(pieces, box));
  return { command: program, ...(words.length > 0 && { args: words }), ...(env.length > 0 && { env: variables }) };
}

const boxed = (pieces: readonly ValuePart[], box: SecretCollector): string =>
  pieces.map(({ text, field }) => (field === undefined ? text : box.keep(field, text))).join('');

const fieldsOf = (pairs: readonly string[], mark: '=' | ':', box: SecretCollector): JsonObject =>
  Object.fromEntries(pairs.map((text) => pairOf(text, mark)).map(([key, value]) => [key, fieldOf(key, value, box)]));

/** What names a variable already stays as it is. */
function fieldOf(key: string, value: string, box: SecretCollector): string {
  const { scheme, secret } = splitScheme(value);
  return !isSecretField(key) || value === '' || /^\$\{[^}]+\}$/.test(secret) ? value : `${scheme}${box.keep(key, secret)}`;
}

function pairOf(text: string, mark: '=' | ':'): readonly [key: string, value: string] {
  const at = text.indexOf(mark);
  if (at <= 0) throw new UsageError(`${JSON.stringify(text)} is not NAME${mark}VALUE.`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

interface SecretCollector {
  readonly findKeys: FindKeys;
  /** Puts a secret into a variable; gives what stands for it in the file. */
  keep(field: string, secret: string): string;
  variables(): NewServerEntry['variables'];
}

function createSecretCollector(server: string, env: Env): Omit<SecretCollector, 'findKeys'> {
  const kept = new Map<string, string>();
  return {
    keep: (field, secret) => {
      const variable = freeName(variableFor(server, field), (name) => (kept.get(name) ?? env[name] ?? secret) === secret);
      kept.set(variable, secret);
      return `\${${variable}}`;
    },
    variables: () => [...kept],
  };
}

/** How the variables of a server begin. */
export const toVariablePrefix = (server: string): string => `MCP_${inCapitals(server)}_`;
const inCapitals = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');

function variableFor(server: string, field: string): string {
  const plain = toVariablePrefix(server) + inCapitals(field);
  return isSecretName(plain) ? plain : `${plain}_SECRET`;
}

/** Another server may be called nearly the same. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  let [found, next] = [name, 2];
  while (!isFree(found)) found = `${name}_${next++}`;
  return found;
}

/** `"npx -y server"` given as one word is taken as people mean it; quotes hold words together. */
function splitWords(command: string): string[] {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
  return words.length === 0 ? [command] : words;
}

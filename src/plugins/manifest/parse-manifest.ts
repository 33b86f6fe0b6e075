import { parse } from 'yaml';
import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { listInProcessKinds, PLUGIN_API, type PluginCapabilities, type PluginManifest } from '../../contracts/plugin-manifest.ts';
import { isSecretName } from '../../base/secret-names.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import { HOOK_KINDS, isHookName } from '../../contracts/hook-catalog.ts';
import { toPluginLine } from '../words/plugin-words.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { checkName, readCommands, readProviders, readSecretNames, readSettings, readSlots, readTools } from './read-shelves.ts';
import { readTable, type ManifestTable } from './values.ts';

export interface ManifestReading {
  readonly manifest: PluginManifest;
  readonly warnings: readonly string[];
}

/** Reads a `plugin.yaml`. Throws, in words that say what to change, for one that cannot be used. Pure. */
export function parseManifest(text: string): ManifestReading {
  if (Buffer.byteLength(text) > MANIFEST_LIMITS.bytes)
    throw new Error(`plugin.yaml is larger than ${MANIFEST_LIMITS.bytes / 1_000} kB. Keep data in files of their own.`);
  const value = toJson(text);
  checkShape(value);
  const { table, unknown } = readTable(value, '');
  const manifest = readManifest(table);
  checkTogether(manifest);
  return { manifest, warnings: [...unknown().map((words) => `plugin.yaml has ${words}`), ...warnOfSecrets(manifest)] };
}

/** What is kept out of logs and screens is known by its name. */
const warnOfSecrets = ({ capabilities }: PluginManifest): readonly string[] =>
  capabilities.secrets
    .filter((name) => !isSecretName(name))
    .map(
      (name) =>
        `capabilities.secrets names ${name}, which nobody takes for a secret, so it can be shown. End it in _API_KEY, _TOKEN, _SECRET or _PASSWORD.`,
    );

function toJson(text: string): JsonObject {
  let value: unknown;
  try {
    // Aliases would let a small file stand for a huge one.
    value = parse(text, { maxAliasCount: 0, schema: 'core', logLevel: 'error' });
  } catch (error) {
    // Below the first line is a picture of the place, which it has named.
    const [what = ''] = toErrorMessage(error).split('\n');
    throw new Error(`plugin.yaml cannot be read: ${what.replace(/:$/, '')}`, { cause: error });
  }
  if (!isObject(value)) throw new Error('plugin.yaml is not a table. It needs name, version, description and api.');
  return value;
}

/** Walks with a list of its own: what is nested too deeply must not end in the depth of our own calls. */
function checkShape(root: JsonObject): void {
  const rest: { readonly value: Json | undefined; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let nodes = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (++nodes > MANIFEST_LIMITS.nodes) throw new Error(`plugin.yaml has more than ${MANIFEST_LIMITS.nodes} values.`);
    if (next.depth > MANIFEST_LIMITS.depth) throw new Error(`plugin.yaml is nested more than ${MANIFEST_LIMITS.depth} levels deep.`);
    if (typeof next.value === 'string' && HIDDEN.test(next.value)) throw new Error(`plugin.yaml has ${describeHidden(next.value)}.`);
    if (typeof next.value === 'object' && next.value !== null)
      for (const [key, value] of Object.entries(next.value)) {
        if (HIDDEN.test(key)) throw new Error(`plugin.yaml has ${describeHidden(key)}.`);
        rest.push({ value, depth: next.depth + 1 });
      }
  }
}

/** What a terminal obeys, or what turns the writing round: people read this file's words when they decide. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;
const describeHidden = (text: string): string => `a control character in "${toPluginLine(text, 60)}". Take it out`;

function readManifest(table: ManifestTable): PluginManifest {
  const api = table.number('api', 1, 1_000);
  if (api !== PLUGIN_API)
    throw new Error(
      api === undefined
        ? `plugin.yaml does not say which version of the plugin contract it is written for. Add the line: api: ${PLUGIN_API}`
        : `plugin.yaml is written for version ${api} of the plugin contract, and this program speaks ${PLUGIN_API}. Install a version of the plugin that has api: ${PLUGIN_API}.`,
    );
  const name = checkName(need(table, 'name'), 'name');
  const entry = readRelative(table, 'entry');
  const skills = readRelative(table, 'skills');
  const [memoryProvider, contextEngine] = [readName(table, 'memory_provider'), readName(table, 'context_engine')];
  return {
    name,
    version: need(table, 'version'),
    description: need(table, 'description'),
    api: PLUGIN_API,
    ...(entry !== undefined && { entry }),
    capabilities: readCapabilities(table.table('capabilities')),
    tools: readTools(table),
    hooks: readHooks(table),
    commands: readCommands(table, 'commands'),
    cli: readCommands(table, 'cli'),
    ...(skills !== undefined && { skills }),
    slots: readSlots(table),
    ...(memoryProvider !== undefined && { memoryProvider }),
    ...(contextEngine !== undefined && { contextEngine }),
    platforms: readNames(table, 'platforms'),
    terminals: readNames(table, 'terminals'),
    providers: readProviders(table),
    widgets: table.flag('widgets'),
    settings: readSettings(table),
  };
}

function need(table: ManifestTable, key: string): string {
  const found = table.line(key)?.trim() ?? '';
  if (found === '') throw new Error(`plugin.yaml has no ${key}. Add the line: ${key}: …`);
  return found;
}

function readCapabilities(table: ManifestTable | undefined): PluginCapabilities {
  if (table === undefined) return { network: [], exec: false, secrets: [], prompt: false };
  const network = table.texts('network', MANIFEST_LIMITS.hosts).map((host) => host.toLowerCase());
  const odd = network.find((host) => !HOST.test(host));
  if (odd !== undefined)
    throw new Error(
      `capabilities.network names ${odd}, which is no host. Write it as api.example.com, *.example.com or api.example.com:8443.`,
    );
  const secrets = readSecretNames(table, 'secrets', MANIFEST_LIMITS.secrets);
  return { network, exec: table.flag('exec'), secrets, prompt: table.flag('prompt') };
}
/** A star only for everything below a name of at least two parts. */
const HOST = /^(?:\*\.(?=[^:]*\.))?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/** What a sandbox has a loopback of its own for, so that no proxy leads there. */
const OWN_MACHINE =
  /^(?:(?:.*\.)?localhost|.*\.localdomain|ip6-(?:localhost|loopback)|host\.docker\.internal|(?:127|0)(?:\.\d+){3})(?::\d+)?$/;

function readHooks(table: ManifestTable): PluginManifest['hooks'] {
  const names = table.texts('hooks', 64);
  const odd = names.find((name) => !isHookName(name));
  if (odd !== undefined)
    throw new Error(`hooks: ${describeUnknownName('hook', odd, Object.keys(HOOK_KINDS), 'The page on hooks lists all of them.')}`);
  return [...new Set(names)].filter(isHookName);
}

const readName = (table: ManifestTable, key: string): string | undefined => {
  const found = table.line(key);
  return found === undefined ? undefined : checkName(found, key);
};
const readNames = (table: ManifestTable, key: string): readonly string[] =>
  table.texts(key, MANIFEST_LIMITS.names).map((name) => checkName(name, key));

/** A path inside of the plugin's own folder. */
function readRelative(table: ManifestTable, key: string): string | undefined {
  const found = table.line(key);
  if (found === undefined) return undefined;
  const path = found.replace(/^\.\//, '').replace(/\/$/, '');
  if (path === '' || path.startsWith('/') || path.split(/[\\/]/).some((part) => part === '..' || part === '') || path.includes('\\'))
    throw new Error(`${key} is ${found}; it must be a path inside of the plugin's own folder.`);
  return path;
}

/** What one line says about another. */
function checkTogether(manifest: PluginManifest): void {
  const { entry, capabilities, slots, hooks } = manifest;
  const needsCode =
    manifest.tools.length + hooks.length + manifest.commands.length + manifest.cli.length + slots.length > 0 ||
    manifest.terminals.length + manifest.platforms.length > 0 ||
    manifest.memoryProvider !== undefined ||
    manifest.contextEngine !== undefined ||
    manifest.widgets;
  if (needsCode && entry === undefined) throw new Error('plugin.yaml names no entry. Add the line: entry: index.js');
  if (entry !== undefined && !/\.(?:m?js|m?ts)$/.test(entry))
    throw new Error(`entry is ${entry}; it must be a .js, .mjs, .ts or .mts file.`);
  const own = capabilities.network.find((host) => OWN_MACHINE.test(host));
  if (own !== undefined && listInProcessKinds(manifest).length === 0)
    throw new Error(
      `capabilities.network names ${own}, which is this machine: a plugin in its sandbox cannot reach it. Name a host of the internet or of your own network, as in api.example.com or nas.lan:8080.`,
    );
  if (!capabilities.prompt && (slots.length > 0 || hooks.includes('pre_llm_call')))
    throw new Error('slots and the hook pre_llm_call add words to the prompt. Declare it: capabilities: { prompt: true }');
}

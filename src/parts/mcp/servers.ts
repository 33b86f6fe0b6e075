import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { findNearest } from '../../base/text.ts';
import { moveCredentialsToHeader } from './address.ts';

/** One server as the settings describe it. */
export type ServerConfig = StdioServer | HttpServer;

interface ServerFacts {
  readonly name: string;
  readonly enabled: boolean;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** The owner's word that calls to this server do not get in each other's way. */
  readonly parallel: boolean;
  /** Patterns of tool names; `include` wins over `exclude`, an empty list takes all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Patterns of tools the owner answers for, whatever was read before; `sinks` are never among them. */
  readonly trusted: readonly string[];
  /** Patterns of tools that need consent while foreign words are in view, whatever the server says of them. */
  readonly sinks: readonly string[];
  /** The owner's word that what the server says of its tools (`readOnlyHint`) is true. */
  readonly trustHints: boolean;
}
export interface StdioServer extends ServerFacts {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
export interface HttpServer extends ServerFacts {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}
export interface OAuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  /** Where the browser comes back to; 0 takes a free one. */
  readonly redirectPort: number;
}
export interface ServerProblem {
  readonly name: string;
  readonly words: string;
}
export interface ReadServers {
  readonly servers: readonly ServerConfig[];
  /** Entries that cannot be used, with what is wrong about them. */
  readonly problems: readonly ServerProblem[];
  /** Worth a word, no reason to leave a server out. */
  readonly warnings: readonly ServerProblem[];
}

/** Seconds. The reference names the keys and no figures; these are long enough for a first `npx` and a slow tool. */
const TIMEOUT = 120;
const CONNECT_TIMEOUT = 60;
const MAX_SECONDS = 86_400;

const OWN_KEYS =
  'command args env url headers auth oauth timeout connect_timeout enabled tools trust_hints parallel supports_parallel_tool_calls';
/** Keys of the reference that are accepted and not read yet. */
const LATER_KEYS = 'client_cert client_key identity_header idle_timeout_seconds max_lifetime_seconds sampling elicitation';
const OWN = OWN_KEYS.split(' ');
const KNOWN = new Set([...OWN, ...LATER_KEYS.split(' ')]);

/** Reads the map of servers. A broken entry costs that entry and nothing else. */
export function readServers(table: unknown): ReadServers {
  const found = { servers: [] as ServerConfig[], problems: [] as ServerProblem[], warnings: [] as ServerProblem[] };
  for (const [name, entry] of Object.entries(isObject(table) ? table : {})) {
    try {
      found.servers.push(readServer(name, entry));
      const odd = Object.keys(isObject(entry) ? entry : {}).filter((key) => !KNOWN.has(key));
      found.warnings.push(...odd.map((key) => ({ name, words: unknownKey(name, key) })));
    } catch (error) {
      found.problems.push({ name, words: `mcp_servers.${name} ${toErrorMessage(error)}` });
    }
  }
  return found;
}

function unknownKey(name: string, key: string): string {
  const guess = findNearest(key, OWN);
  return `mcp_servers.${name} has no setting ${key}${guess === undefined ? '' : `; did you mean ${guess}?`}`;
}

function readServer(name: string, value: Json | undefined): ServerConfig {
  if (!isObject(value)) throw new Error('must be a table with a command or a url');
  const described = describedOf(name, value);
  const { command, url } = value;
  if (command !== undefined && url !== undefined) throw new Error('has both a command and a url; remove one');
  if (command !== undefined)
    return { ...described, kind: 'stdio', command: wordIn(value, 'command'), args: listIn(value, 'args'), env: mapIn(value, 'env') };
  if (url === undefined) throw new Error('needs a command (a program to start) or a url');
  const oauth = oauthIn(value);
  const { named, ...address } = moveCredentialsToHeader(urlIn(value), mapIn(value, 'headers'));
  const http = { ...described, kind: 'http', ...address } as const;
  if (oauth !== undefined && named) throw new Error('has both a name or password in its url and auth: oauth; remove one');
  return oauth === undefined ? http : { ...http, oauth };
}

function describedOf(name: string, value: JsonObject): ServerFacts {
  const tools = value['tools'] ?? {};
  if (!isObject(tools)) throw new Error('has tools that are not a table of include, exclude, trusted and sinks');
  return {
    name,
    enabled: flagIn(value, 'enabled', true),
    timeoutMs: secondsIn(value, 'timeout', TIMEOUT) * 1_000,
    connectTimeoutMs: secondsIn(value, 'connect_timeout', CONNECT_TIMEOUT) * 1_000,
    parallel: flagIn(value, 'parallel', flagIn(value, 'supports_parallel_tool_calls', false)),
    include: listIn(tools, 'include'),
    exclude: listIn(tools, 'exclude'),
    trusted: listIn(tools, 'trusted'),
    sinks: listIn(tools, 'sinks'),
    trustHints: flagIn(value, 'trust_hints', false),
  };
}

function oauthIn(value: JsonObject): OAuthSettings | undefined {
  const auth = value['auth'] ?? 'none';
  if (auth !== 'oauth' && auth !== 'none') throw new Error(`has auth ${JSON.stringify(auth)}; use oauth, or a header with a fixed token`);
  if (auth === 'none') return undefined;
  const more = value['oauth'] ?? {};
  if (!isObject(more)) throw new Error('has an oauth that is not a table');
  return {
    ...(more['client_id'] !== undefined && { clientId: wordIn(more, 'client_id') }),
    ...(more['client_secret'] !== undefined && { clientSecret: wordIn(more, 'client_secret') }),
    ...(more['scope'] !== undefined && { scope: wordIn(more, 'scope') }),
    redirectPort: portIn(more),
  };
}

function portIn(value: JsonObject): number {
  const port = value['redirect_port'] ?? 0;
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`has an invalid redirect_port: ${JSON.stringify(port)}`);
}

function urlIn(value: JsonObject): string {
  const url = wordIn(value, 'url');
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return url;
  throw new Error(`has a url that is not an http or https address: ${url}`);
}

function wordIn(value: JsonObject, key: string): string {
  const word = value[key];
  if (typeof word === 'string' && word.trim() !== '') return word;
  throw new Error(`needs text for ${key}`);
}

function flagIn(value: JsonObject, key: string, otherwise: boolean): boolean {
  const flag = value[key] ?? otherwise;
  if (typeof flag === 'boolean') return flag;
  throw new Error(`has a ${key} that is neither true nor false`);
}

function secondsIn(value: JsonObject, key: string, otherwise: number): number {
  const seconds = value[key] ?? otherwise;
  if (typeof seconds === 'number' && seconds > 0 && seconds <= MAX_SECONDS) return seconds;
  throw new Error(`has a ${key} that is not a number of seconds: ${JSON.stringify(seconds)}`);
}

/** YAML reads a bare 8080 or true as something else than text; where text is meant, it is taken as it was written. */
const asText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

function listIn(value: JsonObject, key: string): string[] {
  const list = value[key] ?? [];
  const words = (Array.isArray(list) ? list : [list]).map(asText);
  if (words.every((word) => word !== undefined)) return words;
  throw new Error(`has ${key} that are not a list of words`);
}

function mapIn(value: JsonObject, key: string): Record<string, string> {
  const map = value[key] ?? {};
  if (!isObject(map)) throw new Error(`has ${key} that is not a table`);
  return Object.fromEntries(
    Object.entries(map).map(([name, member]) => {
      const text = asText(member);
      if (text === undefined) throw new Error(`has a ${key}.${name} that is not text`);
      return [name, text];
    }),
  );
}

import { readPath, isObject, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { isMethod, type McpMethod } from './methods.ts';
import { cleanSchema, removeInvisible } from './schema.ts';
import { isChosen } from './select.ts';
import type { ServerConfig } from './servers.ts';

/** A tool as its server describes it, fit for a tool table. What the server says about it is only its word. */
export interface RemoteTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly input: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** It may change something or carry words out. Only a server that says otherwise of a tool is taken to mean otherwise. */
  readonly outward: boolean;
  /** It stands for a method of the protocol, not for a tool of the server's. */
  readonly method?: McpMethod;
}

/** What a server lists. */
export interface ListedTools {
  readonly tools: readonly RemoteTool[];
  /** The list went on where asking for more of it ended. */
  readonly endless: boolean;
}
/** What of it is kept: no more than one server may bring along, in the order of their names. */
export interface OfferedTools extends ListedTools {
  /** How many tools the owner wants are left out. */
  readonly beyond: number;
}

/** Bounds on what one server may bring along. */
const MAX_TOOLS = 256;
const LONGEST_NAME = 256;
const MAX_SCHEMA = 32_768;

/** The tools in one page of `tools/list`. What is no tool, and what can only run as a task, is left out. */
export function readTools(page: Json | undefined): RemoteTool[] {
  const tools = readPath(page, 'tools');
  return (Array.isArray(tools) ? tools : []).flatMap((tool: Json) => {
    const name = readStringAt(tool, 'name');
    if (name === undefined || name === '' || name.length > LONGEST_NAME) return [];
    if (readStringAt(tool, 'execution', 'taskSupport') === 'required') return [];
    return [
      {
        name,
        description: removeInvisible(readStringAt(tool, 'description') ?? readStringAt(tool, 'title') ?? ''),
        input: schemaOf(readPath(tool, 'inputSchema')),
        readOnly: readPath(tool, 'annotations', 'readOnlyHint') === true,
        idempotent: readPath(tool, 'annotations', 'idempotentHint') === true,
        outward: isOutward(readPath(tool, 'annotations')),
      },
    ];
  });
}

/** What the owner wants comes first, then what the server lists first. */
export function selectOfferedTools({ tools, endless }: ListedTools, choice: Pick<ServerConfig, 'include' | 'exclude'>): OfferedTools {
  const chosen = tools.filter(({ name }) => isChosen(name, choice));
  const others = tools.filter(({ name }) => !isChosen(name, choice));
  const kept = [...chosen, ...others].slice(0, MAX_TOOLS);
  return {
    tools: kept.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    beyond: Math.max(0, chosen.length - MAX_TOOLS),
    endless,
  };
}

/** What the owner should know of an offer that is not whole; nothing of one that is. */
export function describeLeftOutTools(server: string, { tools, beyond, endless }: OfferedTools): string | undefined {
  if (beyond > 0)
    return `${endless ? 'at least ' : ''}${beyond} tools of the MCP server ${server} are not available: the limit is ${MAX_TOOLS} per server. To choose tools, set tools.include of the server in mcp_servers.`;
  return endless
    ? `the tool list of the MCP server ${server} does not end; only its first ${tools.length} tools are available.`
    : undefined;
}

/** A tool without hints may do anything; one that reads does so of a closed world unless it says that its world is open. */
const isOutward = (hints: Json | undefined): boolean =>
  readPath(hints, 'readOnlyHint') !== true || readPath(hints, 'openWorldHint') === true || readPath(hints, 'destructiveHint') === true;

/** Tools read back from the cache are checked like those from a server. */
export const parseStoredTools = (stored: Json | undefined): RemoteTool[] =>
  (Array.isArray(stored) ? stored : []).flatMap((tool: Json) => {
    const [name, description, input] = [readStringAt(tool, 'name'), readStringAt(tool, 'description'), readPath(tool, 'input')];
    if (name === undefined || description === undefined || !isObject(input)) return [];
    const [readOnly, idempotent] = [readPath(tool, 'readOnly') === true, readPath(tool, 'idempotent') === true];
    // Written before it was noted: what is not known counts as the worse.
    const method = readStringAt(tool, 'method');
    const found = { name, description, input, readOnly, idempotent, outward: readPath(tool, 'outward') !== false };
    return [isMethod(method) ? { ...found, method } : found];
  });

/** An object's schema whatever came: providers refuse a tool, and with it the whole request, for anything else. */
function schemaOf(schema: Json | undefined): JsonObject {
  if (!isObject(schema)) return ANYTHING;
  const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = cleanSchema(schema);
  const properties = isObject(rest['properties']) ? rest['properties'] : {};
  const whole = { ...rest, type: 'object', properties };
  if (JSON.stringify(whole).length <= MAX_SCHEMA) return whole;
  const terse = withoutProse(whole);
  return JSON.stringify(terse).length <= MAX_SCHEMA ? terse : ANYTHING;
}
export const ANYTHING: JsonObject = { type: 'object', properties: {} };

/** Words for people inside a schema; the rest says what fits. */
const PROSE = new Set(['description', 'title', 'examples', 'default', '$comment']);

/** A schema that says what fits and nothing else. `properties` holds names, which may be called like prose. */
export const withoutProse = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !PROSE.has(key))
      .map(([key, member]) => [key, key === 'properties' && isObject(member) ? eachBare(member) : bare(member)]),
  );
const eachBare = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([key, member]) => [key, bare(member)]));
function bare(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => bare(item) ?? null);
  return isObject(value) ? withoutProse(value) : value;
}

/** Every word a schema holds, names included: all of it reaches the prompt. */
export function collectSchemaWords(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: Json) => collectSchemaWords(item));
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...collectSchemaWords(member)]) : [];
}

import { readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';

/** What servers offer besides tools, as tools: listing and reading resources, listing and filling in prompts. */
export type McpMethod = 'resources/list' | 'resources/read' | 'prompts/list' | 'prompts/get';

interface MethodRow {
  readonly capability: 'resources' | 'prompts';
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  /** The answer in the form of a tool's result. */
  read(result: Json): Json;
}
const text = (words: string): Json => ({ type: 'text', text: words });
const listAt = (value: Json, key: string): readonly Json[] => {
  const list = readPath(value, key);
  return Array.isArray(list) ? list : [];
};
const more = (result: Json): readonly Json[] => {
  const cursor = readStringAt(result, 'nextCursor');
  return cursor === undefined ? [] : [text(`[there are more; ask again with cursor ${JSON.stringify(cursor)}]`)];
};
const PAGED: JsonObject = { type: 'object', properties: { cursor: { type: 'string', description: 'Where the page before ended' } } };

/** One row for each. */
const METHODS: Readonly<Record<McpMethod, MethodRow>> = {
  'resources/list': {
    capability: 'resources',
    name: 'list_resources',
    description: 'List the resources this server offers.',
    input: PAGED,
    read: (result) => ({ content: [...listAt(result, 'resources').map((each) => linkTo(each)), ...more(result)] }),
  },
  'resources/read': {
    capability: 'resources',
    name: 'read_resource',
    description: 'Read a resource of this server by its address.',
    input: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
    read: (result) => ({ content: listAt(result, 'contents').map((resource) => ({ type: 'resource', resource })) }),
  },
  'prompts/list': {
    capability: 'prompts',
    name: 'list_prompts',
    description: 'List the prompts this server offers, with their arguments.',
    input: PAGED,
    read: (result) => ({ content: [...listAt(result, 'prompts').map((each) => text(promptLine(each))), ...more(result)] }),
  },
  'prompts/get': {
    capability: 'prompts',
    name: 'get_prompt',
    description: 'Get a prompt of this server, filled in.',
    input: {
      type: 'object',
      properties: { name: { type: 'string' }, arguments: { type: 'object', additionalProperties: { type: 'string' } } },
      required: ['name'],
    },
    read: (result) => ({ content: listAt(result, 'messages').flatMap(messageBlocks) }),
  },
};

const linkTo = (resource: Json): Json => ({
  type: 'resource_link',
  uri: readStringAt(resource, 'uri') ?? '',
  name: readStringAt(resource, 'title') ?? readStringAt(resource, 'name') ?? '',
  ...(readStringAt(resource, 'description') !== undefined && { description: readStringAt(resource, 'description') }),
  ...(readStringAt(resource, 'mimeType') !== undefined && { mimeType: readStringAt(resource, 'mimeType') }),
});

function promptLine(prompt: Json): string {
  const takes = listAt(prompt, 'arguments').map(
    (each) => `${readStringAt(each, 'name') ?? '?'}${readPath(each, 'required') === true ? '' : '?'}`,
  );
  const about = readStringAt(prompt, 'description') ?? readStringAt(prompt, 'title') ?? '';
  return `${readStringAt(prompt, 'name') ?? '?'}(${takes.join(', ')})${about === '' ? '' : `: ${about}`}\n`;
}

function messageBlocks(message: Json): readonly Json[] {
  const content = readPath(message, 'content');
  return [text(`[${readStringAt(message, 'role') ?? 'message'}]\n`), ...(content === undefined ? [] : [content, text('\n')])];
}

export const isMethod = (word: string | undefined): word is McpMethod => word !== undefined && Object.hasOwn(METHODS, word);
export const toMethodResult = (method: McpMethod, answer: Json): Json => METHODS[method].read(answer);

/** A method as a tool: it only looks. */
export interface MethodTool extends Pick<MethodRow, 'name' | 'description' | 'input'> {
  readonly method: McpMethod;
  readonly readOnly: true;
  readonly idempotent: true;
  readonly outward: false;
}

/** The tools a server has by what it declares. One of its own by the same name goes first. */
export function listMethodTools(
  capabilities: Readonly<Record<string, unknown>> | undefined,
  own: readonly { readonly name: string }[],
): readonly MethodTool[] {
  const taken = new Set(own.map(({ name }) => name));
  return Object.keys(METHODS)
    .filter(isMethod)
    .map((method) => ({ method, ...METHODS[method] }))
    .filter(({ capability, name }) => capabilities?.[capability] !== undefined && !taken.has(name))
    .map(({ method, name, description, input }) => ({
      name,
      description,
      input,
      method,
      readOnly: true,
      idempotent: true,
      outward: false,
    }));
}

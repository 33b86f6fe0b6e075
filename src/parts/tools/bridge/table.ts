import { isObject } from '../../../base/json.ts';
import type { AnyTool } from '../../../contracts/tool.ts';
import { toToolDefinition } from './definition.ts';
import { summarizeTools } from './gist.ts';
import { describeWhenToUse } from './when.ts';

/** How large the tool table of a request may be, and what stays in it whatever happens. */
export interface ToolTableLimits {
  /** `auto`: only when the table would be larger than `maxBytes`. */
  readonly search: 'auto' | 'on' | 'off';
  readonly maxBytes: number;
  /** Tools that are always listed in full. */
  readonly core: ReadonlySet<string>;
  /** Characters the list of what was left out may take. */
  readonly listing: number;
  /** Hits of a search when the call names no number, and at most. */
  readonly hits: { readonly usual: number; readonly most: number };
}

/** The tools listed in full, and those that are only named and found by search. */
export function splitTools(
  tools: readonly AnyTool[],
  { search, maxBytes, core }: ToolTableLimits,
): { shown: AnyTool[]; deferred: AnyTool[] } {
  const deferrable = tools.filter(({ name }) => !core.has(name));
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(toToolDefinition)));
  const whole = search === 'off' || deferrable.length === 0 || (search === 'auto' && bytes <= maxBytes);
  return whole ? { shown: [...tools], deferred: [] } : { shown: tools.filter(({ name }) => core.has(name)), deferred: deferrable };
}

type ListedTool = Pick<AnyTool, 'name' | 'input' | 'description'>;

/**
 * What is left out, as briefly as its number demands: calls and when to make them, calls alone, names, or how many there are.
 * Of a server that is told by names or by number it is also said what its tools are about.
 */
export const listDeferred = (deferred: readonly ListedTool[], room: number): string =>
  shortened(deferred, room, '\n', {
    own: [described, signatures, names, counted],
    remote: [described, signatures, withGist(nameFamily), withGist(counted), counted],
  });

/** The same for those who only want to know what there is. */
export const renderToolNames = (tools: readonly Pick<AnyTool, 'name'>[], room: number): string =>
  shortened(
    tools.map(({ name }) => ({ name, input: {}, description: '' })),
    room,
    ', ',
    { own: [names, counted], remote: [names, counted] },
  );

type ListToolNames = (tools: readonly ListedTool[], between: string) => string;
/** Forms from the longest to the shortest: for tools of our own, and for those of one server. */
type ListForms = Readonly<Record<'own' | 'remote', readonly ListToolNames[]>>;
interface ToolFamily {
  /** Of an MCP server; all tools of our own are one family. */
  readonly server: string | undefined;
  readonly size: number;
  /** From the longest to the shortest. */
  readonly forms: readonly string[];
  level: number;
}

/**
 * One large server must not take the room of all others: servers are shortened one by one, the largest first; then our own
 * tools lose their parameters, then the servers their names, and only then are our own counted.
 */
function shortened(tools: readonly ListedTool[], room: number, between: string, forms: ListForms): string {
  const families = familiesOf(tools, forms, between);
  const own = families.filter(({ server }) => server === undefined);
  let remote = families.filter(({ server }) => server !== undefined);
  const crowded = () => remote.length > 1 && ((remote = [crowd(remote)]), true);
  const steps = [() => shorten(remote), () => shorten(own, 2), crowded, () => shorten(own)];
  const told = (): string => [...own, ...remote].map(textOf).join(between);
  for (const step of steps) while (told().length > room && step());
  return told();
}

const textOf = ({ forms, level }: ToolFamily): string => forms[level] ?? '';

/** The longest one form shorter, as long as it has so many left; whether there was one. */
function shorten(families: readonly ToolFamily[], left = 1): boolean {
  const long = families.filter(({ level, forms }) => level < forms.length - left);
  const largest = long.toSorted((a, b) => textOf(b).length - textOf(a).length)[0];
  if (largest !== undefined) largest.level += 1;
  return largest !== undefined;
}

/** So many servers that even their names are too long. */
function crowd(servers: readonly ToolFamily[]): ToolFamily {
  const size = servers.reduce((sum, family) => sum + family.size, 0);
  return { server: 'mcp', size, forms: [`mcp__* (${size} of ${servers.length} servers)`], level: 0 };
}

function familiesOf(tools: readonly ListedTool[], forms: ListForms, between: string): ToolFamily[] {
  const groups = Map.groupBy(tools, ({ name }) => serverOf(name));
  return [...groups].map(([server, members]) => ({
    server,
    size: members.length,
    forms: forms[server === undefined ? 'own' : 'remote'].map((form) => form(members, between)),
    level: 0,
  }));
}

const serverOf = (name: string): string | undefined => /^mcp__.+?(?=__)/.exec(name)?.[0];

/** More tools than this on one line are told by name alone. */
const MAX_WITH_PARAMETERS = 5;

/** Tools for the same occasion share a line. */
const described: ListToolNames = (tools, between) =>
  [...Map.groupBy(tools, describeWhenToUse)]
    .map(
      ([when, members]) =>
        `${members.length > MAX_WITH_PARAMETERS ? nameFamily(members, between) : members.map(briefly).join(' ')}: ${when}`,
    )
    .join(between);
/** `browser_* (click, type)`, `mcp__github__* (list_issues, get_issue)`: what all names begin with is said once. */
const nameFamily: ListToolNames = (tools) => {
  const [first = ''] = tools.map(({ name }) =>
    serverOf(name) === undefined ? name.slice(0, name.indexOf('_') + 1) : `${serverOf(name)}__`,
  );
  return first !== '' && tools.every(({ name }) => name.startsWith(first))
    ? `${first}* (${tools.map(({ name }) => name.slice(first.length)).join(', ')})`
    : tools.map(({ name }) => name).join(' ');
};
/** With what the tools of a server are about. */
const withGist =
  (form: ListToolNames): ListToolNames =>
  (tools, between) => {
    const gist = summarizeTools(serverOf(tools[0]?.name ?? '') ?? '', tools);
    return gist === '' ? form(tools, between) : `${form(tools, between)}: ${gist}`;
  };
const signatures: ListToolNames = (tools) => tools.map(signature).join(' ');
const names: ListToolNames = (tools, between) => tools.map(({ name }) => name).join(between === '\n' ? ' ' : between);

/** `web_search(query, limit?)`: enough to call most tools at once. */
function signature({ name, input }: ListedTool): string {
  const { properties, required } = input;
  const needed = new Set(Array.isArray(required) ? required : []);
  const parameters = Object.keys(isObject(properties) ? properties : {}).map((key) => (needed.has(key) ? key : `${key}?`));
  return `${name}(${parameters.join(',')})`;
}

/** The same with what must be given; that there is more to say is told by three dots. */
function briefly({ name, input }: ListedTool): string {
  const { properties, required } = input;
  const needed = Array.isArray(required) ? required : [];
  const more = Object.keys(isObject(properties) ? properties : {}).length > needed.length;
  return `${name}(${[...needed, ...(more ? ['...'] : [])].join(',')})`;
}

/** `mcp__github (31)`: by server, or by the first word. */
const counted: ListToolNames = (tools, between) =>
  [...Map.groupBy(tools, ({ name }) => serverOf(name) ?? name.split('_')[0] ?? name)]
    .map(([family, members]) => `${family} (${members.length})`)
    .join(between === '\n' ? ' ' : between);

import { isObject } from '../../../base/json.ts';
import type { AnyTool } from '../../../contracts/tool.ts';
import { leanDefinition } from './definition.ts';

/** How large the tool table of a request may be, and what stays in it whatever happens. */
export interface TableRoom {
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
export function divide(tools: readonly AnyTool[], { search, maxBytes, core }: TableRoom): { shown: AnyTool[]; deferred: AnyTool[] } {
  const deferrable = tools.filter(({ name }) => !core.has(name));
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(leanDefinition)));
  const whole = search === 'off' || deferrable.length === 0 || (search === 'auto' && bytes <= maxBytes);
  return whole ? { shown: [...tools], deferred: [] } : { shown: tools.filter(({ name }) => core.has(name)), deferred: deferrable };
}

/** What is left out, as briefly as its number demands: calls with their parameters, names, or how many there are of each family. */
export function listing(deferred: readonly AnyTool[], room: number): string {
  const forms = [signatures, names, families].map((form) => form(deferred));
  return forms.find((text) => text.length <= room) ?? forms.at(-1) ?? '';
}

const signatures = (tools: readonly AnyTool[]): string => tools.map(signature).join(' ');
const names = (tools: readonly AnyTool[]): string => tools.map(({ name }) => name).join(' ');

/** `web_search(query, limit?)`: enough to call most tools at once. */
function signature({ name, input }: AnyTool): string {
  const { properties, required } = input;
  const needed = new Set(Array.isArray(required) ? required : []);
  const parameters = Object.keys(isObject(properties) ? properties : {}).map((key) => (needed.has(key) ? key : `${key}?`));
  return `${name}(${parameters.join(',')})`;
}

/** `mcp__github: 31 tools`: what stands before the last double underscore, or the first word. */
function families(tools: readonly AnyTool[]): string {
  const counted = new Map<string, number>();
  for (const { name } of tools) {
    const family = /^(.+)__/.exec(name)?.[1] ?? name.split('_')[0] ?? name;
    counted.set(family, (counted.get(family) ?? 0) + 1);
  }
  return [...counted].map(([family, count]) => `${family} (${count})`).join(', ');
}

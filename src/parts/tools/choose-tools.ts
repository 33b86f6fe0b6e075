import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { lazy } from '../../base/lazy.ts';
import type { PromptEpoch } from '../../contracts/prompt.ts';
import type { Toolset } from '../../contracts/tool.ts';
import { createExpansion, expand, TOOLSETS, type FlatToolset } from './toolsets.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { toolSettings } from './settings.ts';
import { describeUnknownName } from '../../base/unknown-name.ts';
import { NOT_FOR_CHILDREN, type ChildLimits } from './child-limits.ts';

/** The tools of one session, by name, and the toolsets that brought them. */
export interface ChosenTools {
  readonly tools: readonly string[];
  readonly toolsets: readonly string[];
  /** These toolsets and every one they include. */
  readonly sets: readonly FlatToolset[];
}
export interface ToolChoiceOptions {
  /** Asked for by name. */
  readonly named?: readonly string[] | undefined;
  /** Of a session that goes on. */
  readonly kept?: Pick<PromptEpoch, 'toolsets'> | undefined;
  readonly platform: string;
  readonly settings: SliceValues<typeof toolSettings>;
  /** An agent that works for another has at most what that one has. */
  readonly child?: ChildLimits;
  /** Sets that are only known now: one per MCP server. */
  readonly more?: readonly Toolset[];
  /** The sets of the host; the built-in ones when left out. */
  readonly sets?: readonly Toolset[];
  /** Those its platform is for, when it says so. */
  readonly usual?: readonly string[] | undefined;
}

/** Flag, else what the session began with, else what the settings say for this platform; less what the owner switched off. */
export function chooseTools({ named, kept, platform, settings, child, more = [], sets: known, usual }: ToolChoiceOptions): ChosenTools {
  const sets = mergeToolsets(settings, more, known);
  const toolsets = named ?? kept?.toolsets ?? usualToolsets(platform, settings, sets, more, usual);
  const expandSets = createExpansion(sets);
  const { tools, sets: met, unknown } = expandSets(toolsets);
  // A session that goes on may name a server that is gone; a person who names one is told.
  if (unknown.length > 0 && kept === undefined) throw new UsageError(describeUnknownToolset(unknown[0] ?? '', sets));
  const off = collectDisabledTools(settings, sets);
  const flat = lazy(() => met.map((name) => ({ name, tools: expandSets([name]).tools })));
  return {
    tools: tools.filter((name) => !off.has(name) && mayHave(name, child)),
    toolsets,
    get sets() {
      return flat();
    },
  };
}

const mayHave = (name: string, child: ChildLimits | undefined): boolean =>
  child === undefined || (child.within.includes(name) && !NOT_FOR_CHILDREN.includes(name));

/** Ours, the owner's own and those of servers; the owner's win. */
export function mergeToolsets(
  settings: SliceValues<typeof toolSettings>,
  more: readonly Toolset[] = [],
  known: readonly Toolset[] = TOOLSETS,
): readonly Toolset[] {
  const own = Object.entries(settings.custom_toolsets).map(([name, value]) => ownToolset(name, value));
  const names = new Set(own.map(({ name }) => name));
  return [...known, ...more].filter(({ name }) => !names.has(name)).concat(own);
}

function ownToolset(name: string, value: unknown): Toolset {
  if (!isObject(value))
    throw new UsageError(`custom_toolsets.${name} is not a table. Write ${name}: {tools: [web_search], includes: [file]}.`);
  const { description = `Your own: ${name}`, tools = [], includes = [] } = value;
  return { name, description: typeof description === 'string' ? description : name, tools: words(tools), includes: words(includes) };
}

const words = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** MCP servers the owner set up are part of every session that does not choose for itself. */
function usualToolsets(
  platform: string,
  settings: SliceValues<typeof toolSettings>,
  sets: readonly Toolset[],
  more: readonly Toolset[],
  forPlatform: readonly string[] | undefined,
): readonly string[] {
  const servers = more.map(({ name }) => name);
  const chosen = settings.platform_toolsets[platform];
  if (chosen !== undefined) return [...words(chosen), ...servers];
  const own = `hermes-${platform.replaceAll('_', '-')}`;
  const usual = forPlatform ?? (platform !== 'cli' && sets.some(({ name }) => name === own) ? [own] : settings.toolsets);
  return [...usual, ...servers];
}

/** Every tool the owner switched off, by its own name or by that of a set. */
export function collectDisabledTools(settings: SliceValues<typeof toolSettings>, sets: readonly Toolset[]): ReadonlySet<string> {
  return new Set(settings['agent.disabled_toolsets'].flatMap((name) => [name, ...expand([name], sets).tools]));
}

/** One of a platform: there are many, and nobody but that platform needs one. */
const PLATFORM_SET = /^hermes-/;

export function describeUnknownToolset(name: string, sets: readonly Toolset[]): string {
  const known = sets.map((set) => set.name);
  const listed = known.filter((each) => !PLATFORM_SET.test(each));
  return describeUnknownName(
    'toolset',
    name,
    known,
    `Known: ${listed.join(', ')}${listed.length < known.length ? ', and hermes-PLATFORM' : ''}.`,
  );
}

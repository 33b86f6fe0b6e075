import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { at, stringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { nearest } from '../../base/text.ts';
import type { AnyTool, Toolset } from '../../contracts/tool.ts';
import { renderTools, type ToolLine } from '../../faces/cli/tools.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { localTerminal } from '../../parts/terminals/local.ts';
import { expand, TOOLSETS } from '../../parts/tools/toolsets.ts';
import { builtinTools } from '../builtins.ts';
import { loadConfig } from '../config.ts';
import { openEngine } from '../context.ts';
import { lastingPlaces } from '../lasting-tools.ts';
import { NO_STORE } from '../no-store.ts';
import { openMcpTools } from '../mcp.ts';
import { openSafety } from '../safety.ts';
import { unasked } from '../preview.ts';
import { guardFiles } from '../../parts/tools/builtin/files/guarded.ts';
import { openOutwardTools } from '../outward-tools.ts';
import { environment } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { makeHome } from '../store.ts';
import { chooseTools, switchedOff, toolsetsOf, unknownToolset } from '../toolsets.ts';

/** Every tool with its toolsets, and whether it is there; with `-t` only those of some toolsets. */
export async function list(flags: JsonFlag & { readonly toolsets?: string; readonly platform?: string }): Promise<number> {
  const home = homeAt(process.env);
  const env = environment(home.env, process.env);
  const config = await loadConfig(home.config, env);
  const known = toolsetsOf(config.settings);
  const chosen = chosenNames(flags, config.settings, known);
  await using terminal = await localTerminal.open({ cwd: process.cwd(), env: {} });
  const ports = { spawn: unasked, complete: unasked, see: unasked, consult: unasked };
  const guard = guardFiles(home.root);
  await using outward = openOutwardTools(config.settings, { terminal, ports, profile: home.root, env, guard });
  const built = builtinTools(config.settings, {
    terminal,
    ports,
    guard,
    outward: outward.tools,
    lasting: lastingPlaces({ home, config, env }),
  });
  const { mcp_servers: servers } = config.settings;
  await using mcp = await openMcpTools({ home, env, cwd: process.cwd(), servers, discoverySeconds: 0, safety: openSafety(home) });
  const engine = await openEngine({ home, config, entries: NO_STORE.entries });
  const own = chosen.tools.length === 0 ? [] : (engine.tools?.() ?? []);
  const brought = flags.toolsets === undefined ? [...own, ...mcp.tools] : own;
  const off = switchedOff(config.settings, known);
  const tools = await Promise.all([
    ...chosen.tools.map((name) => lineOf(name, built.get(name), known, off)),
    ...brought.map((tool) => lineOf(tool.name, tool, known, off)),
  ]);
  const shown = known.filter(({ name }) => (flags.toolsets === undefined ? !isChat(name) : chosen.toolsets.includes(name)));
  const sets = shown.map(({ name, description }) => ({ name, description, tools: expand([name], known).tools }));
  process.stdout.write(`${flags.json === true ? JSON.stringify(tools, undefined, 2) : renderTools(tools, sets)}\n`);
  return 0;
}

/** All there are, those of a flag, or those of a platform. */
function chosenNames(flags: { readonly toolsets?: string; readonly platform?: string }, settings: Settings, known: readonly Toolset[]) {
  if (flags.platform !== undefined && flags.toolsets === undefined) return chooseTools({ platform: flags.platform, settings });
  const toolsets = flags.toolsets === undefined ? ['all'] : flags.toolsets.split(',').map((name) => name.trim());
  const { tools, unknown } = expand(toolsets, known);
  if (unknown.length > 0) throw new UsageError(unknownToolset(unknown[0] ?? '', known));
  return { tools, toolsets };
}

/** Each chat has a set of the same tools; one line for all of them says as much. */
const isChat = (name: string): boolean => TOOLSETS.some((set) => set.name === name && set.includes.includes('hermes-gateway'));

/** Switches toolsets or tools on or off for every session that begins from now on. */
export async function change(names: readonly string[], on: boolean): Promise<number> {
  const home = homeAt(process.env);
  makeHome(home);
  const { settings } = await loadConfig(home.config, environment(home.env, process.env));
  const known = toolsetsOf(settings);
  const words = [...known.map(({ name }) => name), ...expand(['all'], known).tools];
  const stranger = names.find((name) => !words.includes(name) && !settings['agent.disabled_toolsets'].some((off) => off === name));
  if (stranger !== undefined) {
    const guess = nearest(stranger, words);
    throw new UsageError(
      `there is no toolset or tool ${stranger}${guess === undefined ? '' : `; did you mean ${guess}?`} hermes tools list shows them.`,
    );
  }
  const { addToList, takeFromList } = await import('../setting-lists.ts');
  const off = await (on ? takeFromList : addToList)(home.config, 'agent.disabled_toolsets', names);
  const left = off.length === 0 ? 'Nothing is switched off.' : `Switched off: ${off.join(', ')}.`;
  process.stdout.write(`${left} Sessions that go on keep their table; a tool that is switched off no longer answers in them.\n`);
  return 0;
}

async function lineOf(name: string, tool: AnyTool | undefined, known: readonly Toolset[], off: ReadonlySet<string>): Promise<ToolLine> {
  const toolsets = known.filter((set) => !isChat(set.name) && expand([set.name], known).tools.includes(name)).map((set) => set.name);
  if (tool === undefined)
    return {
      name,
      description: '',
      toolsets,
      available: false,
      reason: 'it is not part of this version',
      effects: 'depends',
      replay: 'never',
    };
  const reason = off.has(name) ? `you switched it off; hermes tools enable ${name} brings it back` : await whyAbsent(tool);
  const { description, replay } = tool;
  return {
    name,
    description,
    toolsets,
    available: reason === undefined,
    ...(reason !== undefined && { reason }),
    effects: effectsOf(tool),
    replay,
  };
}

/** A check that throws says why; one that says no is explained by what the tool declares to need. */
async function whyAbsent(tool: AnyTool): Promise<string | undefined> {
  try {
    return tool.available === undefined || (await tool.available())
      ? undefined
      : `it needs ${inSentence(tool.needs ?? 'something that is not set up here')}`;
  } catch (error) {
    return messageOf(error);
  }
}

/** A sentence of its own becomes part of one; names stay as they are. */
const inSentence = (words: string): string => words.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase()).replace(/\.$/, '');

/** Asked with made-up arguments: a tool whose effects hang on them cannot say. */
function effectsOf(tool: AnyTool): ToolLine['effects'] {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made up to fit the tool's schema
    return tool.effects(madeUp(tool.input) as never).kind;
  } catch {
    return 'depends';
  }
}

/** A value of the right type for every required argument. */
function madeUp(schema: JsonObject): JsonObject {
  const required = at(schema, 'required');
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(
    names.map((name) => [
      name,
      at(schema, 'properties', name, 'enum', 0) ?? EXAMPLE[stringAt(schema, 'properties', name, 'type') ?? 'string'] ?? null,
    ]),
  );
}
const EXAMPLE: Readonly<Record<string, Json>> = { string: 'x', integer: 1, number: 1, boolean: false, array: [], object: {} };

import { messageOf, UsageError } from '../../base/errors.ts';
import { homeAt } from '../../base/home.ts';
import { at, stringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { nearest } from '../../base/text.ts';
import type { AnyTool } from '../../contracts/tool.ts';
import { renderTools, type ToolLine } from '../../faces/cli/tools.ts';
import type { JsonFlag } from '../../faces/cli/verbs.ts';
import { localTerminal } from '../../parts/terminals/local.ts';
import { expand, TOOLSETS } from '../../parts/tools/toolsets.ts';
import { builtinTools } from '../builtins.ts';
import { loadConfig } from '../config.ts';
import { lastingPlaces } from '../lasting-tools.ts';
import { environment } from '../secrets.ts';

/** Every tool with its toolsets, and whether it is there; with `-t` only those of some toolsets. */
export async function list(flags: JsonFlag & { readonly toolsets?: string }): Promise<number> {
  const home = homeAt(process.env);
  const env = environment(home.env, process.env);
  const config = await loadConfig(home.config, env);
  const wanted = flags.toolsets === undefined ? ['all'] : flags.toolsets.split(',').map((name) => name.trim());
  const { tools: names, unknown } = expand(wanted);
  if (unknown.length > 0) throw new UsageError(unknownToolset(unknown[0] ?? ''));
  await using terminal = await localTerminal.open({ cwd: process.cwd(), env: {} });
  const built = builtinTools(config.settings, { terminal, ports: {}, profile: home.root, lasting: lastingPlaces({ home, config, env }) });
  const tools = await Promise.all(names.map((name) => lineOf(name, built.get(name))));
  const shownSets = flags.toolsets === undefined ? TOOLSETS : TOOLSETS.filter(({ name }) => wanted.includes(name));
  const sets = shownSets.map(({ name, description }) => ({ name, description, tools: expand([name]).tools }));
  process.stdout.write(`${flags.json === true ? JSON.stringify(tools, undefined, 2) : renderTools(tools, sets)}\n`);
  return 0;
}

function unknownToolset(name: string): string {
  const known = TOOLSETS.map((set) => set.name);
  const guess = nearest(name, known);
  return `there is no toolset ${name}${guess === undefined ? '' : `; did you mean ${guess}?`} Known: ${known.join(', ')}.`;
}

async function lineOf(name: string, tool: AnyTool | undefined): Promise<ToolLine> {
  const toolsets = TOOLSETS.filter((set) => expand([set.name]).tools.includes(name)).map((set) => set.name);
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
  const reason = await whyAbsent(tool);
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
      : `it needs ${tool.needs ?? 'something that is not set up here'}`;
  } catch (error) {
    return messageOf(error);
  }
}

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

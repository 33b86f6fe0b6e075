import { toErrorMessage } from '../../base/errors.ts';
import { readPath, readStringAt } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json-types.ts';
import { toSentencePart } from '../../base/text.ts';
import type { AnyTool, Toolset } from '../../contracts/tool.ts';
import type { ToolLine } from '../../contracts/services/tools.ts';
import { expand, TOOLSETS } from './toolsets.ts';
import { listDisablingNames } from './switched-tools.ts';

export interface LineOptions {
  readonly known: readonly Toolset[];
  /** What the owner switched off. */
  readonly off: readonly string[];
  /** Whether the toolsets of the next session bring it. */
  isChosen(name: string): boolean;
}

/** A tool as the owner sees it; one that is only a name is not part of this version. */
export async function toToolLine(name: string, tool: AnyTool | undefined, { known, off, isChosen }: LineOptions): Promise<ToolLine> {
  const toolsets = known.filter((set) => !isChat(set.name) && expand([set.name], known).tools.includes(name)).map((set) => set.name);
  if (tool === undefined)
    return {
      name,
      description: '',
      toolsets,
      inSession: false,
      available: false,
      reason: 'it is not part of this version',
      effects: 'depends',
      replay: 'never',
    };
  const reason = whyOff(name, listDisablingNames(name, off, known)) ?? (await whyAbsent(tool));
  const { description, replay } = tool;
  return {
    name,
    description,
    toolsets,
    inSession: reason === undefined && isChosen(name),
    available: reason === undefined,
    ...(reason !== undefined && { reason }),
    effects: effectsOf(tool),
    replay,
  };
}

/** Each chat has a set of the same tools; one line for all of them says as much. */
export const isChat = (name: string): boolean => TOOLSETS.some((set) => set.name === name && set.includes.includes('hermes-gateway'));

/** A set's other tools stay off when one of them is brought back. */
function whyOff(name: string, by: readonly string[]): string | undefined {
  const sets = by.filter((each) => each !== name);
  if (by.length === 0) return undefined;
  if (sets.length === 0) return `you switched it off; hermes tools enable ${name} brings it back`;
  return `you switched off ${sets.join(' and ')}; hermes tools enable ${name} brings back this one, enable ${sets.join(' ')} all of it`;
}

/** A check that throws says why; one that says no is explained by what the tool declares to need. */
async function whyAbsent(tool: AnyTool): Promise<string | undefined> {
  try {
    return tool.available === undefined || (await tool.available())
      ? undefined
      : `it needs ${toSentencePart(tool.needs ?? 'something that is not set up here')}`;
  } catch (error) {
    return toErrorMessage(error);
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
  const required = readPath(schema, 'required');
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(
    names.map((name) => [
      name,
      readPath(schema, 'properties', name, 'enum', 0) ?? EXAMPLE[readStringAt(schema, 'properties', name, 'type') ?? 'string'] ?? null,
    ]),
  );
}
const EXAMPLE: Readonly<Record<string, Json>> = { string: 'x', integer: 1, number: 1, boolean: false, array: [], object: {} };

import { toErrorMessage } from '../../base/errors.ts';
import { isBrokenOff } from '../../base/json-in-text.ts';
import { parseJson } from '../../base/json.ts';
import type { Json, ToolCall } from '../../contracts/message.ts';
import type { AnyTool, ResolvedCall } from '../../contracts/tool.ts';
import { TOOL_CALL, unwrapCall } from './bridge/call.ts';
import { renderToolNames } from './bridge/table.ts';
import { translateAliasedInput, findAliasedName } from './aliases.ts';
import { dropStrays, repairInput } from './repair-input.ts';
import { suggestNames, repairName } from './repair-name.ts';

/** The tools of a session, and those we know that are not there, each with the reason. */
export interface ToolTable {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly absent: ReadonlyMap<string, string>;
}

/** What a call means: its tool with fitting arguments, or in words what is wrong with it. */
export function resolve(call: ToolCall, shelf: ToolTable): ResolvedCall {
  const known = [...shelf.tools.keys(), ...shelf.absent.keys()];
  const spelt = repairName(call.name, known);
  const meant = spelt ?? findAliasedName(call.name, call.input, known);
  const tool = meant === undefined ? undefined : shelf.tools.get(meant);
  if (tool?.name === TOOL_CALL && call.malformed === undefined) return resolveInner(call, shelf);
  if (tool === undefined) return notThere(call, meant, shelf);
  if (call.malformed !== undefined) return { ok: false, call, problem: 'malformed_json', meant: tool.name, words: brokenJson(call) };
  const given = spelt === undefined ? translateAliasedInput(call.name, call.input) : call.input;
  const repaired = repairInput(tool.input, given);
  if (!repaired.ok) {
    const loose = withoutStrays(call, tool, given);
    if (loose !== undefined) return loose;
    const words = `Not run: ${repaired.problems.map((problem) => explain(problem, tool)).join('; ')}.`;
    return { ok: false, call, problem: 'invalid_input', meant: tool.name, words };
  }
  const { input } = repaired;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  return { ok: true, call, tool, input, effects: tool.effects(input as never) };
}

/** A tool that only reads can do without what it does not know, and says what it left out; one that acts must not guess. */
function withoutStrays(call: ToolCall, tool: AnyTool, given: Json): ResolvedCall | undefined {
  const { input: rest, dropped } = dropStrays(tool.input, given);
  const repaired = dropped.length === 0 ? undefined : repairInput(tool.input, rest);
  if (repaired?.ok !== true) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fitted to the tool's own schema
  const effects = tool.effects(repaired.input as never);
  if (effects.kind !== 'read') return undefined;
  return { ok: true, call, tool, input: repaired.input, effects, note: `[Ignored: ${dropped.join('; ')}.]` };
}

/** The tool behind `tool_call`, under the id and name the model used. */
function resolveInner(call: ToolCall, shelf: ToolTable): ResolvedCall {
  const inner = unwrapCall(call);
  const words = 'Not run: tool_call needs the name of a tool and its arguments.';
  if (inner === undefined || inner.name === TOOL_CALL) return { ok: false, call, problem: 'invalid_input', words };
  return { ...resolve(inner, shelf), call };
}

/** One we know is told why it is not there; of any other it is only said what there is. */
function notThere(call: ToolCall, meant: string | undefined, { tools, absent }: ToolTable): ResolvedCall {
  const why = meant === undefined ? undefined : absent.get(meant);
  if (meant === undefined || why === undefined) return { ok: false, call, problem: 'unknown_tool', words: unknownTool(call.name, tools) };
  const words = `Not run: ${meant} is not available in this session: ${why}. Go on without it, or tell the user what is missing.`;
  return { ok: false, call, problem: 'absent_tool', meant, words };
}

/** Characters for what there is. */
const NAMED = 2_000;

/** A blank name gets no catalogue: weak models take one as something to recite. */
function unknownTool(name: string, tools: ReadonlyMap<string, AnyTool>): string {
  if (name.trim() === '') return 'Not run: the call named no tool.';
  const near = suggestNames(name, [...tools.keys()]);
  const guess = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  const all = [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `Not run: there is no tool named ${name}.${guess} There are: ${renderToolNames(all, NAMED)}.`;
}

/** A parameter that is missing may have words of its own. */
function explain(problem: string, tool: AnyTool): string {
  const words = Object.entries(tool.whenMissing ?? {}).find(([name]) => problem === `${name} is missing`)?.[1];
  return words === undefined ? problem : `${problem}: ${words}`;
}

function brokenJson({ name, malformed = '' }: ToolCall): string {
  const end = `${malformed.length} characters, ending in ${JSON.stringify(malformed.slice(-40))}`;
  if (isBrokenOff(malformed))
    return `Not run: the arguments of ${name} were not complete JSON (${end}). Send them again; split very long contents over several calls.`;
  const parsed = parseJson(malformed);
  const what = parsed === undefined ? `were not JSON (${describeJsonError(malformed)})` : `were ${describeJson(parsed)}`;
  return `Not run: the arguments of ${name} ${what}. Send one JSON object with the parameters, and nothing before or after it.`;
}

const describeJson = (value: Json): string =>
  Array.isArray(value) ? `a list of ${value.length}, not an object` : `a ${typeof value}, not an object`;

function describeJsonError(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return toErrorMessage(error);
  }
}

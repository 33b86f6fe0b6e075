import { findJsonObject } from '../../../base/json-in-text.ts';
import { isObject, parseJson } from '../../../base/json.ts';
import type { Json, NativeData, ToolCall } from '../../../contracts/message.ts';
import { shortHash } from './wire.ts';

/** A tool call as the wire gave it. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly native?: NativeData;
}

/**
 * Calls with usable ids and parsed arguments. An id that is missing is made from the call and its place (`seed` is the place of the
 * message in the transcript, so that the same call made again later gets another id); one that is repeated gets a suffix.
 */
export function settleCalls(calls: readonly RawCall[], seed: number): readonly ToolCall[] {
  const used = new Set<string>();
  return calls.map((call, index) => {
    const id = unused(call.id.trim() === '' ? madeId(call, index, seed) : call.id, used);
    used.add(id);
    const native = call.native === undefined ? {} : { native: call.native };
    return { type: 'tool_call', id, name: call.name, ...parseArguments(call.args), trust: 'model', ...native };
  });
}

const madeId = (call: RawCall, index: number, seed: number): string =>
  `call_${shortHash(JSON.stringify([call.name, call.args, index, seed]), 24)}`;

function unused(id: string, used: ReadonlySet<string>): string {
  let candidate = id;
  for (let copy = 2; used.has(candidate); copy++) candidate = `${id}_d${copy}`;
  return candidate;
}

/**
 * Reads arguments kindly: nothing means none. An object that is wrapped in a JSON string, in a list of its own or in a fence is
 * unwrapped, and words around it are left out.
 */
export function parseArguments(raw: string): { readonly input: Json; readonly malformed?: string } {
  if (raw.trim() === '') return { input: {} };
  const outer = parseJson(raw);
  const value = typeof outer === 'string' ? (outer.trim() === '' ? null : parseJson(outer)) : outer;
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (isObject(only)) return { input: only };
  if (value === null) return { input: {} };
  const found = value === undefined ? findJsonObject(typeof outer === 'string' ? outer : raw) : undefined;
  return found === undefined ? { input: {}, malformed: raw } : { input: found };
}

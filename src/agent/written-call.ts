import { isObject, parseJson } from '../base/json.ts';

/** Marks of chat templates for a call, with the name of the tool behind them. */
const MARKED = /<(?:\|?tool_calls?\|?|function_calls?|tool_use|invoke|function)\b[^>]{0,80}>?|\[TOOL_CALLS?\]|<function=/i;
/** A fence that the reply ends with. */
const LAST_FENCE = /```(?:json|tool_call|tool_code)?\s*\n([\s\S]{2,20000}?)\n?```\s*$/;

/**
 * Whether a reply writes a call of one of these tools as text where it should have made it: in the marks of some chat template, or as JSON in
 * a fence at its end. Nothing is ever run from text; it only says that asking again is worth it.
 */
export function isWrittenCall(words: string, tools: readonly string[]): boolean {
  const mark = MARKED.exec(words);
  if (mark !== null && tools.some((name) => namedIn(words.slice(mark.index, mark.index + 500), name))) return true;
  const fenced = LAST_FENCE.exec(words)?.[1];
  return fenced !== undefined && isCall(parseJson(fenced), tools);
}

const namedIn = (text: string, name: string): boolean => new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`).test(text);

/** `{name, arguments}` in the spellings that are about, or a list of them. */
function isCall(value: unknown, tools: readonly string[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isCall(item, tools));
  if (!isObject(value)) return false;
  const inner = isObject(value['function']) ? value['function'] : value;
  const name = inner['name'] ?? inner['tool'] ?? inner['tool_name'];
  const given = ['arguments', 'parameters', 'input', 'args'].some((key) => inner[key] !== undefined);
  return typeof name === 'string' && tools.includes(name) && given;
}

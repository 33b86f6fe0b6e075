import { isObject, parseJson } from '../base/json.ts';
import type { Json } from '../contracts/message.ts';
import type { ToolDefinition } from '../contracts/provider.ts';

/** What stands between the brackets of a mark: `<|…|>`, and the wide bar and low line that some templates use for it. */
const BAR = '[|｜]';
const LOW = '[_▁]';
const QUOTED = `["']NAME["']`;

/**
 * How chat templates write a call; `NAME` stands for the names of the tools. Each wants the name where the template has it: a mark alone,
 * or a name somewhere near it, is a sentence about calls.
 */
const FORMS = [
  // <tool_call>{"name": "x"…, [TOOL_CALLS] [{"name": "x"…, <|python_tag|>{…, <tool_use>{…
  `(?:<${BAR}?(?:tool_calls?|function_calls?|tool_use|python_tag)${BAR}?>|\\[TOOL_CALLS?\\])\\s*\\[?\\s*\\{[^{}]{0,120}"(?:name|tool_name)"\\s*:\\s*"NAME"`,
  // <tool_call>x\n<arg_key>…, <tool_call>x\n{…, [TOOL_CALLS]x[ARGS]{…
  `(?:<tool_call>|\\[TOOL_CALLS?\\])\\s*NAME\\s*(?:<arg_key>|\\[ARGS\\]|\\{)`,
  // <function=x>, <invoke name="x"><parameter…
  `<function=NAME>\\s*(?:<|\\{)`,
  `<(?:invoke|function|tool_use|tool_call)\\s+name=${QUOTED}\\s*>\\s*(?:<|\\{)`,
  // DeepSeek and Kimi
  `<${BAR}tool${LOW}call${LOW}begin${BAR}>\\s*(?:function<${BAR}tool${LOW}sep${BAR}>|functions\\.)?\\s*NAME(?=[\\s<:{]|$)`,
  // Harmony
  `to=functions\\.NAME\\b[^{]{0,80}<\\|message\\|>`,
  // ReAct
  `^Action:[ \\t]*NAME[ \\t]*\\n+Action Input:`,
] as const;

/** `[x(a="b")]` as the whole reply, and `print(default_api.x(…))` in a fence of its own kind. */
const PYTHON = `^\\[?\\s*(?:print\\()?(?:default_api\\.|functions\\.)?NAME\\((?:\\w+\\s*=|\\))[\\s\\S]*\\)\\s*\\]?$`;
const CODE_LABELS: ReadonlySet<string> = new Set(['tool_code', 'tool_call']);

const FENCE = /```([\w-]*)[ \t]*\n([\s\S]*?)(?:\n?```|$)/g;
/** A fence that the reply ends with. */
const LAST_FENCE = /```(json|tool_call|tool_code|)[ \t]*\n((?:(?!```)[\s\S]){2,20000})\n?```\s*$/;
const MAX_READ_CHARS = 50_000;
/** Some of this is in every form there is; most answers have nothing of it, and no form is made for them. */
const MAY_CALL = /[<[{(]|^Action:/im;

/**
 * Whether a reply writes a call of one of these tools as text where it should have made it: in the form of some chat template, as the whole
 * reply, or in a fence at its end. What stands in code is quoted, not called. Nothing is ever run from text; it only says that asking again
 * is worth it.
 */
export function isWrittenCall(words: string, tools: readonly ToolDefinition[]): boolean {
  if (tools.length === 0 || words.length > MAX_READ_CHARS || !MAY_CALL.test(words)) return false;
  const bare = words.trim();
  if (formOf(tools).test(withoutCode(words)) || tagOf(tools).test(withoutCode(words))) return true;
  if (isCallText(bare, tools) || pythonOf(tools).test(bare)) return true;
  const [, label = '', fenced = ''] = LAST_FENCE.exec(words) ?? [];
  return isCallText(fenced, tools) || (CODE_LABELS.has(label) && pythonOf(tools).test(fenced.trim()));
}

/** What a reply says beside the calls that are written in it: everything before the first. */
export function stripWrittenCalls(words: string, tools: readonly ToolDefinition[]): string {
  const starts = [formOf(tools), tagOf(tools), LAST_FENCE].map((form) => form.exec(words)?.index ?? words.length);
  return isCallText(words.trim(), tools) ? '' : words.slice(0, Math.min(...starts)).trim();
}

const namesOf = (tools: readonly ToolDefinition[]): string => `(?:${tools.map(({ name }) => RegExp.escape(name)).join('|')})`;
const formOf = (tools: readonly ToolDefinition[]): RegExp => new RegExp(FORMS.join('|').replaceAll('NAME', namesOf(tools)), 'im');
const pythonOf = (tools: readonly ToolDefinition[]): RegExp => new RegExp(PYTHON.replaceAll('NAME', namesOf(tools)));

/** `<x><parameter>…`: the tool's name as a tag around the name of one of its parameters, closed by itself. */
function tagOf(tools: readonly ToolDefinition[]): RegExp {
  const forms = tools.flatMap(({ name, input }) => {
    const inner = parametersOf(input).map((parameter) => RegExp.escape(parameter));
    const tag = RegExp.escape(name);
    return inner.length === 0 ? [] : [`<${tag}>\\s*<(?:${inner.join('|')})>[\\s\\S]*</${tag}>`];
  });
  return new RegExp(forms.length === 0 ? '(?!)' : forms.join('|'));
}

/** Without inline code and without fences, but for one at the very end: what a model was about to do stands there. */
function withoutCode(words: string): string {
  const plain = words.replace(FENCE, (fence: string, label: string, body: string, index: number) =>
    words.slice(index + fence.length).trim() === '' && label !== 'diff' ? body : '',
  );
  return plain.replace(/`[^`\n]*`/g, '');
}

/** One call in JSON, a list of them, or one on each line. */
function isCallText(text: string, tools: readonly ToolDefinition[]): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  const whole = parseJson(text);
  if (whole !== undefined) return isCall(whole, tools);
  const lines = text.split(/;?\s*\n/).filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => isCall(parseJson(line), tools));
}

const NAMES = ['name', 'tool', 'tool_name', 'function', 'action'] as const;
const ARGUMENTS = ['arguments', 'parameters', 'input', 'args', 'action_input', 'tool_input'] as const;

/** `{name, arguments}` in the spellings that are about, or a list of them; the arguments are some of this tool. */
function isCall(value: Json | undefined, tools: readonly ToolDefinition[]): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item: Json) => isCall(item, tools));
  if (!isObject(value)) return false;
  const call = isObject(value['function']) ? value['function'] : value;
  const tool = tools.find(({ name }) => NAMES.some((key) => call[key] === name));
  const given = ARGUMENTS.map((key) => call[key]).find((each) => each !== undefined);
  const args = typeof given === 'string' ? parseJson(given) : given;
  return tool !== undefined && isObject(args) && fits(args, tool);
}

/** A definition has arguments too: `type` and `properties`, which are none of the tool's. */
function fits(args: Readonly<Record<string, unknown>>, { input }: ToolDefinition): boolean {
  const known = new Set(parametersOf(input));
  const keys = Object.keys(args);
  return keys.length === 0 || keys.some((key) => known.has(key));
}

const parametersOf = (input: ToolDefinition['input']): readonly string[] => {
  const { properties } = input;
  return isObject(properties) ? Object.keys(properties) : [];
};

import { clip } from '../../../../base/text.ts';
import { isObject } from '../../../../base/json.ts';
import { joinTextBlocks, type Json, type ToolCall, type ToolMessage } from '../../../../contracts/message.ts';

/** Arguments that name what a call was about, the most telling first. */
const TARGETS = ['path', 'file_path', 'command', 'pattern', 'query', 'url', 'name', 'session_id', 'action', 'task', 'goal'];
const TARGET_LENGTH = 120;
const QUOTE_LENGTH = 160;

const EXIT_CODE = /(?:\bexit(?:ed with)?[ _]?code"?\s*[:=]?\s*|\bexit status )(-?\d+)/i;
const TROUBLE =
  /\b\w*(?:error|exception|failure|fatal|panic|traceback|refused|denied|rejected|unable|timed out|not found|cannot|fehler)\b|\bfailed\b|\bE[A-Z]{4,}\b/i;

/** A tool result in one line: which tool, at what, and how it went. */
export function describeToolResult(result: ToolMessage, call: ToolCall | undefined): string {
  const target = describeCallTarget(call);
  return `${result.name}${target === '' ? '' : ` ${target}`} → ${outcomeOf(result)}`;
}

/** What a call was about: the value of its most telling argument, or its first short one. */
export function describeCallTarget(call: ToolCall | undefined): string {
  const input = call?.input;
  if (!isObject(input)) return '';
  const named = TARGETS.flatMap((key) => nonBlank(input[key]))[0];
  const found = named ?? Object.values(input).flatMap((value) => nonBlank(value))[0] ?? '';
  return clip(collapseWhitespace(found), TARGET_LENGTH, () => '…');
}

const nonBlank = (value: Json | undefined): string[] => (typeof value === 'string' && value.trim() !== '' ? [value] : []);

function outcomeOf(result: ToolMessage): string {
  const body = joinTextBlocks(result);
  const lines = body.split('\n').filter((line) => line.trim() !== '');
  const exit = EXIT_CODE.exec(body.slice(-400))?.[1] ?? EXIT_CODE.exec(body.slice(0, 400))?.[1];
  const images = result.content.filter(({ type }) => type === 'image').length;
  return [
    result.failed ? 'failed' : 'ok',
    ...(exit === undefined ? [] : [`exit ${exit}`]),
    `${lines.length} ${lines.length === 1 ? 'line' : 'lines'}, ${body.length} characters`,
    ...(images === 0 ? [] : [`${images} ${images === 1 ? 'image' : 'images'}`]),
    // What came from outside is counted, not quoted: a quote would carry its orders along.
    ...(result.content.some(({ trust }) => trust === 'foreign') ? ['from outside'] : quotes(lines)),
  ].join(', ');
}

/** The first line that tells of trouble, or else the last one: that is where programs put their verdict. */
function quotes(lines: readonly string[]): string[] {
  const trouble = lines.find((line) => TROUBLE.test(line.slice(0, 400)));
  const last = lines.at(-1);
  const picked = trouble === undefined ? [last] : [trouble, ...(last === trouble ? [] : [last])];
  return picked.flatMap((line) => (line === undefined ? [] : [`"${clip(collapseWhitespace(line), QUOTE_LENGTH, () => '…')}"`]));
}

export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim();

import { isObject, parseJson } from '../../../base/json.ts';
import { clip, takeStart } from '../../../base/text.ts';
import { formatWhole } from '../../../base/screen/figures.ts';
import type { TrajectoryCall, TrajectoryMessage } from '../../../contracts/environment.ts';
import { markup, type Markup } from '../../../commands/page-markup.ts';
import { drawFolded } from '../../../commands/page-tables.ts';

/** Longer texts are shown with their beginning and their end. */
const MAX_TEXT = 6_000;
/** Names of tools that a model made up can be of any length. */
const MAX_NAME = 80;
/** Input with more values than any tool takes is shown as it came. */
const MAX_VALUES = 20;
const shorten = (text: string): string => clip(text, MAX_TEXT, (omitted) => `\n… ${formatWhole(omitted)} characters left out …\n`);

/** What was said in an attempt. A result stands with the call that it answers. */
export function drawConversation(messages: readonly TrajectoryMessage[]): Markup {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id ?? '', message] as const] : [])));
  const asked = new Set(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)));
  return markup`<div class="talk">${messages.map((message) => {
    if (message.role !== 'tool') return drawMessage(message, results);
    // A result that no call stands for is told, not hidden.
    return asked.has(message.tool_call_id ?? '')
      ? undefined
      : drawFolded(markup`<code>${message.name ?? 'tool'}</code> result`, drawText(message.content), 'call');
  })}</div>`;
}

const WHO: Readonly<Record<TrajectoryMessage['role'], string>> = {
  system: 'System prompt',
  user: 'Task',
  assistant: 'Model',
  tool: 'Tool',
};

function drawMessage(message: TrajectoryMessage, results: ReadonlyMap<string, TrajectoryMessage>): Markup {
  const { role, content, reasoning_content: thought, tool_calls: calls = [] } = message;
  return markup`<div class="said ${role}"><span class="who">${WHO[role]}</span><div>${thought === undefined ? undefined : drawFolded('Thinking', drawText(thought), 'thinking')}${content.trim() === '' ? undefined : markup`<p class="text">${shorten(content)}</p>`}${calls.map((call) => drawCall(call, results.get(call.id)))}</div></div>`;
}

function drawCall({ function: { name, arguments: given } }: TrajectoryCall, result: TrajectoryMessage | undefined): Markup {
  const line = markup`<code>${takeStart(name, MAX_NAME)}</code> <span class="faint">${summarizeInput(given)}</span>${result === undefined ? markup` <span class="bad">no result</span>` : undefined}`;
  return drawFolded(
    line,
    [drawInput(given), result === undefined ? undefined : [markup`<p class="label">result</p>`, drawText(result.content)]],
    'call',
  );
}

/** As a person would write it: a command or the text of a file as it is, and not as JSON spells it. */
function drawInput(given: string): readonly Markup[] {
  const input = parseJson(given);
  const values = isObject(input) ? Object.entries(input) : [];
  if (values.length === 0 || values.length > MAX_VALUES) return [markup`<p class="label">input</p>`, drawText(given)];
  return values.flatMap(([name, value]) => [
    markup`<p class="label">${takeStart(name, MAX_NAME)}</p>`,
    drawText(typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)),
  ]);
}

/** The first text among the arguments says most of it. */
function summarizeInput(given: string): string {
  const input = parseJson(given);
  const first = isObject(input) ? Object.values(input).find((value) => typeof value === 'string') : undefined;
  const words = (typeof first === 'string' ? first : given).replaceAll(/\s+/g, ' ').trim();
  return words.length > 110 ? `${words.slice(0, 109)}…` : words;
}

const drawText = (text: string): Markup => markup`<pre>${shorten(text)}</pre>`;

export const CONVERSATION_STYLE = `
.talk { border-top: 1px solid var(--line); margin: .5rem 0 0; padding: .6rem 0 .2rem; display: grid; gap: .5rem; }
.said { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .8rem; }
.said .who { color: var(--faint); font-size: .8rem; text-align: right; padding-top: .1rem; }
.said.user .who { color: var(--accent); }
.said .text { margin: 0; white-space: pre-wrap; }
.said.user .text { background: var(--mark); border-radius: 8px; padding: .45rem .7rem; }
.talk details { margin: .2rem 0; }
.talk details.call { border-left: 3px solid var(--line); padding-left: .7rem; }
.talk details.thinking { color: var(--faint); font-style: italic; }
.talk summary code { color: var(--ink); }
.label { color: var(--faint); font-size: .78rem; margin: .5rem 0 .1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .82rem/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; margin: .2rem 0; max-height: 26rem; overflow: auto; font-style: normal; }
code { font: .85rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media (max-width: 40rem) { .said { grid-template-columns: 1fr; gap: 0; } .said .who { text-align: left; } }
`;

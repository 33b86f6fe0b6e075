import type { JsonObject } from '../../../../base/json-types.ts';
import type { Run, RunEvent } from '../../../../contracts/run-store.ts';
import type { ClientCall } from '../runs/client-tools.ts';
import { isHeldBack } from '../runs/judge-end.ts';
import { toKnownEvent, type RunEventData } from '../runs/run-events.ts';

/** Output items of a response, each at its place. */
export type ResponseItem = MessageItem | ToolItem | CallItem | CallOutputItem;
interface MessageItem {
  readonly type: 'message';
  readonly index: number;
  readonly text: string;
  readonly status: 'in_progress' | 'completed' | 'incomplete';
}
/** A tool of ours, as clients show it and do not run it. */
interface ToolItem {
  readonly type: 'mcp_call';
  readonly index: number;
  readonly call: RunEventData['tool.started'];
  readonly result?: RunEventData['tool.completed'];
}
/** A call that the client is to run, or a tool of ours in the other form. */
interface CallItem {
  readonly type: 'function_call';
  readonly index: number;
  readonly call: Omit<ClientCall, 'id'>;
}
interface CallOutputItem {
  readonly type: 'function_call_output';
  readonly index: number;
  readonly result: RunEventData['tool.completed'];
}

/** An item as it stands in the output. Ids are made of the response and the place. */
export function toOutputItem(item: ResponseItem, responseId: string): JsonObject {
  const id = `${PREFIXES[item.type]}_${responseId.slice('resp_'.length)}${item.index}`;
  switch (item.type) {
    case 'message':
      return {
        id,
        type: item.type,
        role: 'assistant',
        status: item.status,
        content: item.status === 'in_progress' ? [] : [toTextPart(item.text)],
      };
    case 'mcp_call':
      return { id, type: item.type, ...describeTool(item) };
    case 'function_call':
      return { id, type: item.type, call_id: item.call.call_id, name: item.call.name, arguments: item.call.arguments, status: 'completed' };
    case 'function_call_output':
      return {
        id,
        type: item.type,
        call_id: item.result.call_id,
        output: item.result.output,
        status: item.result.error ? 'incomplete' : 'completed',
      };
  }
}
const PREFIXES: Readonly<Record<ResponseItem['type'], string>> = {
  message: 'msg',
  mcp_call: 'mcp',
  function_call: 'fc',
  function_call_output: 'fco',
};

export const toTextPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const describeTool = ({ call, result }: ToolItem): JsonObject => ({
  server_label: 'hermes',
  name: call.tool,
  arguments: call.arguments,
  approval_request_id: null,
  output: result === undefined || result.error ? null : result.output,
  error: result?.error === true ? result.output : null,
  status: result === undefined ? 'in_progress' : result.error ? 'failed' : 'completed',
});

export interface ItemsSoFar {
  readonly items: readonly ResponseItem[];
  /** What the last event did, in order. */
  readonly changes: readonly ItemChange[];
}
export type ItemChange =
  | { readonly what: 'added' | 'done'; readonly item: ResponseItem }
  | { readonly what: 'delta'; readonly item: ResponseItem; readonly delta: string };
export const NO_ITEMS: ItemsSoFar = { items: [], changes: [] };

/** What an event makes of the output of a run. A message that is written anew leaves the one before as it was, marked incomplete. */
export function addItems(so: ItemsSoFar, event: RunEvent, { request }: Pick<Run, 'request'>): ItemsSoFar {
  const known = toKnownEvent(event);
  switch (known.type) {
    case 'message.delta':
      return isHeldBack(request) ? unchanged(so) : extendMessage(so, known.data.delta);
    case 'message.completed':
    case 'message.discarded':
      return closeMessage(so, known.type === 'message.completed' ? 'completed' : 'incomplete');
    case 'tool.started':
    case 'tool.completed':
      if (known.data.client === true) return unchanged(so);
      return request['tool_items'] === 'mcp_call' ? followTool(so, known) : addTool(so, known);
    case 'run.completed': {
      const { output, tool_calls: calls = [] } = known.data;
      const said = isHeldBack(request) && output !== '' ? closeMessage(extendMessage(so, output), 'completed', true) : unchanged(so);
      return calls.reduce((before, { id, name, arguments: given }) => {
        const call = { call_id: id, name, arguments: given };
        return appendItem(before, { type: 'function_call', index: before.items.length, call });
      }, said);
    }
    default:
      return unchanged(so);
  }
}

const unchanged = ({ items }: ItemsSoFar): ItemsSoFar => ({ items, changes: [] });

const findOpen = ({ items }: ItemsSoFar): MessageItem | undefined => {
  const last = items.at(-1);
  return last?.type === 'message' && last.status === 'in_progress' ? last : undefined;
};

function extendMessage(so: ItemsSoFar, delta: string): ItemsSoFar {
  const open = findOpen(so);
  const index = open?.index ?? so.items.length;
  const item = { type: 'message', index, text: `${open?.text ?? ''}${delta}`, status: 'in_progress' } as const;
  const added: readonly ItemChange[] = open === undefined ? [{ what: 'added', item: { ...item, text: '' } }] : [];
  return { items: [...so.items.slice(0, index), item], changes: [...added, { what: 'delta', item, delta }] };
}

/** `isOn`: in the same breath as what changed before. */
function closeMessage(so: ItemsSoFar, status: 'completed' | 'incomplete', isOn = false): ItemsSoFar {
  const open = findOpen(so);
  if (open === undefined) return unchanged(so);
  const item = { ...open, status };
  return { items: [...so.items.slice(0, -1), item], changes: [...(isOn ? so.changes : []), { what: 'done', item }] };
}

const appendItem = ({ items, changes }: ItemsSoFar, item: ResponseItem): ItemsSoFar => ({
  items: [...items, item],
  changes: [...changes, { what: 'added', item }, { what: 'done', item }],
});

type ToolEvent = Extract<ReturnType<typeof toKnownEvent>, { type: 'tool.started' | 'tool.completed' }>;

/** One item from the beginning of a call to its end. */
function followTool(so: ItemsSoFar, event: ToolEvent): ItemsSoFar {
  if (event.type === 'tool.started') {
    const item = { type: 'mcp_call', index: so.items.length, call: event.data } as const;
    return { items: [...so.items, item], changes: [{ what: 'added', item }] };
  }
  const started = so.items.find((item): item is ToolItem => item.type === 'mcp_call' && item.call.call_id === event.data.call_id);
  if (started === undefined) return unchanged(so);
  const item = { ...started, result: event.data };
  return { items: so.items.with(item.index, item), changes: [{ what: 'done', item }] };
}

/** An item for the call and one for what it gave. */
function addTool(so: ItemsSoFar, event: ToolEvent): ItemsSoFar {
  const index = so.items.length;
  if (event.type === 'tool.completed') return appendItem(unchanged(so), { type: 'function_call_output', index, result: event.data });
  const { tool, call_id: callId, arguments: given } = event.data;
  return appendItem(unchanged(so), { type: 'function_call', index, call: { call_id: callId, name: tool, arguments: given } });
}

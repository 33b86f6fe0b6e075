import type { JsonObject } from '../../../../base/json-types.ts';
import type { RunEvent } from '../../../../contracts/run-store.ts';
import { toKnownEvent, type RunEventData } from '../runs/run-events.ts';

/** Output items of a response, each at its place. */
export type ResponseItem = MessageItem | CallItem | CallOutputItem;
interface MessageItem {
  readonly type: 'message';
  readonly index: number;
  readonly text: string;
  readonly status: 'in_progress' | 'completed' | 'incomplete';
}
interface CallItem {
  readonly type: 'function_call';
  readonly index: number;
  readonly call: RunEventData['tool.started'];
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
    case 'function_call':
      return { id, type: item.type, call_id: item.call.call_id, name: item.call.tool, arguments: item.call.arguments, status: 'completed' };
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
const PREFIXES: Readonly<Record<ResponseItem['type'], string>> = { message: 'msg', function_call: 'fc', function_call_output: 'fco' };

export const toTextPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] });

export interface ItemsSoFar {
  readonly items: readonly ResponseItem[];
  /** What the last event did, in order. */
  readonly changes: readonly ItemChange[];
}
export type ItemChange =
  | { readonly what: 'added' | 'done'; readonly item: ResponseItem }
  | { readonly what: 'delta'; readonly item: ResponseItem; readonly delta: string };
export const NO_ITEMS: ItemsSoFar = { items: [], changes: [] };

/** What an event makes of the output. A message that is written anew leaves the one before as it was, marked incomplete. */
export function addItems({ items }: ItemsSoFar, event: RunEvent): ItemsSoFar {
  const known = toKnownEvent(event);
  const [index, last] = [items.length, items.at(-1)];
  const open = last?.type === 'message' && last.status === 'in_progress' ? last : undefined;
  const add = (item: ResponseItem): ItemsSoFar => ({
    items: [...items, item],
    changes: [
      { what: 'added', item },
      { what: 'done', item },
    ],
  });
  switch (known.type) {
    case 'message.delta': {
      const { delta } = known.data;
      const item = { type: 'message', index: open?.index ?? index, text: `${open?.text ?? ''}${delta}`, status: 'in_progress' } as const;
      const added: readonly ItemChange[] = open === undefined ? [{ what: 'added', item: { ...item, text: '' } }] : [];
      return { items: [...items.slice(0, item.index), item], changes: [...added, { what: 'delta', item, delta }] };
    }
    case 'message.completed':
    case 'message.discarded': {
      if (open === undefined) return { items, changes: [] };
      const item = { ...open, status: known.type === 'message.completed' ? 'completed' : 'incomplete' } as const;
      return { items: [...items.slice(0, -1), item], changes: [{ what: 'done', item }] };
    }
    case 'tool.started':
      return add({ type: 'function_call', index, call: known.data });
    case 'tool.completed':
      return add({ type: 'function_call_output', index, result: known.data });
    default:
      return { items, changes: [] };
  }
}

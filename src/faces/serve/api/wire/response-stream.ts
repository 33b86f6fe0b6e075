import type { JsonObject } from '../../../../base/json-types.ts';
import type { Run } from '../../../../contracts/run-store.ts';
import { toKnownEvent } from '../runs/run-events.ts';
import { addItems, NO_ITEMS, toOutputItem, toTextPart, type ItemChange, type ResponseItem } from './response-items.ts';
import { describeResponse, toResponseId } from './response.ts';
import type { StreamFormat, AnswerFrame } from './stream.ts';

/** The response as it comes about, in the events of OpenAI's API, each with its number. */
export function createResponseStream(run: Run): StreamFormat {
  let [so, count] = [NO_ITEMS, 0];
  const frame = (type: string, data: JsonObject): AnswerFrame => ({
    event: type,
    data: JSON.stringify({ type, sequence_number: count++, ...data }),
  });
  const begun = describeResponse({ ...run, state: 'running' }, []);
  const first = ['response.created', 'response.in_progress'].map((type) => frame(type, { response: begun }));
  return {
    first,
    next: (event) => {
      const known = toKnownEvent(event);
      so = addItems(so, event, run);
      const changed = so.changes.flatMap((change) => tellChange(change, toResponseId(run)).map(({ type, ...data }) => frame(type, data)));
      if (known.type === 'run.completed' || known.type === 'run.failed' || known.type === 'run.cancelled') {
        const state = known.type === 'run.completed' ? 'completed' : known.type === 'run.failed' ? 'failed' : 'cancelled';
        const response = describeResponse({ ...run, state, result: event.data }, so.items, known.data.usage);
        return [...changed, frame(toEndEvent(response), { response })];
      }
      if (known.type === 'approval.request' || known.type === 'approval.responded')
        return [frame(`hermes.${known.type}`, { run_id: run.id, ...known.data })];
      return changed;
    },
  };
}
const toEndEvent = ({ status }: JsonObject): string =>
  status === 'completed' || status === 'failed' ? `response.${status}` : 'response.incomplete';

type ToldChange = JsonObject & { readonly type: string };

function tellChange(change: ItemChange, responseId: string): readonly ToldChange[] {
  const { item } = change;
  const [output, place] = [toOutputItem(item, responseId), { output_index: item.index }];
  const part = { ...place, item_id: output['id'] ?? '', content_index: 0 };
  if (item.type === 'function_call') return tellCall(change.what, item, output);
  if (item.type === 'mcp_call') return tellTool(change.what, item, output);
  if (item.type !== 'message') return [{ type: `response.output_item.${change.what}`, ...place, item: output }];
  switch (change.what) {
    case 'added':
      return [
        { type: 'response.output_item.added', ...place, item: output },
        { type: 'response.content_part.added', ...part, part: toTextPart('') },
      ];
    case 'delta':
      return [{ type: 'response.output_text.delta', ...part, delta: change.delta, logprobs: [] }];
    case 'done':
      return [
        { type: 'response.output_text.done', ...part, text: item.text, logprobs: [] },
        { type: 'response.content_part.done', ...part, part: toTextPart(item.text) },
        { type: 'response.output_item.done', ...place, item: output },
      ];
  }
}

/** Arguments are known from the beginning, and told as they would be of a server's tool. */
function tellTool(
  what: ItemChange['what'],
  { index, call, result }: Extract<ResponseItem, { type: 'mcp_call' }>,
  output: JsonObject,
): readonly ToldChange[] {
  const place = { output_index: index, item_id: output['id'] ?? '' };
  if (what === 'added')
    return [
      { type: 'response.output_item.added', output_index: index, item: { ...output, arguments: '' } },
      { type: 'response.mcp_call.in_progress', ...place },
      { type: 'response.mcp_call_arguments.delta', ...place, delta: call.arguments },
      { type: 'response.mcp_call_arguments.done', ...place, arguments: call.arguments },
    ];
  return [
    { type: result?.error === true ? 'response.mcp_call.failed' : 'response.mcp_call.completed', ...place },
    { type: 'response.output_item.done', output_index: index, item: output },
  ];
}

/** The arguments of a call are known as a whole. */
function tellCall(
  what: ItemChange['what'],
  { index, call }: Extract<ResponseItem, { type: 'function_call' }>,
  output: JsonObject,
): readonly ToldChange[] {
  const [place, given] = [{ output_index: index, item_id: output['id'] ?? '' }, call.arguments];
  if (what === 'added')
    return [{ type: 'response.output_item.added', output_index: index, item: { ...output, arguments: '', status: 'in_progress' } }];
  return [
    { type: 'response.function_call_arguments.delta', ...place, delta: given },
    { type: 'response.function_call_arguments.done', ...place, name: call.name, arguments: given },
    { type: 'response.output_item.done', output_index: index, item: output },
  ];
}

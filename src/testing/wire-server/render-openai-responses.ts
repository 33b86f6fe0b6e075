import type { OpenAI } from 'openai';
import type { WireAnswer, AnswerCall } from './answer.ts';
import { toOpenAiProblem, type OpenAiError, type PromptField } from './problems-openai.ts';
import { refuse, takeUntilMiddle, type WireFrame, type WireRenderer } from './renderer.ts';
import { createResponseObject, type OutputItem, type ResponseObject } from './response-object.ts';
import { splitByCodePoints } from './text.ts';

/** The SDK's own events, with our items and response objects in them; numbered last, when all are in line. */
type WithOurItems<Theirs> = Theirs extends { item: unknown }
  ? Omit<Theirs, 'item' | 'sequence_number'> & { readonly item: OutputItem }
  : Theirs extends { response: unknown }
    ? Omit<Theirs, 'response' | 'sequence_number'> & { readonly response: ResponseObject }
    : Omit<Theirs, 'sequence_number'>;
type ResponsesStreamEvent =
  | WithOurItems<Exclude<OpenAI.Responses.ResponseStreamEvent, { type: 'error' }>>
  | { readonly type: 'error'; readonly error: OpenAiError };

export const openAiResponses: WireRenderer = {
  requestIdHeader: 'x-request-id',
  frames: (answer) => events(answer).map(toFrame),
  body: (answer) => createResponseObject(answer, items(answer), status(answer)),
  failing: (answer, problem) => {
    const { error } = toOpenAiProblem(problem, prompt);
    return [...takeUntilMiddle(events(answer)), ...failure(answer, error)].map(toFrame);
  },
  refusal: (problem) => {
    const { status: code, error } = toOpenAiProblem(problem, prompt);
    return refuse(problem, code, { error });
  },
};

const prompt: PromptField = {
  param: 'input',
  tooLong: () => 'Your input exceeds the context window of this model. Please adjust your input and try again.',
};

function toFrame(event: ResponsesStreamEvent, sequence: number): WireFrame {
  return { event: event.type, data: JSON.stringify({ ...event, sequence_number: sequence }) };
}

function events(answer: WireAnswer): readonly ResponsesStreamEvent[] {
  const started = createResponseObject(answer, [], 'in_progress');
  const finished = items(answer);
  const end = status(answer);
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...finished.flatMap((item, index) => itemEvents(item, index, answer.chunk)),
    { type: `response.${end}`, response: createResponseObject(answer, finished, end) },
  ];
}

/** The service nests the error, although its reference shows it flat, and then fails the response too. */
function failure(answer: WireAnswer, error: OpenAiError): readonly ResponsesStreamEvent[] {
  const response = { ...createResponseObject(answer, [], 'failed'), error: { code: error.code ?? 'server_error', message: error.message } };
  return [
    { type: 'error', error },
    { type: 'response.failed', response },
  ];
}

function status({ finish }: WireAnswer): 'completed' | 'incomplete' {
  return finish === 'length' || finish === 'content_filter' ? 'incomplete' : 'completed';
}

function items(answer: WireAnswer): readonly OutputItem[] {
  const { serial, text, thinking, signature, calls } = answer;
  const all: readonly OutputItem[] = [
    ...(thinking !== '' || signature !== '' ? [reasoningItem(answer)] : []),
    ...(text === '' ? [] : [messageItem(`msg_wire_${serial}`, text)]),
    ...calls.map((call, index) => callItem(`fc_wire_${serial}_${index}`, call)),
  ];
  // Only the item that was being written when the answer broke off is incomplete.
  return all.map((item, index) => (index === all.length - 1 && item.type !== 'reasoning' ? { ...item, status: status(answer) } : item));
}

function reasoningItem({ serial, thinking, signature }: WireAnswer): OutputItem {
  return {
    type: 'reasoning',
    id: `rs_wire_${serial}`,
    summary: thinking === '' ? [] : [{ type: 'summary_text', text: thinking }],
    ...(signature !== '' && { encrypted_content: signature }),
  };
}

function messageItem(id: string, text: string): OutputItem {
  return { type: 'message', id, role: 'assistant', status: 'completed', content: [textPart(text)] };
}

function callItem(id: string, call: AnswerCall): OutputItem {
  const callId = call.id === null ? {} : { call_id: call.id };
  return { type: 'function_call', id, ...callId, name: call.name, arguments: call.arguments, status: 'completed' };
}

function textPart(text: string): OpenAI.Responses.ResponseOutputText {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function itemEvents(item: OutputItem, index: number, chunk: number): readonly ResponsesStreamEvent[] {
  return [
    { type: 'response.output_item.added', output_index: index, item: unwritten(item) },
    ...growth(item, index, chunk),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function unwritten(item: OutputItem): OutputItem {
  switch (item.type) {
    case 'reasoning':
      return { type: 'reasoning', id: item.id, summary: [] };
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'function_call':
    default:
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

function growth(item: OutputItem, index: number, chunk: number): readonly ResponsesStreamEvent[] {
  switch (item.type) {
    case 'reasoning':
      return item.summary.flatMap(({ text }, part) =>
        summaryEvents(text, chunk, { item_id: item.id, output_index: index, summary_index: part }),
      );
    case 'message':
      return item.content.flatMap(({ text }, part) =>
        textEvents(text, chunk, { item_id: item.id, output_index: index, content_index: part }),
      );
    case 'function_call':
    default:
      return argumentEvents(item.arguments, chunk, { item_id: item.id, output_index: index });
  }
}

interface ItemPosition {
  readonly item_id: string;
  readonly output_index: number;
}

function summaryEvents(
  text: string,
  chunk: number,
  place: ItemPosition & { readonly summary_index: number },
): readonly ResponsesStreamEvent[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
    ...splitByCodePoints(text, chunk).map((delta): ResponsesStreamEvent => ({
      type: 'response.reasoning_summary_text.delta',
      ...place,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } },
  ];
}

function textEvents(
  text: string,
  chunk: number,
  place: ItemPosition & { readonly content_index: number },
): readonly ResponsesStreamEvent[] {
  return [
    { type: 'response.content_part.added', ...place, part: textPart('') },
    ...splitByCodePoints(text, chunk).map((delta): ResponsesStreamEvent => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: textPart(text) },
  ];
}

function argumentEvents(text: string, chunk: number, place: ItemPosition): readonly ResponsesStreamEvent[] {
  return [
    ...splitByCodePoints(text, chunk).map((delta): ResponsesStreamEvent => ({
      type: 'response.function_call_arguments.delta',
      ...place,
      delta,
    })),
    { type: 'response.function_call_arguments.done', ...place, arguments: text },
  ];
}

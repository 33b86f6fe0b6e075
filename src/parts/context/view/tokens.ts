import type { Message, TextBlock } from '../../../contracts/message.ts';
import type { ToolDefinition, ViewMessage } from '../../../contracts/provider.ts';

/** Rough token counts: four characters a token, one for each CJK character, a fixed price for an image. */
const IMAGE_TOKENS = 1_500;
const MESSAGE_OVERHEAD = 4;
// Code units, not code points: V8 counts them an order of magnitude faster, and this runs on every request.
const CJK = /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/g;

export function estimateTextTokens(text: string): number {
  const wide = text.match(CJK)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** Messages never change, so each is counted once. */
const counted = new WeakMap<Message, number>();

export function estimateMessageTokens(message: Message): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const sum = message.content.reduce((total, block) => total + blockTokens(block), MESSAGE_OVERHEAD);
  counted.set(message, sum);
  return sum;
}

function blockTokens(block: Message['content'][number]): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'file':
      return Math.ceil(block.data.length / 4);
    case 'tool_call':
      return estimateTextTokens(block.name) + estimateTextTokens(block.malformed ?? JSON.stringify(block.input));
    case 'thinking':
      if (block.native === undefined) return 0;
      // Plain reasoning that goes back by the name of its field.
      if (typeof block.native.data === 'string') return estimateTextTokens(block.text);
      return Math.ceil(JSON.stringify(block.native.data).length / 4);
  }
}

const toolTable = new WeakMap<readonly ToolDefinition[], number>();

export function estimateRequestTokens(system: string, tools: readonly ToolDefinition[], view: readonly ViewMessage[]): number {
  let table = toolTable.get(tools);
  if (table === undefined) toolTable.set(tools, (table = estimateTextTokens(JSON.stringify(tools))));
  return (
    estimateTextTokens(system) +
    table +
    view.reduce((total, { message, wireOnly }) => total + estimateMessageTokens(message) + sidecar(wireOnly), 0)
  );
}

const sidecar = (blocks: readonly TextBlock[] | undefined): number =>
  (blocks ?? []).reduce((total, block) => total + estimateTextTokens(block.text), 0);

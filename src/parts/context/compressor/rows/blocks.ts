import { clip } from '../../../../base/text.ts';
import { createTextBlock, type Message, type TextBlock } from '../../../../contracts/message.ts';
import { estimateTextTokens } from '../../view/tokens.ts';

/** An image or a file as the words that it was there. */
export function describeBlock(block: Exclude<Message['content'][number], { readonly type: 'thinking' | 'tool_call' }>): TextBlock {
  if (block.type === 'text') return block;
  const size = `${Math.ceil((block.data.length * 3) / 4 / 1024)} KB`;
  return createTextBlock(
    block.type === 'image' ? `[image, ${block.mime}, ${size}]` : `[file ${block.name}, ${block.mime}, ${size}]`,
    block.trust,
  );
}

/** Everything a message says in words. */
export const joinMessageText = (message: Message): string =>
  message.content
    .flatMap((block) => (block.type === 'thinking' || block.type === 'tool_call' ? [] : [describeBlock(block).text]))
    .join('\n');

/** Head and tail of a text, so that it takes no more than these tokens. */
export function clipTokens(value: string, tokens: number): string {
  const has = estimateTextTokens(value);
  if (has <= tokens) return value;
  const length = Math.max(Math.floor((value.length * tokens) / has) - MARK_LENGTH, 0);
  return clip(value, length, (omitted) => ` [… ${omitted} characters left out …] `);
}
const MARK_LENGTH = 40;

import type { CallFormat } from './format.ts';
import { jsonBlock } from './readers.ts';

export const hermes: CallFormat = {
  name: 'hermes',
  calls: { '<tool_call>': jsonBlock('</tool_call>') },
  // Its models are trained on the bases of others, and keep their end of text.
  ends: ['<|im_end|>', '<|endoftext|>', '<|eot_id|>', '<|end_of_text|>', '</s>'],
};
/** Qwen 2.5 and 3 write as Hermes does. */
export const qwen: CallFormat = { ...hermes, name: 'qwen' };
export const longcat: CallFormat = {
  name: 'longcat',
  calls: { '<longcat_tool_call>': jsonBlock('</longcat_tool_call>') },
  ends: ['</longcat_s>', '<longcat_s>'],
};

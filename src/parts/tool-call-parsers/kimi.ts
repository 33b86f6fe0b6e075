import type { CallFormat } from './format.ts';
import { headed, readBareJson, section } from './readers.ts';

const OPEN = '<|tool_call_begin|>';
const CLOSE = '<|tool_call_end|>';
// Models spell the section's markers both ways.
const closers = ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'];

/** The header is the call's id: `functions.NAME:N`. */
export const kimiK2: CallFormat = {
  name: 'kimi_k2',
  calls: {
    [OPEN]: headed({
      separator: '<|tool_call_argument_begin|>',
      close: CLOSE,
      readBody: function* read(input, id) {
        const name = /^(?:functions\.)?(\S+):\d+$/.exec(id)?.[1];
        return { name, id, json: yield* readBareJson(input, CLOSE) };
      },
    }),
    '<|tool_calls_section_begin|>': section([OPEN], closers),
    '<|tool_call_section_begin|>': section([OPEN], closers),
  },
  closers,
  ends: ['<|im_end|>', '[EOS]'],
};

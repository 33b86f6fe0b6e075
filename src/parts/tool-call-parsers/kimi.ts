import { isObject, parseJson } from '../../base/json.ts';
import type { ToolDefinition } from '../../contracts/provider.ts';
import type { CallFormat } from './format.ts';
import type { JsonText } from './json-text.ts';
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
      readBody: function* read(input, id, { tools }) {
        const json = yield* readBareJson(input, CLOSE);
        const name = /^(?:functions\.)?(\S+):\d+$/.exec(id)?.[1] ?? (/^\d+$/.test(id) ? findOnlyFit(tools, json) : undefined);
        return { name, id, json };
      },
    }),
    '<|tool_calls_section_begin|>': section([OPEN], closers),
    '<|tool_call_section_begin|>': section([OPEN], closers),
  },
  closers,
  ends: ['<|im_end|>', '[EOS]'],
};

/** A header that is a bare counter names no tool: it is the one whose parameters fit, if there is but one. */
function findOnlyFit(tools: readonly ToolDefinition[], json: JsonText | undefined): string | undefined {
  const given = json?.type === 'whole' ? parseJson(json.text) : {};
  if (!isObject(given)) return undefined;
  const fitting = tools.filter(({ input }) => {
    const { properties, required } = isObject(input) ? input : {};
    const known = Object.keys(isObject(properties) ? properties : {});
    const needed = Array.isArray(required) ? required : [];
    return Object.keys(given).every((key) => known.includes(key)) && needed.every((key) => Object.hasOwn(given, String(key)));
  });
  return fitting.length === 1 ? fitting[0]?.name : undefined;
}

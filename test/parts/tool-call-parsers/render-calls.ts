import type { Json, JsonObject } from '../../../src/contracts/message.ts';

interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}
/** How a model of a family writes calls; one piece for each, so that it is known where each ends. */
export interface CallStyle {
  readonly before?: string;
  readonly call: (call: Call, index: number) => string;
  /** What a call has behind its own end. */
  readonly closing?: string;
  readonly between: string;
  readonly after?: string;
  /** What no text may hold: nothing escapes it. */
  readonly avoid: readonly string[];
  readonly end: string;
  readonly thought: readonly [string, string];
}

const json = (value: Json | undefined): string => JSON.stringify(value ?? null);
/** Strings as they are, all else as JSON. */
const raw = (value: Json | undefined): string => (typeof value === 'string' ? value : json(value));
const THINK = ['<think>', '</think>'] as const;
const chatml = { avoid: [], end: '<|im_end|>', thought: THINK, between: '\n' };
const hermes: CallStyle = {
  ...chatml,
  call: ({ name, arguments: values }) => `<tool_call>\n{"name": ${json(name)}, "arguments": ${json(values)}}\n</tool_call>`,
};
const deepseek = {
  before: '<｜tool▁calls▁begin｜>',
  after: '<｜tool▁calls▁end｜>',
  avoid: [],
  end: '<｜end▁of▁sentence｜>',
  thought: THINK,
};
const glm = { avoid: ['</arg_value>'], end: '<|observation|>', thought: THINK };
const mistral = { avoid: [], end: '</s>', thought: ['[THINK]', '[/THINK]'] } as const;
const drawGlm = (newline: string) => (call: Call) =>
  `<tool_call>${call.name}${newline}${Object.entries(call.arguments)
    .map(([key, value]) => `<arg_key>${key}</arg_key>${newline}<arg_value>${raw(value)}</arg_value>${newline}`)
    .join('')}</tool_call>`;

/** Each row is the name of a parser, and a form where there are several. */
export const CALL_STYLES: Readonly<Record<string, CallStyle>> = {
  hermes,
  qwen: hermes,
  longcat: {
    ...chatml,
    end: '</longcat_s>',
    thought: ['<longcat_think>', '</longcat_think>'],
    call: ({ name, arguments: values }) =>
      `<longcat_tool_call>\n{"name": ${json(name)}, "arguments": ${json(values)}}\n</longcat_tool_call>`,
  },
  mistral: {
    ...mistral,
    before: '[TOOL_CALLS] [',
    call: ({ name, arguments: values }) => `{"name": ${json(name)}, "arguments": ${json(values)}}`,
    between: ', ',
    after: ']',
  },
  'mistral v11': { ...mistral, call: ({ name, arguments: values }) => `[TOOL_CALLS]${name}${json(values)}`, between: '' },
  'mistral v13': { ...mistral, call: ({ name, arguments: values }) => `[TOOL_CALLS]${name}[ARGS]${json(values)}`, between: '' },
  llama3_json: {
    avoid: [],
    end: '<|eot_id|>',
    thought: THINK,
    call: ({ name, arguments: values }) => `{"name": ${json(name)}, "parameters": ${json(values)}}`,
    between: '; ',
  },
  qwen3_coder: {
    ...chatml,
    avoid: ['</parameter>', '<parameter=', '<function='],
    call: ({ name, arguments: values }) =>
      `<tool_call>\n<function=${name}>\n${Object.entries(values)
        .map(([key, value]) => `<parameter=${key}>\n${raw(value)}\n</parameter>\n`)
        .join('')}</function>`,
    closing: '\n</tool_call>',
  },
  deepseek_v3: {
    ...deepseek,
    call: ({ name, arguments: values }) =>
      `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json(values)}\n\`\`\`<｜tool▁call▁end｜>`,
    between: '\n',
  },
  deepseek_v3_1: {
    ...deepseek,
    call: ({ name, arguments: values }) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json(values)}<｜tool▁call▁end｜>`,
    between: '',
  },
  kimi_k2: {
    ...chatml,
    before: '<|tool_calls_section_begin|>',
    call: ({ name, arguments: values }, index) =>
      `<|tool_call_begin|>functions.${name}:${index}<|tool_call_argument_begin|>${json(values)}<|tool_call_end|>`,
    between: '',
    after: '<|tool_calls_section_end|>',
  },
  glm45: { ...glm, call: drawGlm('\n'), between: '\n' },
  glm47: { ...glm, call: drawGlm(''), between: '' },
};

export const parserOf = (style: string): string => style.replace(/ .*/, '');

/** The text, and how long it is when each call has come whole. */
export function renderCalls(
  style: CallStyle,
  content: string,
  calls: readonly Call[],
): { readonly text: string; readonly ends: readonly number[] } {
  const ends: number[] = [];
  let text = `${content === '' ? '' : `${content}\n`}${style.before ?? ''}`;
  for (const [index, call] of calls.entries()) {
    text += `${index === 0 ? '' : style.between}${style.call(call, index)}`;
    ends.push(text.length);
    text += style.closing ?? '';
  }
  return { text: `${text}${style.after ?? ''}`, ends };
}

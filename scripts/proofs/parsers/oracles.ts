import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJson } from '../../../src/base/json.ts';
import type { CallSet } from '../../../test/parts/tool-call-parsers/call-sets.ts';
import { CALL_STYLES, parserOf, renderCalls } from '../../../test/parts/tool-call-parsers/render-calls.ts';
import { PYTHON } from './install.ts';
import { drawSets, type Written } from './templates.ts';

/** A text for a parser of sglang, and what it is for the page. */
export interface Question {
  readonly parser: string;
  readonly text: string;
  readonly tools: readonly { readonly name: string; readonly parameters: object }[];
  readonly title: string;
  /** The calls it was made of; absent where somebody wrote it. */
  readonly drawn?: CallSet['calls'];
}
export interface Answer {
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
  readonly error?: string;
}

/** longcat is not among its parsers. */
export const ASKED = [
  'hermes',
  'qwen',
  'mistral',
  'llama3_json',
  'qwen3_coder',
  'deepseek_v3',
  'deepseek_v3_1',
  'kimi_k2',
  'glm45',
  'glm47',
];

export function listQuestions(count: number): readonly Question[] {
  const generated = Object.entries(CALL_STYLES)
    .filter(([name]) => ASKED.includes(parserOf(name)))
    .flatMap(([name, style]) =>
      drawSets(parserOf(name), count).map((set, index) => ({
        parser: parserOf(name),
        text: renderCalls(style, set.content, set.calls).text,
        tools: set.tools.map((tool) => ({ name: tool.name, parameters: tool.input })),
        title: `${name} ${index}`,
        drawn: set.calls,
      })),
    );
  return [...['tune', 'regressions'].flatMap(listCases), ...generated];
}

interface Case {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string }[];
  readonly tools?: Question['tools'];
}
/** Its parsers leave out calls of tools they were not given, so that all names are. */
const ALL_NAMES = ['a', 'b', 'c', 'f', 'w', 'rm', 'now', 't', 'x'];
function listCases(folder: string): readonly Question[] {
  const root = join('test/fixtures/tool-call-parsers', folder);
  return readdirSync(root).flatMap((file) => {
    const parser = file.replace(/\.json$/, '');
    if (!ASKED.includes(parser)) return [];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a fixture
    const cases = JSON.parse(readFileSync(join(root, file), 'utf8')) as readonly Case[];
    const names = [...new Set([...ALL_NAMES, ...cases.flatMap(({ calls }) => calls.map(({ name }) => name))])];
    return cases.map(({ name, text, tools = [] }) => {
      const others = names.filter((one) => !tools.some((tool) => tool.name === one)).map((one) => ({ name: one, parameters: {} }));
      return { parser, text, tools: [...tools, ...others], title: name };
    });
  });
}

export const askSglang = (questions: readonly Question[]): readonly Answer[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the script writes
  runPython('scripts/proofs/parsers/sglang_calls.py', questions) as readonly Answer[];

/** Call sets as Mistral's own library writes them, by the version of its tokenizers. */
export function writeByMistral(count: number): Readonly<Record<string, readonly Written[]>> {
  const sets = drawSets('mistral', count).map(withoutBlockLetter);
  const ids = (set: (typeof sets)[number]) => set.calls.map((_, index) => `abcdefgh${index}`);
  const rows = sets.map((set) => ({ content: set.content, calls: set.calls.map((call, index) => ({ ...call, id: ids(set)[index] })) }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the script writes
  const texts = runPython('scripts/proofs/parsers/mistral_texts.py', rows) as Readonly<Record<string, readonly string[]>>;
  return Object.fromEntries(
    Object.entries(texts).map(([version, written]) => [
      version,
      sets.map((set, index) => ({
        set: version === 'v7' ? set : { ...set, content: '' },
        ids: version === 'v3' || version === 'v3 tekken' || version === 'v7' ? ids(set) : [],
        text: written[index] ?? '',
      })),
    ]),
  );
}

/** SentencePiece writes U+2581 for a space, so that its vocabulary cannot tell one from the other. */
const withoutBlockLetter = (set: CallSet): CallSet =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same with another letter
  JSON.parse(JSON.stringify(set).replaceAll('\u2581', '_')) as CallSet;

function runPython(script: string, input: unknown): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'parsers-'));
  try {
    const [asked, told] = [join(folder, 'in.json'), join(folder, 'out.json')];
    writeFileSync(asked, JSON.stringify(input));
    const { status } = spawnSync(PYTHON, [script, asked, told], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) throw new Error(`${script} ended with ${status}`);
    return parseJson(readFileSync(told, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

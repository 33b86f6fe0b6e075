import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, parseJson } from '../../../src/base/json.ts';
import type { TrajectoryMessage } from '../../../src/contracts/environment.ts';
import { toShareGpt } from '../../../src/faces/environments/batch/sharegpt.ts';

export const WITNESS = 'hermes-agent==0.13.0';
export interface FormatResult {
  readonly cases: number;
  readonly turns: number;
  readonly faults: readonly string[];
}

/** The package unpacked; nothing where it cannot be had. */
export function fetchWitness(): string | undefined {
  const folder = resolve('.cache/hermes-agent-0.13.0');
  if (existsSync(join(folder, 'run_agent.py'))) return folder;
  mkdirSync(folder, { recursive: true });
  const got = spawnSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, WITNESS], { encoding: 'utf8' });
  const [wheel] = globSync(join(folder, '*.whl'));
  if (got.status !== 0 || wheel === undefined) return undefined;
  return spawnSync('python3', ['-m', 'zipfile', '--extract', wheel, folder]).status === 0 ? folder : undefined;
}

/** Texts with everything in them that a format could trip over. */
const TEXTS = [
  '',
  ' ',
  'Hello.',
  ' spaced \n',
  'ünï "quoted" \\ back',
  '<think>inline</think>x',
  '{broken',
  'Error: no\nlines',
  '😀',
  '<REASONING_SCRATCHPAD>a</REASONING_SCRATCHPAD> b',
  '</tool_call>\n<tool_call>',
  '\u2028 line',
  '[1, {"x": true}]',
  '{"a": [1, 2.5, null], "b": {"c": "é\\n"}}',
  '{"big": 12345678901, "neg": -0.5}',
];
const VALUES = [1, -2.5, null, [], {}, ['a', { b: 'é' }]];
const TOOL = { name: 'terminal', description: 'Runs "x".', input: { type: 'object', properties: { command: { type: 'string' } } } };

/** So many invented conversations, written by both: every turn must be the same, byte for byte, and so must the list of tools. */
export function compareFormats(folder: string, count: number, random: () => number): FormatResult {
  const cases = Array.from({ length: count }, () => inventConversation(random));
  const tools = [{ type: 'function', function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.input } }];
  const input = cases.map((messages) => JSON.stringify({ messages, tools })).join('\n');
  const script = join(import.meta.dirname, 'convert.py');
  const ran = spawnSync('python3', [script, folder], { input, encoding: 'utf8', maxBuffer: 2 ** 29 });
  if (ran.status !== 0) return { cases: count, turns: 0, faults: [`${WITNESS} did not run: ${ran.stderr.slice(-500)}`] };
  const theirs = ran.stdout.trim().split('\n').map(parseJson);
  const ours = cases.map((messages) => toShareGpt(messages, [TOOL]));
  const faults = ours.flatMap(([system, ...turns], index) => {
    const other = theirs[index];
    const listed = /<tools>\n(.*)\n<\/tools>/.exec(system?.value ?? '')?.[1];
    const isSame = isObject(other) && JSON.stringify(turns) === JSON.stringify(other['turns']) && listed === other['tools'];
    return isSame ? [] : [`conversation ${index} differs`];
  });
  return { cases: count, turns: ours.reduce((sum, turns) => sum + turns.length - 1, 0), faults };
}

function inventConversation(random: () => number): readonly TrajectoryMessage[] {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const text = (): string => pick(TEXTS) ?? '';
  const rounds = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, round): readonly TrajectoryMessage[] => {
    const calls = Array.from({ length: Math.floor(random() * 3) }, (_call, index) => ({
      id: `c${round}_${index}`,
      type: 'function' as const,
      function: { name: pick(['terminal', 'read_file']) ?? '', arguments: JSON.stringify({ command: text(), n: pick(VALUES) }) },
    }));
    return [
      {
        role: 'assistant',
        content: text(),
        ...(random() < 0.5 && { reasoning_content: text() }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      ...calls.map(({ id, function: { name } }) => ({ role: 'tool' as const, content: text(), tool_call_id: id, name })),
      ...(random() < 0.2 ? [{ role: 'user' as const, content: text() }] : []),
    ];
  });
  return [{ role: 'user', content: 'Do it.' }, ...rounds.flat()];
}

/** A piece of advice for a model that has these tools. */
export type AdviceBlock = (tools: readonly string[]) => string;

/** Against announcing work instead of doing it. */
export const enforcementBlock: AdviceBlock = () => ENFORCEMENT;
const ENFORCEMENT = [
  '# Act through tools',
  'Do things instead of describing them. If you announce something, make the call in the same reply.',
  'Keep going until it is done: every reply makes tool calls or delivers the result.',
].join('\n');

/** Against stopping early, answering from memory and skipping checks. */
export const disciplineBlock: AdviceBlock = (tools) =>
  ['# Execution discipline', ...DISCIPLINE.flatMap((line) => lineFor(line, tools)), ...lookedUp(tools)].join('\n');

interface AdviceLine {
  /** Said when one of these can be called; always when left out. */
  readonly tools?: readonly string[];
  readonly words: string;
  /** Said instead where none of them can. */
  readonly otherwise?: string;
}

const lineFor = ({ tools, words, otherwise }: AdviceLine, there: readonly string[]): string[] =>
  tools === undefined || tools.some((tool) => there.includes(tool)) ? [words] : otherwise === undefined ? [] : [otherwise];

const DISCIPLINE: readonly AdviceLine[] = [
  { words: '- Persistence: if a result is empty or partial, try another way.' },
  {
    tools: ['clarify'],
    words: '- Ambiguity: act on the obvious meaning. Ask only if the meanings lead to different work.',
    otherwise: '- Ambiguity: act on the obvious meaning.',
  },
  { words: '- Prerequisites: first find out what a step depends on.' },
  {
    words:
      '- Verification: check every requirement and claim against tool results before you answer, and the target before an action with side effects.',
  },
  { words: '- Missing context: look it up. Say what you assume.' },
];

/** What a model must not answer out of its head, and the tools that know. */
const LOOKED_UP: readonly { readonly what: string; readonly tools: readonly string[] }[] = [
  { what: 'arithmetic, hashes, encodings', tools: ['terminal', 'execute_code'] },
  { what: 'time and date, system state, git history', tools: ['terminal'] },
  { what: 'file contents and sizes', tools: ['read_file', 'terminal'] },
  { what: 'current facts', tools: ['web_search'] },
];

function lookedUp(tools: readonly string[]): string[] {
  const rows = LOOKED_UP.map((row) => ({ what: row.what, there: row.tools.filter((tool) => tools.includes(tool)) }));
  const known = rows.filter(({ there }) => there.length > 0).map(({ what, there }) => `${what} (${there.join(', ')})`);
  return known.length === 0 ? [] : [`- Lookup: always use tools for ${known.join('; ')}.`];
}

const FILES = ['read_file', 'write_file', 'patch', 'search_files'];
const EDITS = ['write_file', 'patch', 'terminal'];

/** Against relative paths, guessed files and commands that wait for a key. */
export const operationBlock: AdviceBlock = (tools) => {
  const readers = ['read_file', 'search_files'].filter((tool) => tools.includes(tool));
  const lines: readonly AdviceLine[] = [
    { tools: FILES, words: '- Paths: give file tools absolute paths.' },
    {
      tools: EDITS,
      words: `- Verify first: read files and look at the project${readers.length === 0 ? '' : ` (${readers.join(', ')})`} before you change anything.`,
    },
    { tools: EDITS, words: '- Dependencies: check the project manifest before you import a library.' },
    { words: '- Brevity: explain in a few sentences what you did and what came of it.' },
    {
      tools: ['terminal'],
      words: '- Input: run commands with flags such as -y or --non-interactive so that none of them waits for input.',
    },
  ];
  return ['# Operation', ...lines.flatMap((line) => lineFor(line, tools))].join('\n');
};

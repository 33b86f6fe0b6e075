/** A piece of advice for a model that has these tools. */
export type AdviceBlock = (tools: readonly string[]) => string;

/** Against announcing work instead of doing it. */
export const enforcementBlock: AdviceBlock = () => ENFORCEMENT;
const ENFORCEMENT = [
  '# Act through tools',
  'Do things instead of describing them. When you say you will do something, make the call in the same reply.',
  'Keep going until the task is done: every reply makes progress with tool calls or delivers the result.',
].join('\n');

/** Against stopping early, answering from memory and skipping checks. */
export const disciplineBlock: AdviceBlock = (tools) => ['# Execution discipline', ...DISCIPLINE, ...mandatory(tools)].join('\n');

const DISCIPLINE = [
  '- Persistence: keep calling tools until the answer is correct and complete. If a result is empty or partial, try another way.',
  '- Act, do not ask: act on the obvious meaning of a request. Ask only if its meanings lead to different work.',
  '- Prerequisites: find out what a step depends on before you take it.',
  '- Verification: before you answer, check every requirement, the format and your claims against tool results. Check the target of an action with side effects.',
  '- Missing context: look it up, do not guess. If you must assume something, say so.',
];

/** What a model must not answer out of its head, and the tools that know. */
const MANDATORY: readonly { readonly what: string; readonly tools: readonly string[] }[] = [
  { what: 'arithmetic, hashes, encodings', tools: ['terminal', 'execute_code'] },
  { what: 'time and date, system state, git history', tools: ['terminal'] },
  { what: 'file contents and sizes', tools: ['read_file', 'terminal'] },
  { what: 'news and other current facts', tools: ['web_search'] },
];

function mandatory(tools: readonly string[]): string[] {
  const rows = MANDATORY.map((row) => ({ what: row.what, there: row.tools.filter((tool) => tools.includes(tool)) }));
  const known = rows.filter(({ there }) => there.length > 0).map(({ what, there }) => `${what} (${there.join(', ')})`);
  return known.length === 0 ? [] : [`- Mandatory tools, never from memory: ${known.join('; ')}.`];
}

/** Against relative paths, guessed files and commands that wait for a key. */
export const operationBlock: AdviceBlock = (tools) => {
  const readers = ['read_file', 'search_files'].filter((tool) => tools.includes(tool));
  return [
    '# Operation',
    '- Absolute paths: give file tools absolute paths; join relative ones to the project root first.',
    `- Verify first: read files and look at the project${readers.length === 0 ? '' : ` (${readers.join(', ')})`} before you change anything.`,
    '- Dependencies: check the project manifest before you import a library.',
    '- Brevity: explain in a few sentences what you did and what came of it.',
    '- Parallel calls: put independent calls, such as reads of several files, in one reply.',
    '- No prompts: run commands with flags such as -y or --non-interactive so that none waits for input.',
    '- Keep going: finish the task on your own; carry out a plan instead of ending with it.',
  ].join('\n');
};

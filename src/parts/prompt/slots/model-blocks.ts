/** A piece of advice for a model that has these tools. */
export type AdviceBlock = (tools: readonly string[]) => string;

/** Against announcing work instead of doing it. */
export const enforcementBlock: AdviceBlock = () => ENFORCEMENT;
const ENFORCEMENT = [
  '# Acting through tools',
  'Act through your tools instead of writing about it. What you say you will run, read, check or create is called in the same reply. Do not announce the next step: take it.',
  'Go on until the task is really done. A reply holds tool calls that move the work on, or the finished result; never intentions alone.',
].join('\n');

/** Against stopping early, answering from memory and skipping checks. */
export const disciplineBlock: AdviceBlock = (tools) =>
  ['# Execution discipline', ...PERSISTENCE, ...mandatory(tools), ...ACT, ...PREREQUISITES, ...VERIFICATION, ...CONTEXT].join('\n');

const PERSISTENCE = [
  '- Persistence: call a tool wherever it makes the answer more correct, complete or certain. After an empty or partial result try another way before you give up. You are through when the task is done and its result checked.',
];
const ACT = [
  '- Act, do not ask: if a request has an obvious reading, act on it. Ask only when readings lead to different work and nothing tells which is meant.',
];
const PREREQUISITES = [
  '- Prerequisites: before a step, settle what it depends on: facts, the present state, setup. Do not jump to the last step.',
];
const VERIFICATION = [
  '- Verification: before you answer, check that every point is met, that claims rest on tool results and that the form is as asked. Before an act with side effects, check its target.',
];
const CONTEXT = [
  '- Missing context: what you lack, look up with tools; do not guess. Ask if tools cannot tell. If you must assume, say what.',
];

/** What a model must not answer out of its head, and the tools that know. */
const MANDATORY: readonly { readonly what: string; readonly tools: readonly string[] }[] = [
  { what: 'arithmetic and any other calculation', tools: ['terminal', 'execute_code'] },
  { what: 'hashes, checksums, encodings', tools: ['terminal', 'execute_code'] },
  { what: 'time, date, time zone', tools: ['terminal'] },
  { what: 'the state of this machine: load, memory, disks, ports, what runs', tools: ['terminal'] },
  { what: 'contents, sizes and line counts of files', tools: ['read_file', 'search_files', 'terminal'] },
  { what: 'git history, branches, diffs', tools: ['terminal'] },
  { what: 'current facts (weather, news, versions)', tools: ['web_search'] },
];

function mandatory(tools: readonly string[]): string[] {
  const rows = MANDATORY.map((row) => ({ what: row.what, there: row.tools.filter((tool) => tools.includes(tool)) }));
  const known = Object.entries(Object.groupBy(rows, ({ there }) => there.join(', '))).filter(([names]) => names !== '');
  const lines = known.map(([names, group = []]) => `- ${group.map(({ what }) => what).join('; ')}: ${names}`);
  return lines.length === 0 ? [] : ['- Mandatory tools: never out of your head, always with a tool:', ...lines.map((line) => `  ${line}`)];
}

/** Against relative paths, guessed files and commands that wait for a key. */
export const operationBlock: AdviceBlock = (tools) => {
  const readers = ['read_file', 'search_files'].filter((tool) => tools.includes(tool));
  return [
    '# How to work',
    '- Absolute paths: give every file operation an absolute path; join a relative one to the project root first.',
    `- Verify first: look at files and at the shape of the project${readers.length === 0 ? '' : ` (${readers.join(', ')})`} before you change something; never guess what a file holds.`,
    '- Dependencies: take no library for granted; see that the manifest of the project names it before you import it.',
    '- Brevity: explain in a few sentences, not in paragraphs; tell what was done and what came of it.',
    '- Parallel calls: put calls that do not need each other, such as reads of several files, into one reply.',
    '- No prompts: run commands with flags such as -y, --yes or --non-interactive, so that none waits for a key.',
    '- Keep going: work on by yourself until the task is settled; carry out a plan instead of ending with it.',
  ].join('\n');
};

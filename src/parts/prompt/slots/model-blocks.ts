/** A piece of advice for a model that has these tools. */
export type Block = (tools: readonly string[]) => string;

/** Against announcing work instead of doing it. */
export const enforcement: Block = () => ENFORCEMENT;
const ENFORCEMENT = [
  '# Acting through tools',
  'Use your tools to act; do not write about acting. When you say that you will run, read, check or create something, the call for it stands in the same reply. Never close a turn by announcing the next step: take it.',
  'Go on until the task is really done. Each reply either holds tool calls that move the work on or hands over the finished result; one made of intentions alone is a mistake.',
].join('\n');

/** Against stopping early, answering from memory and skipping checks. */
export const discipline: Block = (tools) =>
  [
    '# Execution discipline',
    part('tool_persistence', PERSISTENCE),
    ...mandatory(tools),
    part('act_dont_ask', ACT),
    part('prerequisite_checks', PREREQUISITES),
    part('verification', VERIFICATION),
    part('missing_context', CONTEXT),
  ].join('\n');

const PERSISTENCE = [
  '- Call a tool wherever it makes the answer more correct, complete or certain; do not stop while another call would clearly help.',
  '- After an empty or partial result try another query or another way before you give up.',
  '- You are through when the task is done and its result checked.',
];
const ACT = [
  'If a request has an obvious reading, act on it. Ask only when readings lead to different work and you cannot find out which is meant.',
];
const PREREQUISITES = [
  'Before a step, settle what it depends on: facts to look up, the present state, setup. Do not jump to the last step because it looks easy.',
];
const VERIFICATION = [
  'Before you answer, check that every point of the request is met, that claims rest on tool results and that the form is the one asked for. Before an act with side effects, check its target.',
];
const CONTEXT = ['What you lack, look up with tools; do not guess. Ask if tools cannot tell. If you must assume, say what.'];

/** What a model must not answer out of its head, and the tools that know. */
const MANDATORY: readonly { readonly what: string; readonly tools: readonly string[] }[] = [
  { what: 'arithmetic and any other calculation', tools: ['terminal', 'execute_code'] },
  { what: 'hashes, checksums, encodings', tools: ['terminal', 'execute_code'] },
  { what: 'time, date, time zone', tools: ['terminal'] },
  { what: 'system state (OS, CPU, memory, disk, ports, processes)', tools: ['terminal'] },
  { what: 'contents, sizes and line counts of files', tools: ['read_file', 'search_files', 'terminal'] },
  { what: 'git history, branches, diffs', tools: ['terminal'] },
  { what: 'current facts (weather, news, versions)', tools: ['web_search'] },
];

function mandatory(tools: readonly string[]): string[] {
  const rows = MANDATORY.map((row) => ({ what: row.what, there: row.tools.filter((tool) => tools.includes(tool)) }));
  const lines = rows.filter(({ there }) => there.length > 0).map(({ what, there }) => `- ${what}: ${there.join(', ')}`);
  return lines.length === 0 ? [] : [part('mandatory_tool_use', ['Never out of your head, always with a tool:', ...lines])];
}

const part = (name: string, lines: readonly string[]): string => [`<${name}>`, ...lines, `</${name}>`].join('\n');

/** Against relative paths, guessed files and commands that wait for a key. */
export const operation: Block = (tools) => {
  const readers = ['read_file', 'search_files'].filter((tool) => tools.includes(tool));
  return [
    '# How to work',
    '- Absolute paths: give every file operation an absolute path; join a relative one to the project root first.',
    `- Verify first: look at files and at the shape of the project${readers.length === 0 ? '' : ` (${readers.join(', ')})`} before you change something; never guess what a file holds.`,
    '- Dependencies: take no library for granted; find it in package.json, requirements.txt, Cargo.toml or the like before you import it.',
    '- Brevity: explain in a few sentences, not in paragraphs; tell what was done and what came of it.',
    '- Parallel calls: put calls that do not need each other, such as reads of several files, into one reply.',
    '- No prompts: run commands with flags such as -y, --yes or --non-interactive, so that none waits for a key.',
    '- Keep going: work on by yourself until the task is settled; carry out a plan instead of ending with it.',
  ].join('\n');
};

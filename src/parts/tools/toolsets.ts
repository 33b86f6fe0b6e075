import type { Toolset } from '../../contracts/tool.ts';

/** Toolsets as data. A tool is in a session when one of the session's toolsets names it and it is available. */
export const TOOLSETS: readonly Toolset[] = [
  { name: 'terminal', description: 'Run commands and manage processes', tools: ['terminal', 'process'], includes: [] },
  {
    name: 'file',
    description: 'Read, write, patch and search files',
    tools: ['read_file', 'write_file', 'patch', 'search_files'],
    includes: [],
  },
  { name: 'todo', description: 'Keep a task list', tools: ['todo'], includes: [] },
  { name: 'clarify', description: 'Ask the user a question', tools: ['clarify'], includes: [] },
  { name: 'memory', description: 'Keep facts for later sessions', tools: ['memory'], includes: [] },
  { name: 'session_search', description: 'Search earlier sessions', tools: ['session_search'], includes: [] },
  {
    name: 'skills',
    description: 'Read and keep skills',
    tools: ['skills_list', 'skill_view', 'skill_manage'],
    includes: [],
  },
  { name: 'debugging', description: 'Terminal and files', tools: [], includes: ['terminal', 'file'] },
  {
    name: 'hermes-cli',
    description: 'Everything a terminal session has',
    tools: [],
    includes: ['terminal', 'file', 'todo', 'clarify', 'memory', 'session_search', 'skills'],
  },
  { name: 'none', description: 'No tools at all', tools: [], includes: [] },
];

/** Names of the tools in these toolsets, sets expanded, in the order the tools are listed. `all` or `*` means every set. */
export function expand(
  names: readonly string[],
  sets: readonly Toolset[] = TOOLSETS,
): { readonly tools: string[]; readonly unknown: string[] } {
  const byName = new Map(sets.map((set) => [set.name, set]));
  const wanted = names.some((name) => name === 'all' || name === '*') ? sets.map((set) => set.name) : names;
  const seen = new Set<string>();
  const unknown: string[] = [];
  const visit = (name: string): string[] => {
    const set = byName.get(name);
    if (set === undefined) unknown.push(name);
    if (set === undefined || seen.has(name)) return [];
    seen.add(name);
    return [...set.tools, ...set.includes.flatMap(visit)];
  };
  return { tools: [...new Set(wanted.flatMap(visit))], unknown };
}

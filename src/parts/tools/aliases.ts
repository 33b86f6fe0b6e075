import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../contracts/message.ts';

/** A tool that models know from other programs under another name. */
interface ToolAlias {
  readonly tool: string;
  /** What they call its parameters there. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** What the name itself says. */
  readonly preset?: JsonObject;
}

const PATH = { file_path: 'path', filepath: 'path', filename: 'path' };
const COMMAND = { cmd: 'command', script: 'command' };
const SEARCH = { query: 'pattern', regex: 'pattern', glob: 'file_glob', include: 'file_glob', head_limit: 'limit', directory: 'path' };
const EDIT = { ...PATH, old_str: 'old_string', new_str: 'new_string', oldString: 'old_string', newString: 'new_string' };

/** Names in lower case. One row for each name; likeness plays no part here, so that a name nobody listed stays unknown. */
const ALIASES: Readonly<Record<string, ToolAlias>> = {
  bash: { tool: 'terminal', renamed: COMMAND },
  shell: { tool: 'terminal', renamed: COMMAND },
  run_shell_command: { tool: 'terminal', renamed: COMMAND },
  run_command: { tool: 'terminal', renamed: COMMAND },
  execute_command: { tool: 'terminal', renamed: COMMAND },
  read: { tool: 'read_file', renamed: PATH },
  cat: { tool: 'read_file', renamed: PATH },
  view: { tool: 'read_file', renamed: PATH },
  write: { tool: 'write_file', renamed: PATH },
  create_file: { tool: 'write_file', renamed: { ...PATH, file_text: 'content' } },
  edit: { tool: 'patch', renamed: EDIT },
  str_replace: { tool: 'patch', renamed: EDIT },
  apply_patch: { tool: 'patch', renamed: { input: 'patch' }, preset: { mode: 'patch' } },
  grep: { tool: 'search_files', renamed: SEARCH },
  grep_search: { tool: 'search_files', renamed: SEARCH },
  glob: { tool: 'search_files', renamed: { directory: 'path' }, preset: { target: 'files' } },
  webfetch: { tool: 'web_extract', renamed: { url: 'urls' } },
  web_fetch: { tool: 'web_extract', renamed: { url: 'urls' } },
  websearch: { tool: 'web_search' },
  todowrite: { tool: 'todo' },
  task: { tool: 'delegate_task' },
};

const aliasOf = (name: string): ToolAlias | undefined => {
  const plain = name.trim().toLowerCase();
  return Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
};

/** The tool that is known elsewhere under this name. It may be one that is switched off here: that is for the caller to say. */
export const findAliasedName = (name: string, known: readonly string[]): string | undefined =>
  known.find((candidate) => candidate === aliasOf(name)?.tool);

/** Arguments given under the names of the other program; one that is there under our name, too, stays as it is. */
export function translateAliasedInput(name: string, input: Json): Json {
  const alias = aliasOf(name);
  if (alias === undefined || !isObject(input)) return input;
  const { renamed = {}, preset = {} } = alias;
  const entries = Object.entries(input).map(([key, value]) => {
    const ours = Object.hasOwn(renamed, key) ? renamed[key] : undefined;
    return [ours === undefined || ours in input ? key : ours, value] as const;
  });
  return { ...preset, ...Object.fromEntries(entries) };
}

import { isObject } from '../../base/json.ts';
import { quoteShellWord } from '../../base/shell.ts';
import type { Json, JsonObject } from '../../contracts/message.ts';

/** A tool that models know from other programs under another name. */
interface ToolAlias {
  readonly tool: string;
  /** What they call its parameters there. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** What the name itself says. */
  readonly preset?: JsonObject;
  /** Parameters there that say nothing here. */
  readonly ignored?: readonly string[];
  /** What is said in another form there, in ours; after all else. */
  adapt?(input: JsonObject): JsonObject;
}
/** A name there that stands for several tools of ours: one parameter says which. */
interface AliasFamily {
  readonly by: string;
  readonly rows: Readonly<Record<string, ToolAlias>>;
}

const PATH = { file_path: 'path', filepath: 'path', filename: 'path' };
const COMMAND = { cmd: 'command', script: 'command' };
const SEARCH = { query: 'pattern', regex: 'pattern', glob: 'file_glob', include: 'file_glob', head_limit: 'limit', directory: 'path' };
const EDIT = { ...PATH, old_str: 'old_string', new_str: 'new_string', oldString: 'old_string', newString: 'new_string' };

/** One program for files that its `command` tells apart. */
const EDITOR: AliasFamily = {
  by: 'command',
  rows: {
    view: { tool: 'read_file', renamed: PATH, ignored: ['command'], adapt: toLineRange },
    create: { tool: 'write_file', renamed: { ...PATH, file_text: 'content' }, ignored: ['command'] },
    str_replace: { tool: 'patch', renamed: EDIT, ignored: ['command'] },
  },
};
const LISTING: ToolAlias = { tool: 'terminal', ignored: ['ignore'], adapt: toListCommand };

/** Names in lower case. One row for each name; likeness plays no part here, so that a name nobody listed stays unknown. */
const ALIASES: Readonly<Record<string, ToolAlias | AliasFamily>> = {
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
  todowrite: { tool: 'todo', adapt: withIds },
  task: { tool: 'delegate_task', renamed: { prompt: 'goal' }, ignored: ['description', 'subagent_type'] },
  ls: LISTING,
  list_dir: LISTING,
  list_directory: LISTING,
  str_replace_editor: EDITOR,
  str_replace_based_edit_tool: EDITOR,
};

function aliasOf(name: string, input: Json): ToolAlias | undefined {
  const plain = name.trim().toLowerCase();
  const found = Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined;
  if (found === undefined || 'tool' in found) return found;
  const which = isObject(input) ? input[found.by] : undefined;
  return typeof which === 'string' && Object.hasOwn(found.rows, which) ? found.rows[which] : undefined;
}

function toListCommand({ path, ...rest }: JsonObject): JsonObject {
  const folder = typeof path === 'string' && path !== '' ? path : '.';
  return { command: `ls -la -- ${quoteShellWord(folder)}`, ...rest };
}

/** Tasks are known by their place there. */
function withIds({ todos, ...rest }: JsonObject): JsonObject {
  if (!Array.isArray(todos)) return { ...(todos !== undefined && { todos }), ...rest };
  const named = todos.map((item: Json, index): Json =>
    isObject(item) ? { id: String(index + 1), ...withoutKeys(item, ['activeForm']) } : item,
  );
  return { todos: named, ...rest };
}

/** The first and the last line, counted from 1; -1 is the end of the file. */
function toLineRange({ view_range: range, ...rest }: JsonObject): JsonObject {
  const [first, last] = Array.isArray(range) ? range : [];
  if (typeof first !== 'number') return rest;
  return { ...rest, offset: first, ...(typeof last === 'number' && last >= first && { limit: last - first + 1 }) };
}

const withoutKeys = (input: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)));

/** The tool that is known elsewhere under this name. It may be one that is switched off here: that is for the caller to say. */
export const findAliasedName = (name: string, input: Json, known: readonly string[]): string | undefined =>
  known.find((candidate) => candidate === aliasOf(name, input)?.tool);

/** Arguments given under the names of the other program; one that is there under our name, too, stays as it is. */
export function translateAliasedInput(name: string, input: Json): Json {
  const alias = aliasOf(name, input);
  if (alias === undefined || !isObject(input)) return input;
  const { renamed = {}, preset = {}, ignored = [] } = alias;
  const entries = Object.entries(withoutKeys(input, ignored)).map(([key, value]) => {
    const ours = Object.hasOwn(renamed, key) ? renamed[key] : undefined;
    return [ours === undefined || ours in input ? key : ours, value] as const;
  });
  const ours = { ...preset, ...Object.fromEntries(entries) };
  return alias.adapt?.(ours) ?? ours;
}

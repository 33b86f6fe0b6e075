import type { ToolRegistration } from '../../contracts/registries.ts';
import type { Toolset } from '../../contracts/tool.ts';

const BROWSER = 'navigate snapshot click type scroll back press get_images vision console'.split(' ').map((verb) => `browser_${verb}`);

/** One subject each: name, what it is for, its tools. */
const SUBJECTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['terminal', 'Run commands and manage processes', ['terminal', 'process']],
  ['file', 'Read, write, patch and search files', ['read_file', 'write_file', 'patch', 'search_files']],
  ['web', 'Search the web and read pages', ['web_search', 'web_extract']],
  ['search', 'Search the web only', ['web_search']],
  ['browser', 'Control a browser', BROWSER],
  ['vision', 'Look at images', ['vision_analyze']],
  ['image_gen', 'Create images', ['image_generate']],
  ['tts', 'Turn text into speech', ['text_to_speech']],
  ['moa', 'Ask several models and combine their answers', ['mixture_of_agents']],
  ['todo', 'Keep a task list', ['todo']],
  ['clarify', 'Ask the user a question', ['clarify']],
  ['memory', 'Save facts for later sessions', ['memory']],
  ['session_search', 'Search earlier sessions', ['session_search']],
  ['skills', 'Read and manage skills', ['skills_list', 'skill_view', 'skill_manage']],
  ['code_execution', 'Run a script that calls tools', ['execute_code']],
  ['delegation', 'Give work to child agents', ['delegate_task']],
  ['cronjob', 'Schedule jobs', ['cronjob']],
  ['messaging', 'Send messages to chats', ['send_message']],
  ['none', 'No tools at all', []],
];

const EVERYTHING = SUBJECTS.map(([name]) => name).filter((name) => name !== 'search' && name !== 'none');
const without = (...names: readonly string[]): string[] => EVERYTHING.filter((name) => !names.includes(name));

/** They tell or change what the owner keeps between sessions, or speak for the owner. */
export const OWNERS_TOOLSETS = ['memory', 'session_search', 'skills', 'cronjob', 'messaging'];

export const JUDGE_TOOLSETS = without('clarify', 'delegation', ...OWNERS_TOOLSETS);

/**
 * Sets of sets. What comes through a webhook is nobody's word, so it gets nothing that acts; where others read along, nothing
 * reads or changes what the owner keeps between sessions.
 */
const COMPOSITES: readonly (readonly [string, string, readonly string[]])[] = [
  ['debugging', 'Terminal, web and files', ['terminal', 'web', 'file']],
  ['safe', 'Nothing that acts on this machine', ['web', 'vision', 'image_gen']],
  ['coding', 'Work on code', without('image_gen', 'tts', 'cronjob', 'messaging', 'moa')],
  ['hermes-cli', 'Everything a terminal session has', EVERYTHING],
  ['hermes-cron', 'Everything a scheduled job has', without('clarify', 'cronjob', 'messaging')],
  ['hermes-gateway', 'Everything a chat has', EVERYTHING],
  ['hermes-guest', 'What a chat has that others read', without(...OWNERS_TOOLSETS)],
  ['hermes-acp', 'What an editor has', without('image_gen', 'tts', 'cronjob', 'messaging', 'moa')],
  ['hermes-api-server', 'What a caller of the API has', without('clarify', 'tts')],
  ['hermes-api-guest', 'What a caller of the API has that may not see what is remembered', without('clarify', 'tts', ...OWNERS_TOOLSETS)],
  ['hermes-webhook', 'What a webhook has', ['web', 'vision', 'clarify']],
];

/** Chats that have what the gateway has; an owner changes one of them by naming toolsets for it in the settings. */
const CHATS =
  'telegram discord slack whatsapp whatsapp_cloud signal sms bluebubbles mattermost matrix email feishu dingtalk weixin wecom wecom_callback qqbot yuanbao homeassistant'.split(
    ' ',
  );

/** Toolsets as data. A tool is in a session when one of the session's toolsets names it and it is available. */
export const TOOLSETS: readonly Toolset[] = [
  ...SUBJECTS.map(([name, description, tools]) => ({ name, description, tools, includes: [] })),
  ...COMPOSITES.map(([name, description, includes]) => ({ name, description, tools: [], includes })),
  ...CHATS.map((chat) => ({
    name: `hermes-${chat.replaceAll('_', '-')}`,
    description: `Everything a ${chat} chat has`,
    tools: [],
    includes: ['hermes-gateway'],
  })),
];

/** The sets with the tools that joined them by their own word. */
export const withJoined = (sets: Iterable<Toolset>, tools: ReadonlyMap<string, Pick<ToolRegistration, 'toolsets'>>): readonly Toolset[] => {
  const joins = [...tools].flatMap(([tool, { toolsets = [] }]) => toolsets.map((set) => ({ tool, set })));
  return [...sets].map((set) => ({
    ...set,
    tools: [...set.tools, ...joins.flatMap((join) => (join.set === set.name ? [join.tool] : []))],
  }));
};

/** Tools every request lists in full; others leave the table when it grows too large, and are found by search. */
export const CORE_TOOLS: ReadonlySet<string> = new Set(
  [
    'terminal process read_file write_file patch search_files todo clarify memory session_search skills_list skill_view skill_manage',
    'execute_code delegate_task web_search web_extract context_recall',
  ].flatMap((names) => names.split(' ')),
);

/** Names of the tools in these toolsets, and of every set that was met on the way. */
export interface ExpandedToolsets {
  readonly tools: string[];
  readonly sets: string[];
  readonly unknown: string[];
}

/** Sets expanded, in the order the tools are listed. `all` or `*` means every set. */
export const expand = (names: readonly string[], sets: readonly Toolset[] = TOOLSETS): ExpandedToolsets => createExpansion(sets)(names);

/** The same for whoever expands more than once. */
export function createExpansion(sets: readonly Toolset[]): (names: readonly string[]) => ExpandedToolsets {
  const byName = new Map(sets.map((set) => [set.name, set]));
  return (names) => expandNames(names, byName);
}

function expandNames(names: readonly string[], byName: ReadonlyMap<string, Toolset>): ExpandedToolsets {
  const wanted = names.some((name) => name === 'all' || name === '*') ? [...byName.keys()] : names;
  const seen = new Set<string>();
  const unknown: string[] = [];
  const visit = (name: string): string[] => {
    const set = byName.get(name);
    if (set === undefined) unknown.push(name);
    if (set === undefined || seen.has(name)) return [];
    seen.add(name);
    return [...set.tools, ...set.includes.flatMap(visit)];
  };
  return { tools: [...new Set(wanted.flatMap(visit))], sets: [...seen], unknown };
}

/** A toolset with all tools it brings, those of the sets it includes among them. */
export type FlatToolset = Pick<Toolset, 'name' | 'tools'>;

/** The sets of which at least one tool can be called: a set whose tools are all missing is not there. */
export const listPresentSets = (sets: readonly FlatToolset[], tools: readonly string[]): string[] =>
  sets.flatMap((set) => (set.tools.some((tool) => tools.includes(tool)) ? [set.name] : []));

/** Every tool of the built-in sets as an entry of a host: a session makes its own of each. */
export const createBuiltinEntries = (): Readonly<Record<string, ToolRegistration>> =>
  Object.fromEntries(expand(['all']).tools.map((name) => [name, { open: ({ builtin }) => builtin(name) } satisfies ToolRegistration]));

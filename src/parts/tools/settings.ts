import type { SettingsSlice } from '../../contracts/settings.ts';

export const toolSettings = {
  toolsets: {
    kind: 'list',
    owner: true,
    default: ['hermes-cli'],
    describe: 'The toolsets of a new session.',
    flag: '-t, --toolsets',
  },
  'agent.disabled_toolsets': {
    kind: 'list',
    owner: true,
    default: [],
    describe: 'Toolsets or single tools that no session gets. `hermes tools disable` adds to this list.',
  },
  platform_toolsets: {
    kind: 'table',
    owner: true,
    default: {},
    describe: 'Toolsets by platform, for example telegram: [web, memory]. A platform that is not listed has the toolset hermes-PLATFORM.',
  },
  custom_toolsets: {
    kind: 'table',
    owner: true,
    default: {},
    describe: 'Your own toolsets: NAME: {description, tools: [...], includes: [...]}.',
  },
  'tools.tool_search.enabled': {
    kind: 'choice',
    owner: true,
    default: 'auto',
    choices: ['auto', 'on', 'off'],
    describe:
      'Whether to leave less common tools out of the tool table, so that the model finds them with tool_search. `auto` does this when the table is larger than `tools.tool_search.max_table_bytes`.',
  },
  'tools.tool_search.max_table_bytes': {
    kind: 'integer',
    owner: true,
    default: 9_600,
    min: 0,
    describe: 'Size of the tool table, in bytes, above which `auto` turns tool search on.',
  },
  'tools.tool_search.listing_max_chars': {
    kind: 'integer',
    owner: true,
    default: 1_400,
    min: 100,
    describe: 'Maximum length of the list of searchable tools, in characters.',
  },
  'tools.tool_search.search_default_limit': {
    kind: 'integer',
    owner: true,
    default: 5,
    min: 1,
    describe: 'How many tools a search describes by default.',
  },
  'tools.tool_search.max_search_limit': {
    kind: 'integer',
    owner: true,
    default: 25,
    min: 1,
    describe: 'Maximum number of tools a search can describe.',
  },
  'auxiliary.approval.model': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The model that judges risky commands in smart mode (`approvals.mode`). Empty means the model of the session.',
  },
  'auxiliary.approval.provider': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The provider of the approval model. Empty means the provider of the session.',
  },
  'auxiliary.vision.model': {
    kind: 'string',
    default: '',
    describe: 'The model that looks at images for tools. Empty means the model of the session.',
  },
  'auxiliary.vision.provider': {
    kind: 'string',
    owner: true,
    default: '',
    describe: 'The provider of the vision model. Empty means the provider of the session.',
  },
  'tool_output.max_result_chars': {
    kind: 'integer',
    default: 100_000,
    min: 1_000,
    describe: 'Maximum length of a tool result, in characters. A longer result goes to a file, and the model sees a preview.',
  },
  'tool_output.max_turn_chars': {
    kind: 'integer',
    default: 200_000,
    min: 2_000,
    describe: 'Maximum length of all tool results of one step, in characters. If they are longer, the largest go to files first.',
  },
  'tool_output.preview_chars': {
    kind: 'integer',
    default: 1_500,
    min: 100,
    describe: 'Length of the preview when a tool result goes to a file, in characters.',
  },
  'tool_output.keep_hours': {
    kind: 'integer',
    default: 168,
    min: 1,
    describe: 'How long to keep tool results in files, in hours.',
  },
  file_read_max_chars: {
    kind: 'integer',
    default: 100_000,
    min: 1_000,
    describe:
      'Maximum length of the text that one read_file call returns, in characters. If the requested lines are longer, it returns those that fit.',
  },
} as const satisfies SettingsSlice;

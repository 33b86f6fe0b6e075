/** Files of a project that this agent reads as instructions, by kind. Of each folder the first name with words in it speaks. */
export const CONTEXT_FILE_NAMES = {
  hermes: ['.hermes.md', 'HERMES.md'],
  agents: ['AGENTS.md', 'agents.md'],
  claude: ['CLAUDE.md', 'claude.md'],
  cursor: ['.cursorrules'],
} as const;
/** A folder of further rules: all files with this ending below it. */
export const CONTEXT_RULES = { folder: '.cursor/rules', ending: '.mdc' } as const;

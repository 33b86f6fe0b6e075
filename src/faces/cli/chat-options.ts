/** An option of `chat` as data: commander and the short way past it (`plain-chat.ts`) read the same rows. */
export interface ChatOption {
  readonly flags: string;
  readonly describe: string;
  readonly choices?: readonly string[];
  /** The option it cannot stand beside, as a key of the flags. */
  readonly conflicts?: string;
  readonly kind?: 'whole number';
}

export const CHAT_OPTIONS: readonly ChatOption[] = [
  { flags: '-q, --query <text>', describe: 'the message; - reads it from stdin', conflicts: 'queryFile' },
  { flags: '--query-file <path>', describe: 'read the message from a file; - is stdin', conflicts: 'query' },
  { flags: '--resume <id>', describe: 'go on with a session: an id, a unique beginning of one, or a title', conflicts: 'continue' },
  { flags: '--continue', describe: 'go on with the newest session of this folder', conflicts: 'resume' },
  { flags: '--json', describe: 'the events as JSON lines instead of the answer' },
  { flags: '-m, --model <model>', describe: 'the model, as its provider names it' },
  { flags: '--provider <name>', describe: 'the provider by name' },
  { flags: '--base-url <url>', describe: 'another address for the provider' },
  { flags: '--api-mode <mode>', describe: 'the wire format', choices: ['chat_completions', 'anthropic_messages', 'responses'] },
  { flags: '-t, --toolsets <names>', describe: 'toolsets, separated by commas' },
  { flags: '--max-turns <n>', describe: 'model calls this turn may take; 0 means no limit', kind: 'whole number' },
  { flags: '--ignore-rules', describe: 'leave out SOUL.md, project context and hints' },
  { flags: '--yolo', describe: 'allow without asking all but the hard floor and what it could not look at' },
  { flags: '--cwd <dir>', describe: 'work in this folder' },
];

import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

/** The options of `chat`, as data: the command line's parser and the short way past it read the same rows. */
export const CHAT_OPTIONS = {
  query: {
    kind: 'text',
    letter: 'q',
    placeholder: 'text',
    description: 'the message; - reads it from standard input',
    conflicts: 'queryFile',
  },
  queryFile: {
    kind: 'text',
    placeholder: 'path',
    completes: 'file',
    description: 'read the message from a file; - is standard input',
    conflicts: 'query',
  },
  resume: {
    kind: 'text',
    letter: 'r',
    placeholder: 'id',
    completes: 'session',
    description: 'continue a session: its id, the first characters of its id, or its title',
    conflicts: 'continue',
  },
  continue: { kind: 'flag', letter: 'c', description: 'continue the newest session of this folder', conflicts: 'resume' },
  json: { kind: 'flag', description: 'print events as JSON lines instead of the answer' },
  model: { kind: 'text', letter: 'm', completes: 'model', description: 'the model to use, as its provider names it' },
  provider: { kind: 'text', placeholder: 'name', completes: 'provider', description: 'the provider to use' },
  baseUrl: { kind: 'text', placeholder: 'url', description: 'the address of the model server' },
  apiMode: {
    kind: 'choice',
    placeholder: 'mode',
    description: 'the wire format',
    choices: ['chat_completions', 'anthropic_messages', 'responses'],
  },
  toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'the toolsets to use, separated by commas' },
  maxTurns: { kind: 'whole_number', placeholder: 'n', description: 'maximum number of model calls in this turn; 0 means no limit' },
  ignoreRules: { kind: 'flag', description: 'do not load SOUL.md, project files and hints' },
  yolo: {
    kind: 'flag',
    unsafe: true,
    description: 'run everything without asking; commands that would destroy the system are still refused',
  },
  quiet: { kind: 'flag', letter: 'Q', description: 'with -q: print the answer alone, also on a terminal', conflicts: 'verbose' },
  verbose: { kind: 'flag', letter: 'v', description: 'with -q: say on standard error what came from the prompt cache' },
  cwd: { kind: 'text', placeholder: 'dir', completes: 'folder', description: 'the working directory' },
} as const;
export type ChatValues = ParsedValues<typeof CHAT_OPTIONS>;

/** A turn is a stream of events, not a value: the face draws it itself. */
export const chat = defineCommand({
  name: 'chat',
  category: 'conversation',
  summary: 'Open the terminal UI; with -q, send one message and print the answer',
  options: CHAT_OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  ownerOnly: ({ yolo }) => (yolo === true ? 'chat without questions' : undefined),
  examples: [
    'hermes "fix the failing tests"    opens the terminal UI with a first message',
    'hermes chat -q "summarize README.md"',
    'git diff | hermes chat -q -    the message comes from stdin',
    'hermes chat --continue -q "and now the tests"',
    'hermes chat -q hi --json | jq -r \'select(.type == "outcome").text\'',
    'hermes chat -q hi --base-url http://127.0.0.1:11434/v1 -m qwen3',
  ],
});

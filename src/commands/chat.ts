import type { ParsedValues } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';

/** The options of `chat`, as data: the command line's parser and the short way past it read the same rows. */
export const CHAT_OPTIONS = {
  query: { kind: 'text', letter: 'q', placeholder: 'text', description: 'the message; - reads it from stdin', conflicts: 'queryFile' },
  queryFile: { kind: 'text', placeholder: 'path', description: 'read the message from a file; - is stdin', conflicts: 'query' },
  resume: {
    kind: 'text',
    placeholder: 'id',
    description: 'go on with a session: an id, a unique beginning of one, or a title',
    conflicts: 'continue',
  },
  continue: { kind: 'flag', description: 'go on with the newest session of this folder', conflicts: 'resume' },
  json: { kind: 'flag', description: 'the events as JSON lines instead of the answer' },
  model: { kind: 'text', letter: 'm', description: 'the model, as its provider names it' },
  provider: { kind: 'text', placeholder: 'name', description: 'the provider by name' },
  baseUrl: { kind: 'text', placeholder: 'url', description: 'another address for the provider' },
  apiMode: {
    kind: 'choice',
    placeholder: 'mode',
    description: 'the wire format',
    choices: ['chat_completions', 'anthropic_messages', 'responses'],
  },
  toolsets: { kind: 'text', letter: 't', placeholder: 'names', description: 'toolsets, separated by commas' },
  maxTurns: { kind: 'whole_number', placeholder: 'n', description: 'model calls this turn may take; 0 means no limit' },
  ignoreRules: { kind: 'flag', description: 'leave out SOUL.md, project context and hints' },
  yolo: { kind: 'flag', unsafe: true, description: 'allow without asking all but the hard floor and what it could not look at' },
  cwd: { kind: 'text', placeholder: 'dir', description: 'work in this folder' },
} as const;
export type ChatValues = ParsedValues<typeof CHAT_OPTIONS>;

/** A turn is a stream of events, not a value: the face draws it itself. */
export const chat = defineCommand({
  name: 'chat',
  category: 'conversation',
  summary: 'Ask once: the final answer goes to stdout, everything else to stderr',
  options: CHAT_OPTIONS,
  where: ['shell'],
  whileBusy: 'refuse',
  ownerOnly: ({ yolo }) => (yolo === true ? 'chat without questions' : undefined),
  examples: [
    'hermes chat -q "summarise README.md"',
    'git diff | hermes chat -q -    the message comes from stdin',
    'hermes chat --continue -q "and now the tests"',
    'hermes chat -q hi --json | jq -r \'select(.type == "outcome").text\'',
    'hermes chat -q hi --base-url http://127.0.0.1:11434/v1 -m qwen3',
  ],
});

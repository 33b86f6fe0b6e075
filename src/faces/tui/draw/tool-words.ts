import { describeToolCall } from '../../../commands/tool-words.ts';
import type { ToolBlock } from '../contract.ts';

/** A call that runs, in a few words: `npm test`, `src/a.ts`. */
export function summarizeToolCall({ call }: Pick<ToolBlock, 'call'>): string {
  const { verb, object } = describeToolCall(call);
  return `${verb} ${object}`.trim();
}

/** What is being done, without to what: the row of the call says that. */
export function describeDoing({ call }: Pick<ToolBlock, 'call'>): string {
  const { verb } = describeToolCall(call);
  return DOING.get(verb) ?? `Running ${verb}`;
}
const DOING: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    Run: 'Running a command',
    Start: 'Starting a command',
    Process: 'Looking after a process',
    Read: 'Reading',
    Write: 'Writing a file',
    Edit: 'Editing',
    Find: 'Searching',
    Search: 'Searching',
    'Search the web for': 'Searching the web',
    Fetch: 'Fetching',
    Tasks: 'Planning',
    Ask: 'Waiting for your answer',
    Memory: 'Remembering',
    'Search sessions for': 'Searching sessions',
    Recall: 'Recalling',
    'List skills': 'Looking for a skill',
    'Read skill': 'Reading a skill',
    Skill: 'Working on a skill',
    Delegate: 'Delegating',
    'Ask several models': 'Asking several models',
    'Search tools for': 'Looking for a tool',
    'Look at': 'Looking at an image',
    Draw: 'Drawing',
    Speak: 'Speaking',
    Send: 'Sending',
    Schedule: 'Scheduling',
  }),
);

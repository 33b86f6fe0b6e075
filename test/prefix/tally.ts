import { isMessageEntry, type Entry } from '../../src/contracts/entry.ts';
import type { Message } from '../../src/contracts/message.ts';

/** How often something occurred, by its name. */
export type Counts = Readonly<Record<string, number>>;

export function sum(all: readonly Counts[]): Counts {
  const total: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** What a log shows of all that could disturb a prefix. A name that never counts anything in a whole run was not tested. */
export function countLog(entries: readonly Entry[]): Counts {
  const counts = Object.entries(SIGNS).map(([name, shows]) => [name, entries.filter(shows).length] as const);
  return Object.fromEntries(counts);
}

const says = (shows: (message: Message) => boolean) => (entry: Entry) => isMessageEntry(entry) && shows(entry.message);
const ran = (...names: readonly string[]) => says((message) => message.role === 'tool' && !message.failed && names.includes(message.name));
const holds = (words: string) => says(({ content }) => content.some((block) => block.type === 'text' && block.text.includes(words)));

const SIGNS: Readonly<Record<string, (entry: Entry) => boolean>> = {
  'messages of the user': (entry) => entry.origin === 'user' && entry.type === 'message',
  'texts steered into a turn': (entry) => entry.origin === 'steer',
  'nudges of recoveries': (entry) => entry.origin === 'nudge',
  'files read and searched': ran('read_file', 'search_files'),
  'files written': ran('write_file'),
  commands: ran('terminal'),
  'memory writes': ran('memory'),
  'skills made or deleted': ran('skill_manage'),
  'skills looked at': ran('skills_list', 'skill_view'),
  'task lists': ran('todo'),
  'searches of earlier sessions': ran('session_search'),
  'calls that failed or named no tool': says((message) => message.role === 'tool' && message.failed),
  'hints of subfolders': says(({ content }) =>
    content.some((block) => block.type === 'text' && block.source?.startsWith('hint:') === true),
  ),
  'results spilled to disk': holds('cache/spillover'),
  'replies with parallel calls': says(({ content }) => content.filter((block) => block.type === 'tool_call').length > 1),
  'replies with signed reasoning': says(({ content }) => content.some((block) => block.type === 'thinking' && block.native !== undefined)),
  'messages with an image': says(({ content }) => content.some((block) => block.type === 'image')),
  'messages with overlays, instructions or recalled memory': (entry) => isMessageEntry(entry) && (entry.wireOnly?.length ?? 0) > 0,
  'prefilled exchanges': (entry) => isMessageEntry(entry) && (entry.wireBefore?.length ?? 0) > 0,
  compactions: (entry) => entry.type === 'compaction',
  'new prompts after the first': (entry) => entry.type === 'epoch' && entry.cause !== 'start',
  'turns taken back': (entry) => entry.type === 'rewind',
  'changes of the route': (entry) => entry.type === 'model_change',
};

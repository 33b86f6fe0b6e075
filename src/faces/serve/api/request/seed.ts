import type { NewEntry } from '../../../../contracts/entry.ts';
import type { AssistantMessage, ImageBlock, TextBlock, UserMessage } from '../../../../contracts/message.ts';
import type { ClientMessage } from './messages.ts';

type SaidBlock = TextBlock | ImageBlock;
interface Said {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly SaidBlock[];
}
/** What a session begins with that goes on with a conversation held elsewhere. */
export interface Seed {
  readonly entries: readonly NewEntry[];
  /** What of it belongs in front of the message that is asked now. */
  readonly before: readonly SaidBlock[];
}

/** The blocks of a message, with whose words they are. */
export const toSaidBlocks = (message: ClientMessage): readonly SaidBlock[] => toSaid(message).blocks;

const ANSWERS = 'an answer that the client sent along';
const RESULTS = 'a tool result that the client sent along';

/**
 * Turns a client's messages into the beginning of a log. Words of the user are those of whoever has the key. What the client says
 * that the assistant or a tool said, nobody here said: it is foreign. Roles alternate and begin with the user.
 */
export function createSeed(history: readonly ClientMessage[]): Seed {
  const said = history.map(toSaid).reduce(join, []);
  const rest = said.at(-1)?.role === 'user' ? said.at(-1) : undefined;
  return { entries: (rest === undefined ? said : said.slice(0, -1)).map(toEntry), before: rest?.blocks ?? [] };
}

function toSaid(message: ClientMessage): Said {
  const { role, blocks } = message;
  if (role === 'user') return { role, blocks };
  const source = role === 'assistant' ? ANSWERS : RESULTS;
  const foreign = blocks.map((block): SaidBlock => ({ ...block, trust: 'foreign', ...(block.type === 'text' && { source }) }));
  return { role: role === 'assistant' ? 'assistant' : 'user', blocks: foreign };
}

/** One message for each change of speaker. An answer to nothing becomes part of the first question. */
function join(said: readonly Said[], next: Said): readonly Said[] {
  if (next.blocks.length === 0) return said;
  const last = said.at(-1);
  if (last === undefined) return [{ ...next, role: 'user' }];
  if (last.role !== next.role) return [...said, next];
  return [...said.slice(0, -1), { ...last, blocks: [...last.blocks, ...next.blocks] }];
}

const toEntry = ({ role, blocks }: Said): NewEntry =>
  role === 'user'
    ? { type: 'message', origin: 'user', message: { role, content: blocks } satisfies UserMessage }
    : {
        type: 'message',
        origin: 'model',
        message: { role, content: blocks.filter((block) => block.type === 'text') } satisfies AssistantMessage,
      };

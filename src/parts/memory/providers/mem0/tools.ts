import { count, defineMemoryTool, text } from '../tool-input.ts';

export const MAX_FOUND = 50;
export const MEM0_TOOLS = [
  defineMemoryTool('mem0_search', 'Search what Mem0 remembers about this person, by meaning. Results have ids.', {
    query: text('what to look for'),
    'top_k?': count('how many memories at most (10)', MAX_FOUND),
  }),
  defineMemoryTool('mem0_add', 'Store one fact about this person in Mem0, word for word.', { content: text('the fact, one sentence') }),
  defineMemoryTool('mem0_update', 'Replace the text of one memory of this person.', {
    memory_id: text('its id, from mem0_search'),
    content: text('the new text'),
  }),
  defineMemoryTool('mem0_delete', 'Delete one memory of this person that is wrong or no longer wanted.', {
    memory_id: text('its id, from mem0_search'),
  }),
];

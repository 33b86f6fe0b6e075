import { count, defineMemoryTool, text } from '../tool-input.ts';

export const MAX_FOUND = 50;
export const SUPERMEMORY_TOOLS = [
  defineMemoryTool('supermemory_store', 'Store one fact about this person in Supermemory.', { content: text('the fact, one sentence') }),
  defineMemoryTool('supermemory_search', 'Search what Supermemory remembers about this person, by meaning. Results have ids.', {
    query: text('what to look for'),
    'limit?': count('how many memories at most (10)', MAX_FOUND),
  }),
  defineMemoryTool('supermemory_forget', 'Forget one memory of this person that is wrong or no longer wanted.', {
    memory_id: text('its id, from supermemory_search'),
  }),
  defineMemoryTool('supermemory_profile', 'Read the profile of this person: what lasts and what is recent.', {
    'query?': text('what to look for besides'),
  }),
];

import { count, defineMemoryTool, oneOf, text } from '../tool-input.ts';

export const MAX_FOUND = 50;
export const DETAILS = ['abstract', 'overview', 'full'] as const;
export const VIKING_TOOLS = [
  defineMemoryTool('viking_search', 'Search memories and documents in OpenViking, by meaning. Results have addresses for viking_read.', {
    query: text('what to look for'),
    'limit?': count('how many results at most (10)', MAX_FOUND),
  }),
  defineMemoryTool('viking_read', 'Read a memory or a document in OpenViking.', {
    uri: text('its address: viking://…'),
    'detail?': oneOf(DETAILS, 'how much of it; abstract and overview are for folders (full)'),
  }),
  defineMemoryTool('viking_browse', 'List what is below an address in OpenViking.', {
    'uri?': text('viking://…; your memories when left out'),
  }),
  defineMemoryTool('viking_remember', 'Store one fact about this person in OpenViking.', { content: text('the fact, one sentence') }),
  defineMemoryTool('viking_add_resource', 'Have OpenViking read a public web page and keep it as a document.', {
    url: text('https://…'),
    'reason?': text('what it is for'),
  }),
];

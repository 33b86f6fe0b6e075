import { defineMemoryTool, text } from '../tool-input.ts';

export const HINDSIGHT_TOOLS = [
  defineMemoryTool('hindsight_retain', 'Store something about this person in Hindsight, which extracts the facts in it.', {
    content: text('what to remember'),
    'context?': text('what it belongs to, in a few words'),
  }),
  defineMemoryTool('hindsight_recall', 'Search what Hindsight remembers about this person.', { query: text('what to look for') }),
  defineMemoryTool('hindsight_reflect', 'Ask Hindsight a question; it thinks about all it knows of this person. Slow.', {
    query: text('the question'),
  }),
];

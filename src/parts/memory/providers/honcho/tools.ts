import { count, defineMemoryTool, oneOf, text } from '../tool-input.ts';
import { REASONING_LEVELS } from './settings.ts';

export const MAX_FOUND = 50;
const PEER = oneOf(['user', 'ai'], 'whom it is about: the person, or you (user)');
export const HONCHO_TOOLS = [
  defineMemoryTool('honcho_profile', 'Read the card of a peer: the most important facts in short lines. Fast.', { 'peer?': PEER }),
  defineMemoryTool('honcho_search', 'Search what this person said in all sessions, and what was concluded from it. Conclusions have ids.', {
    query: text('what to look for'),
    'limit?': count('how many results at most (10)', MAX_FOUND),
  }),
  defineMemoryTool('honcho_context', 'Read the whole picture: card, conclusions, and the summary of this session.', {
    'query?': text('what it should be about'),
    'peer?': PEER,
  }),
  defineMemoryTool('honcho_reasoning', 'Ask Honcho a question about this person; it thinks about all it knows. Slow.', {
    query: text('the question'),
    'reasoning_level?': oneOf(REASONING_LEVELS, 'how hard to think'),
    'peer?': PEER,
  }),
  defineMemoryTool('honcho_conclude', 'Store a conclusion about this person, or delete one that is wrong.', {
    'conclusion?': text('the fact, one sentence'),
    'delete_id?': text('the id of the conclusion to delete, from honcho_search'),
  }),
];

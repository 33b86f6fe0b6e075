import type { PromptSlot } from '../../../contracts/prompt.ts';

/** What a child is told of its place: whom it works for, that nobody answers, and that its last message is all that is read. */
const CHILD = [
  'You are a sub-agent. Another agent gave you the task below and is waiting for your report.',
  'Nobody can answer questions: make a reasonable choice and say what you assumed.',
  'Your last message is the report, and all the other agent reads. Say what you did, what you found, which files you changed (full paths) and what is still open.',
].join('\n');

/** Said to an agent that works for another; the owner's own session needs no such line. */
export const roleSlot: PromptSlot = {
  name: 'role',
  order: 15,
  lifetime: 'session',
  cap: 1_000,
  render: ({ role }) => (role === 'child' ? CHILD : undefined),
};

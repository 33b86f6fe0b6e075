import type { Slot } from '../../../contracts/prompt.ts';

interface Guidance {
  readonly tool: string;
  readonly words: string;
  /** Sentences that name another tool; said only where that one is there too. */
  readonly beside?: readonly { readonly tool: string; readonly words: string }[];
}

/** When to reach for the tools that only pay off later; what a tool takes is in its own description. */
const GUIDANCE: readonly Guidance[] = [
  {
    tool: 'memory',
    words:
      'What you save with memory stands in every later prompt, so keep it short: what the user prefers, how this machine is set up, quirks, conventions; above all what spares the user from correcting you again. Not the progress and results of tasks.',
    beside: [
      { tool: 'session_search', words: 'Those are found again with session_search.' },
      { tool: 'skill_manage', words: 'A way of doing something belongs in a skill.' },
    ],
  },
  {
    tool: 'session_search',
    words: 'When an earlier session may hold what you need, look with session_search before you ask.',
  },
  {
    tool: 'skill_manage',
    words:
      'After a task of five or more tool calls, a stubborn error or a procedure worth repeating, keep the way as a skill with skill_manage. Patch a skill that is wrong, outdated or incomplete right away, unasked.',
  },
];

export const guidanceSlot: Slot = {
  name: 'guidance',
  order: 20,
  lifetime: 'session',
  cap: 1_100,
  render: ({ tools }) => {
    const paragraphs = GUIDANCE.filter(({ tool }) => tools.includes(tool)).map((each) => paragraph(each, tools));
    return paragraphs.length === 0 ? undefined : paragraphs.join('\n');
  },
};

const paragraph = ({ words, beside = [] }: Guidance, tools: readonly string[]): string =>
  [words, ...beside.filter(({ tool }) => tools.includes(tool)).map((each) => each.words)].join(' ');

import { UsageError } from '../base/errors.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { AgentEvent } from '../contracts/event.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

const FACTS = { category: 'conversation', where: ['terminal', 'chat'], whileBusy: 'run', needs: ['store', 'openSession'] } as const;
const SESSION = { ...SESSION_REF, session: 'there is no session yet; send a message first.' } as const;

/** A question beside the conversation. The words of the answer are reported as they come. */
export const btw = defineCommand({
  ...FACTS,
  name: 'btw',
  summary: 'Ask something beside the conversation; neither question nor answer becomes part of it',
  arguments: { session: SESSION, question: { kind: 'text', required: true, prose: true, description: 'the question' } },
  examples: ['/btw what was the name of that file?'],
  run: async ({ session: ref, question }, { store, openSession }, { report, signal }: CommandContext<AgentEvent>) => {
    const events = (await openSession(await findSession(ref, store))).aside(question, signal);
    for (;;) {
      const { value, done } = await events.next();
      if (done !== true) report(value);
      else if (value.ok) return { answer: value.text };
      else throw new UsageError(`the question was not answered: ${value.why.replace(/\.$/, '')}.`);
    }
  },
  describe: ({ answer }) => answer,
});

export const bg = defineCommand({
  ...FACTS,
  name: 'bg',
  slash: ['bg', 'background'],
  summary: 'Work on something in the background, in a session of its own; a notice says how it ended',
  arguments: {
    session: { ...SESSION, begins: true },
    words: { kind: 'text', required: true, prose: true, placeholder: 'message', description: 'what to do' },
  },
  ownerOnly: true,
  examples: ['/bg run the whole test suite and list what fails'],
  needs: ['store', 'openSession', 'background'],
  run: async ({ session: ref, words }, { store, openSession, background }) => {
    const session = await findSession(ref, store);
    return background.start(session, (await openSession(session)).runtime, words);
  },
  describe: ({ id }) => `Started in session ${id}. You are told when it is done. To look at it: /resume ${id}`,
});

/** Children that work for a session, sessions in the background, and processes that go on. */
export const agents = defineCommand({
  category: 'insight',
  where: ['terminal', 'chat'],
  whileBusy: 'run',
  name: 'agents',
  slash: ['agents', 'tasks'],
  summary: 'List child agents, background sessions and background processes',
  arguments: { session: { ...SESSION, begins: true } },
  examples: ['/agents'],
  needs: ['store', 'background', 'processes'],
  run: async ({ session: ref }, { store, background, processes }) => {
    const session = await findSession(ref, store);
    const children = (await store.list()).filter(({ parent }) => parent?.sessionId === session.id && parent.kind === 'child');
    return {
      children,
      background: background.list(),
      processes: (await processes.list()).filter(({ sessionId, state }) => sessionId === session.id && state !== 'exited'),
    };
  },
  describe: ({ children, background, processes }) => {
    const lines = [
      ...children.map(({ id, title = '', unfinished }) => `child ${id}  ${toVisibleLine(title)}${unfinished ? ' (not finished)' : ''}`),
      ...background.map(
        ({ session: { id, title = '' }, done }) => `background ${id}  ${toVisibleLine(title)}${done ? ' (done)' : ' (running)'}`,
      ),
      ...processes.map(({ id, command, state }) => `process ${id}  ${toVisibleLine(command)} (${state})`),
    ];
    return lines.join('\n') || 'Nothing is running in the background.';
  },
});

/** What a project's context file is written by. */
const INIT_PROMPT = [
  'Write a file AGENTS.md for this project, or improve the one that is there.',
  'Look at the project first: its layout, how it is built, tested and checked, and the rules its code follows.',
  'Write what an engineer needs who has never seen it: the commands to run, where things go, the rules that are easily broken.',
  'Keep it under 80 lines. Leave out what every project has, and never write a secret into it.',
].join('\n');

export const init = defineCommand({
  ...FACTS,
  name: 'init',
  summary: 'Let the agent write AGENTS.md, the file with the rules of this project',
  arguments: { session: { kind: 'text', description: SESSION_REF.description, session: '' } },
  whileBusy: 'refuse',
  ownerOnly: true,
  examples: ['/init'],
  needs: [],
  run: async (_values, _services, { followUp }) => {
    followUp?.({ type: 'send', message: { role: 'user', content: [{ type: 'text', text: INIT_PROMPT, trust: 'owner' }] } });
    return {};
  },
  describe: () => 'Writing AGENTS.md.',
});

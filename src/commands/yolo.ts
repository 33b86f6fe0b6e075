import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** Takes the questions away for one session. Only where the owner sits at the terminal, and never for an agent. */
export const yolo = defineCommand({
  category: 'safety',
  where: ['terminal'],
  whileBusy: 'run',
  needsScreen: true,
  name: 'yolo',
  summary: 'Run risky commands without asking in this session, or ask again; what would destroy the system is refused all the same',
  arguments: {
    session: { ...SESSION_REF, session: 'there is no session yet; send a message first.', begins: true },
    state: { kind: 'choice', choices: ['on', 'off'], description: 'on or off; the other one when left out' },
  },
  ownerOnly: true,
  examples: ['/yolo', '/yolo off'],
  needs: ['store', 'openSession'],
  run: async ({ session: ref, state }, { store, openSession }) => {
    const open = await openSession(await findSession(ref, store));
    const on = state === undefined ? open.allowAll === undefined : state === 'on';
    open.setAllowAll(on ? '/yolo' : undefined);
    return { on };
  },
  describe: ({ on }) =>
    on
      ? 'This session no longer asks before risky commands. Child agents it starts from now on do not ask either. /yolo off asks again.'
      : 'This session asks before risky commands.',
});

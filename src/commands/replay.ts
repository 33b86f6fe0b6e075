import { defineCommand } from '../contracts/services/define-command.ts';
import { findSession, SESSION_REF } from './find-session.ts';

/** Runs a stored session again, offline: every request is made anew from the log and held against what was sent. */
export const replay = defineCommand({
  name: 'replay',
  category: 'insight',
  summary: 'Run a stored session again offline and compare every request byte for byte',
  arguments: { session: SESSION_REF },
  where: ['shell'],
  whileBusy: 'run',
  json: 'one JSON array, one row per call',
  examples: ['hermes replay 20260101_120000_ab12cd'],
  needs: ['store', 'replay'],
  run: async ({ session: ref }, { store, replay: service }) => {
    const session = await findSession(ref, store);
    const replayed = await service.replay(session);
    return { session, ...replayed, ok: replayed.calls.every(({ identical }) => identical) };
  },
});

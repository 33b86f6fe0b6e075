import type { OwnedSession, RunPlace, RunStore } from '../../../contracts/run-store.ts';
import type { Secrets } from '../../../contracts/secrets.ts';

/**
 * Runs are told no secret either. What they tell was redacted as it came from the turn, so that a secret is in no two events;
 * what was kept before its secret was known is redacted when it is read. Keys of callers and hashes are compared, so they are
 * redacted whenever they come by.
 */
export function createRedactingRuns(runs: RunStore, { redact, redactAll: clean }: Secrets): Required<RunStore> {
  const cleanSession = (owned: OwnedSession): OwnedSession => ({
    ...clean(owned),
    session: { ...clean(owned.session), cwd: owned.session.cwd },
  });
  const cleanPlace = (place: RunPlace): RunPlace => ('session' in place ? { ...clean(place), ...cleanSession(place) } : place);
  return {
    begin: async (run) => {
      const beginning = await runs.begin({ ...clean(run), place: cleanPlace(run.place) });
      return 'run' in beginning ? { ...beginning, run: clean(beginning.run) } : beginning;
    },
    find: async (id) => clean(await runs.find(redact(id))),
    findByTurn: async (sessionId, turnId) => clean(await runs.findByTurn(sessionId, turnId)),
    listOpen: async (sessionId) => clean(await runs.listOpen(sessionId)),
    remove: (id) => runs.remove(redact(id)),
    append: (progress) => runs.append(clean(progress)),
    events: async (id, after, limit) => clean(await runs.events(redact(id), after, limit)),
    requestStop: (id) => runs.requestStop(redact(id)),
    createSession: (begun) => runs.createSession(cleanSession(begun)),
    findOwner: async (sessionId) => clean(await runs.findOwner(redact(sessionId))),
    listSessions: (filter) => runs.listSessions(clean(filter)),
    findNamed: (owner, name) => runs.findNamed(redact(owner), redact(name)),
    findPrefix: (owner, hashes) => runs.findPrefix(redact(owner), hashes),
    spent: (owner) => runs.spent(redact(owner)),
  };
}

import { UsageError } from '../base/errors.ts';
import type { CommandContext } from '../contracts/command.ts';
import type { Session, SessionStore } from '../contracts/session-store.ts';

/** The one session that is meant by an id, a unique beginning of one, or a title; or words that help to name it. */
export async function findSession(ref: string, store: Pick<SessionStore, 'find'>): Promise<Session> {
  const found = await store.find(ref);
  const [first, second] = found;
  if (first === undefined) throw new UsageError(`there is no session ${ref}; hermes sessions list shows them.`);
  if (second !== undefined)
    throw new UsageError(
      `${ref} could be ${found
        .slice(0, 5)
        .map((session) => session.id)
        .join(', ')}; name one of them.`,
    );
  return first;
}

/** The session with the model of its next turn, where that is known. */
export const withModel = (session: Session, { nextModel }: Pick<CommandContext, 'nextModel'>): Session =>
  nextModel === undefined ? session : { ...session, model: nextModel.model, provider: nextModel.provider };

/** How a parameter says that it names a session. */
export const SESSION_REF = {
  kind: 'text',
  required: true,
  completes: 'session',
  description: 'a session: its id, the first characters of its id, or its title',
} as const;

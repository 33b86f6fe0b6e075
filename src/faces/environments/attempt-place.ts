import { toErrorMessage } from '../../base/errors.ts';
import type { SessionHandle } from '../../contracts/host.ts';

type PlacedSession = Pick<SessionHandle, 'use'>;

/** A place could not be opened, which tells nothing of the model. */
class PlaceError extends Error {
  override readonly name = 'PlaceError';
}
export const isPlaceError = (error: unknown): boolean => error instanceof PlaceError;

/** Opens the place of a session, which otherwise its first command does, and gives the folder that command stands in. */
export async function openPlace(session: PlacedSession, signal: AbortSignal): Promise<string> {
  try {
    return await session.use(async ({ terminal }) => {
      await terminal.ready?.();
      return terminal.cwd;
    }, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new PlaceError(`the place for commands could not be opened: ${toErrorMessage(error)}`, { cause: error });
  }
}

/**
 * Throws when a place no longer answers and no other can be opened either: whoever runs places is gone. A model that broke its own
 * place is judged by what that is worth.
 */
export async function assurePlace(session: PlacedSession, openFresh: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  const answers = await session.use(
    ({ terminal }) =>
      terminal.files.stat(terminal.cwd).then(
        () => true,
        () => false,
      ),
    signal,
  );
  if (!answers) await openFresh();
}

import { waitUnlessAborted } from '../../base/waits.ts';
import type { PluginChild } from './plugin-child.ts';

/**
 * Work on a process that has just been started. Who closes it meanwhile ends it at once and waits for none of the work, however
 * long that takes; where the work fails, the process ends as well.
 */
export async function killOnStop({ kill }: Pick<PluginChild, 'kill'>, stop: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  if (stop.aborted) kill();
  stop.addEventListener('abort', kill);
  try {
    await waitUnlessAborted(work(), stop);
  } catch (error) {
    kill();
    throw error;
  } finally {
    stop.removeEventListener('abort', kill);
  }
}

import { UsageError } from '../../base/errors.ts';
import { resolveHome } from '../../base/home.ts';
import { waitAtMost } from '../../base/waits.ts';
import type { ProcessService } from '../../contracts/services/processes.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import type { RunningProcess } from '../../contracts/terminal.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { loadConfig } from '../config/config.ts';
import { openSecrets } from '../host/secrets.ts';
import { describeProcess } from '../../parts/tools/builtin/terminal/survivors.ts';
import { ATTACHED } from '../../parts/terminals/attached.ts';
import { createSurvivors } from '../tools/processes.ts';

export async function createProcessService(
  { processEnv, notice, registered }: ServiceOptions,
  store: () => Promise<Pick<SessionStore, 'processes'>>,
): Promise<ProcessService> {
  const home = resolveHome(processEnv);
  const env = mergeEnvironment(home.env, processEnv);
  const config = await loadConfig(home.config, env, notice, registered);
  const survivors = createSurvivors({ home, config, env, secrets: openSecrets(home, processEnv), processes: (await store()).processes });
  const recordOf = async (id: string) => {
    const record = (await survivors.list()).find((each) => each.id === id);
    if (record === undefined) throw new UsageError(`the process ${id} has ended and is no longer listed.`);
    return record;
  };
  const runningOf = async (id: string): Promise<RunningProcess> => {
    const running = await survivors.adopt(await recordOf(id));
    if (running === undefined) throw new UsageError(`the process ${id} no longer exists.`);
    await settled(running);
    return running;
  };
  return {
    list: async () => (await Promise.all((await survivors.list()).map((record) => describeProcess(record, survivors)))).flat(),
    output: async (id) => {
      const running = await runningOf(id);
      return { text: running.output(), lines: running.outputEnds().lines };
    },
    keep: async (id) => {
      const record = await recordOf(id);
      if (record.trace.backend === ATTACHED)
        throw new UsageError(
          `${id} runs in a sandbox, which ends with its session, so it cannot be kept. Start the command yourself in another terminal to let it go on.`,
        );
      await survivors.keep(record.id);
      const [after] = await describeProcess(await recordOf(id), survivors);
      if (after === undefined) throw new UsageError(`the process ${id} no longer exists.`);
      return after;
    },
    kill: async (id) => {
      const running = await runningOf(id);
      await running.kill();
      await waitAtMost(running.exited, KILL_MS);
      const [after] = await describeProcess(await recordOf(id), survivors);
      if (after === undefined) throw new UsageError(`the process ${id} no longer exists.`);
      return after;
    },
  };
}

/** How long is waited for one that was killed, and for the first words from far away. */
const KILL_MS = 3_000;
const NEWS_MS = 300;
/** What lies in a file is there at once; what is far away takes a moment. */
const settled = (running: RunningProcess): Promise<unknown> =>
  running.trace === undefined || running.trace.backend === 'local' ? Promise.resolve() : waitAtMost(running.exited, NEWS_MS);

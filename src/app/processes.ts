import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { NewInboxItem, SessionStore } from '../contracts/session-store.ts';
import type { Running } from '../contracts/terminal.ts';
import { watched } from '../parts/safety/secrets/terminal.ts';
import { adopt, processRegistry } from '../parts/terminals/registry.ts';
import { AFTER_MS, endWords, type Notify } from '../parts/tools/builtin/process-notices.ts';
import type { Survivor, Survivors } from '../parts/tools/builtin/processes.ts';
import type { Config } from './config.ts';

/** Word of a process reaches its session at the next tool boundary, or opens a turn when none runs. */
export const notifyBy =
  (post: SessionStore['post']): Notify =>
  (sessionId, text, key) =>
    void post({ sessionId, text, mode: 'steer', key }).catch(() => {});

/** Processes that outlive a run are found again by the next run of their session. */
export function survivorsOf({
  home,
  config,
  secrets,
}: {
  readonly home: Home;
  readonly config: Config;
  readonly secrets?: Secrets;
}): Survivors {
  const maxOutput = config.settings['tool_output.max_bytes'];
  return {
    ...processRegistry(join(home.root, 'processes.json')),
    adopt: (record) => {
      const running = adopt(record, { maxOutput });
      return running === undefined || secrets === undefined ? running : watched(running, undefined, secrets);
    },
  };
}

/** Ends that came while nobody was there are told before the session goes on, later ones as they come. The key makes it once. */
export async function tellOfEnds(sessionId: string, survivors: Survivors, post: SessionStore['post']): Promise<void> {
  const wanted = survivors.list().filter((record) => record.sessionId === sessionId && record.tell === true);
  for (const record of wanted) {
    const running = survivors.adopt(record);
    if (running === undefined) continue;
    const tell = async (code: number) => void (await post(endOf(record, running, code)));
    if (running.status().state === 'exited') await running.exited.then(tell);
    else void running.exited.then((code) => tellUnseen(record, survivors, () => tell(code))).catch(() => {});
  }
}

const endOf = ({ id, sessionId }: Survivor, running: Running, code: number): NewInboxItem => ({
  sessionId,
  text: endWords({ id, running }, code),
  mode: 'steer',
  key: `${id}:exit`,
});

/** Whoever waited for it has seen the end by now, and it is struck off the list. */
async function tellUnseen({ id }: Survivor, survivors: Survivors, tell: () => Promise<void>): Promise<void> {
  await pause(AFTER_MS);
  if (survivors.list().some((record) => record.id === id)) await tell();
}

import { join } from 'node:path';
import type { Home } from '../base/home.ts';
import type { Secrets } from '../contracts/secrets.ts';
import type { SessionStore } from '../contracts/session-store.ts';
import { watched } from '../parts/safety/secrets/terminal.ts';
import { adopt, processRegistry } from '../parts/terminals/registry.ts';
import type { Notify } from '../parts/tools/builtin/process-notices.ts';
import type { Survivors } from '../parts/tools/builtin/processes.ts';
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

import { setImmediate } from 'node:timers/promises';
import { lazy } from '../../base/lazy.ts';
import type { Terminal } from '../../contracts/terminal.ts';
import type { CommandServices } from './command-services.ts';

/** Code that is loaded with the first command, in the order in which it is needed. */
const SANDBOX = [
  () => import('../../parts/terminals/sandbox/sandbox.ts'),
  () => import('../../parts/tools/builtin/terminal/at-wall/outside.ts'),
  () => import('../../parts/tools/builtin/terminal/at-wall/run.ts'),
];
const NETWORK = [() => import('../../parts/terminals/network/network.ts'), () => import('../../parts/safety/urls/routes.ts')];
const EVERYWHERE = [
  () => import('../../parts/tools/builtin/terminal/foreground.ts'),
  () => import('../../parts/tools/builtin/terminal/interactive.ts'),
  () => import('../../parts/prompt/hints/tracker.ts'),
  () => import('../../parts/prompt/hints/shell-paths.ts'),
];

/**
 * Loads what the first command needs and puts a first line through the judge, so that it is there when a command comes. An answer
 * that comes meanwhile waits for one of these at most. One session has it loaded for all.
 */
export const warmUp = lazy(
  async (commands: () => Promise<CommandServices>, cwd: string, { kind, place, files }: Terminal): Promise<void> => {
    const { judge } = await commands();
    judge('git status | head -5', { cwd, home: files.home });
    const loads = [...(kind === 'sandbox' ? SANDBOX : []), ...(place?.network === 'by_host' ? NETWORK : []), ...EVERYWHERE];
    for (const load of loads) {
      await setImmediate();
      await load();
    }
  },
);

import type { SliceValues } from '../../contracts/settings.ts';
import type { RunningProcess, StartOptions } from '../../contracts/terminal.ts';
import { filterCommandEnvironment } from './process/environment.ts';
import { toSshSettings } from './far-backends.ts';
import type { ProcessRecord } from '../../contracts/process-store.ts';
import { adopt } from './registry.ts';
import type { sshSettings } from './ssh/settings.ts';

/** What finding a process again may need to know. */
export interface AdoptionOptions {
  readonly settings: SliceValues<typeof sshSettings>;
  /** Our own environment: engines and hosts are found by it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}
type ProcessTraces = Pick<ProcessRecord, 'trace' | 'watch'>;
type AdoptProcess = (left: ProcessTraces, adoption: AdoptionOptions, options: StartOptions) => Promise<RunningProcess | undefined>;

/** Places where processes go on without us, by the back end that started them there. Adding one is a row. */
const ADOPTIONS: Readonly<Record<string, AdoptProcess>> = {
  local: async (left, _adoption, options) => adopt(left, options),
  docker: async ({ trace, watch }, { env }, options) => {
    const { adoptInContainer } = await import('./containers/container.ts');
    return adoptInContainer(trace, env, options, watch?.seen);
  },
  ssh: async ({ trace, watch }, { settings, env }, options) => {
    const { adoptOverSsh, explainOtherHost } = await import('./ssh/ssh.ts');
    const named = toSshSettings(settings);
    const why = explainOtherHost(trace, named);
    if (why !== undefined) throw new Error(why);
    return adoptOverSsh(trace, { settings: named }, filterCommandEnvironment(env, []), options, watch?.seen);
  },
};

/**
 * Takes up a process that an earlier one of ours started, wherever it runs: state, output and kill. `undefined` when
 * nothing is left of it to tell. Throws when the place cannot be asked now: it may be asked again.
 */
export const adoptAnywhere = async (
  left: ProcessTraces,
  adoption: AdoptionOptions,
  options: StartOptions,
): Promise<RunningProcess | undefined> => ADOPTIONS[left.trace.backend]?.(left, adoption, options);

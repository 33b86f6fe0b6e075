import type { Daytona, Sandbox } from '@daytona/sdk';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { formatInstallCommand } from '../../../base/install-line.ts';
import type { TerminalBackend } from '../../../contracts/terminal.ts';
import { createPolledLine, type CommandApi } from '../line/polled.ts';
import { openRemoteTerminal } from '../remote/session.ts';
import type { SyncOptions } from '../sync/sync.ts';
import { enterSandbox, leaveSandbox } from './shared-sandboxes.ts';
import { createTaskLabels, formatSandboxName, toDaytonaResources, type DaytonaSettings } from './resources.ts';

export interface DaytonaOptions {
  readonly settings: DaytonaSettings;
  /** Whose sandbox it is: the same task finds it again. */
  readonly task: string;
  /** `DAYTONA_API_KEY`, `DAYTONA_API_URL` and `DAYTONA_TARGET`. */
  readonly apiKey: string | undefined;
  readonly apiUrl?: string;
  readonly target?: string;
  /** Names of variables that commands there get of ours. */
  readonly pass?: readonly string[];
  readonly sync?: SyncOptions;
}
const KIND = 'daytona';
/** Seconds a sandbox may take to be made or woken; the first use of an image builds it. */
const START_SECONDS = 300;

/** Commands in a sandbox of Daytona, through its SDK. */
export const daytonaTerminal = (options: DaytonaOptions): TerminalBackend => ({
  kind: KIND,
  open: async ({ cwd, env }) => {
    const { settings, pass = [], sync } = options;
    const client = await clientOf(options);
    const sandbox = await sandboxOf(client, options).catch((error: unknown) => {
      throw new UsageError(
        `Daytona gave no sandbox: ${toErrorMessage(error)}. Check DAYTONA_API_KEY, the quota of the account and terminal.daytona_image (${settings.image}).`,
        { cause: error },
      );
    });
    return openRemoteTerminal({
      kind: KIND,
      line: createPolledLine(callsOf(client, sandbox, options)),
      cwd,
      env: Object.fromEntries(pass.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      identity: { sandbox: sandbox.id },
      passing: true,
      ...(sync !== undefined && { sync }),
    });
  },
});

async function clientOf({ apiKey, apiUrl, target }: DaytonaOptions): Promise<Daytona> {
  if (apiKey === undefined || apiKey === '')
    throw new UsageError('terminal.backend is daytona, but there is no key. Set DAYTONA_API_KEY (app.daytona.io, API Keys).');
  const { Daytona } = await loadSdk();
  // Asking now and then is enough for the two states we wait for; the other way holds a socket open for as long as we live.
  return new Daytona({
    apiKey,
    useDeprecatedPolling: true,
    ...(apiUrl !== undefined && { apiUrl }),
    ...(target !== undefined && { target }),
  });
}

async function loadSdk(): Promise<typeof import('@daytona/sdk')> {
  try {
    return await import('@daytona/sdk');
  } catch (error) {
    throw new UsageError(
      `terminal.backend is daytona, but its SDK is not installed. Install it: ${formatInstallCommand('@daytona/sdk@0.216.0')}`,
      {
        cause: error,
      },
    );
  }
}

/** The one of an earlier session of the task, woken, or a new one. */
const sandboxOf = (client: Daytona, options: DaytonaOptions): Promise<Sandbox> =>
  options.settings.persistent ? enterSandbox(options.task, () => lastingSandbox(client, options)) : create(client, options);

async function lastingSandbox(client: Daytona, options: DaytonaOptions): Promise<Sandbox> {
  const found = await earlier(client, options.task);
  if (found === undefined) return create(client, options);
  if (found.state !== 'started') await found.start(START_SECONDS);
  return found;
}

const create = (client: Daytona, { settings, task }: DaytonaOptions): Promise<Sandbox> =>
  client.create(
    {
      image: settings.image,
      resources: toDaytonaResources(settings),
      labels: createTaskLabels(task),
      // Never by itself: a long build has no visible activity.
      autoStopInterval: 0,
      ...(settings.persistent && { name: formatSandboxName(task) }),
    },
    { timeout: START_SECONDS },
  );

/** States a sandbox comes back from. */
const USABLE: readonly (string | undefined)[] = ['started', 'stopped', 'starting', 'archived'];

async function earlier(client: Daytona, task: string): Promise<Sandbox | undefined> {
  for await (const sandbox of client.list({ labels: { ...createTaskLabels(task) } })) {
    if (USABLE.includes(sandbox.state)) return sandbox;
  }
  return undefined;
}

const callsOf = (client: Daytona, sandbox: Sandbox, { settings, task }: DaytonaOptions): CommandApi => ({
  name: `the Daytona sandbox ${sandbox.name ?? sandbox.id}`,
  call: async (command) => {
    const { exitCode, result } = await sandbox.process.executeCommand(command);
    return { exitCode: exitCode ?? 0, result };
  },
  upload: (bytes, path) => sandbox.fs.uploadFile(bytes, path),
  close: async () => {
    try {
      await (settings.persistent ? leaveSandbox(task, sandbox, () => sandbox.stop()) : sandbox.delete());
    } finally {
      await client[Symbol.asyncDispose]();
    }
  },
});

import type { App, Image, ModalClient, Sandbox } from 'modal';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { formatInstallCommand } from '../../../base/install-line.ts';
import type { TerminalBackend } from '../../../contracts/terminal.ts';
import { openRemoteTerminal } from '../remote/session.ts';
import type { SyncOptions } from '../sync/sync.ts';
import { createModalLine } from './line.ts';
import { createImageSnapshots, type ModalSnapshots } from './snapshots.ts';

export interface ModalSettings {
  readonly image: string;
  readonly mode: 'auto' | 'direct' | 'managed';
  readonly cpu: number;
  readonly memoryMB: number;
  /** Whether the files of a task are kept as a snapshot and begun from next time. */
  readonly persistent: boolean;
}
export interface ModalOptions {
  readonly settings: ModalSettings;
  /** Whose sandbox it is: the same task begins where it left off. */
  readonly task: string;
  /** `MODAL_TOKEN_ID` and `MODAL_TOKEN_SECRET`; without them the SDK reads ~/.modal.toml. */
  readonly token?: { readonly id: string; readonly secret: string };
  /** The file of the profile that names the snapshots. */
  readonly snapshots: string;
  /** A line for the owner. */
  notice(text: string): void;
  /** Names of variables that commands there get of ours. */
  readonly pass?: readonly string[];
  readonly sync?: SyncOptions;
}
const KIND = 'modal';
const APP = 'hermes-agent';
/** A sandbox nobody uses ends after an hour; one that is used may live as long as Modal lets it. */
const LIFE = { timeoutMs: 24 * 3_600_000, idleTimeoutMs: 3_600_000 } as const;

/** Commands in a sandbox of Modal, through its SDK. */
export const modalTerminal = (options: ModalOptions): TerminalBackend => ({
  kind: KIND,
  open: async ({ cwd, env }) => {
    const { task, settings, pass = [], sync } = options;
    const client = await clientOf(options);
    const snapshots = createImageSnapshots(options.snapshots);
    const sandbox = await sandboxOf(client, options, snapshots).catch((error: unknown) => {
      client.close();
      throw new UsageError(
        `Modal gave no sandbox: ${toErrorMessage(error)}. Check the account (\`modal token new\`, or MODAL_TOKEN_ID and MODAL_TOKEN_SECRET) and terminal.modal_image (${settings.image}).`,
        { cause: error },
      );
    });
    const close = async () => {
      try {
        if (settings.persistent) await keep(sandbox, task, snapshots, options.notice);
        await sandbox.terminate();
      } finally {
        client.close();
      }
    };
    return openRemoteTerminal({
      kind: KIND,
      line: createModalLine(sandbox, close),
      cwd,
      env: Object.fromEntries(pass.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      identity: { sandbox: sandbox.sandboxId },
      passing: true,
      ...(sync !== undefined && { sync }),
    });
  },
});

async function clientOf({ settings, token }: ModalOptions): Promise<ModalClient> {
  if (settings.mode === 'managed')
    throw new UsageError(
      'terminal.modal_mode is managed, but there is no gateway that runs sandboxes for you. Set it to direct and use an account of your own.',
    );
  const { ModalClient } = await loadSdk();
  return new ModalClient(token === undefined ? {} : { tokenId: token.id, tokenSecret: token.secret });
}

async function loadSdk(): Promise<typeof import('modal')> {
  try {
    return await import('modal');
  } catch (error) {
    throw new UsageError(
      `terminal.backend is modal, but its SDK is not installed. Install it, with the version (the newest package of that name is an unrelated one): ${formatInstallCommand('modal@0.11.1')}`,
      { cause: error },
    );
  }
}

/** From where the task left off; when that is gone, from the image of the settings. */
async function sandboxOf(client: ModalClient, { settings, task, notice }: ModalOptions, snapshots: ModalSnapshots): Promise<Sandbox> {
  const app = await client.apps.fromName(APP, { createIfMissing: true });
  const base = client.images.fromRegistry(settings.image);
  const earlier = settings.persistent ? snapshots.of(task) : undefined;
  if (earlier === undefined) return create(client, app, base, settings);
  try {
    return await create(client, app, await client.images.fromId(earlier), settings);
  } catch (error) {
    notice(
      `The files task ${task} left on Modal could not be brought back (${earlier}: ${toErrorMessage(error)}). It begins anew from ${settings.image}.`,
    );
    await snapshots.forget(task);
    return create(client, app, base, settings);
  }
}

const create = (client: ModalClient, app: App, image: Image, { cpu, memoryMB }: ModalSettings): Promise<Sandbox> =>
  client.sandboxes.create(app, image, {
    command: ['sleep', 'infinity'],
    ...LIFE,
    ...(cpu > 0 && { cpu }),
    ...(memoryMB > 0 && { memoryMiB: memoryMB }),
  });

async function keep(sandbox: Sandbox, task: string, snapshots: ModalSnapshots, notice: ModalOptions['notice']): Promise<void> {
  try {
    await snapshots.keep(task, (await sandbox.snapshotFilesystem()).imageId);
  } catch (error) {
    notice(
      `The files of task ${task} on Modal could not be kept: ${toErrorMessage(error)}. The next session begins from the snapshot before.`,
    );
  }
}

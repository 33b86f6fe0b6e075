import type { SliceValues } from '../../contracts/settings.ts';
import type { TerminalBackendOptions, TerminalBackendFactory } from '../../contracts/terminal.ts';
import type { ContainerSettings } from './containers/command-lines.ts';
import type { WallProfile } from '../../contracts/wall.ts';
import type { GuardedMount } from './sandbox/mounts.ts';
import type { OpenSandboxNetwork } from './sandbox/network-port.ts';
import type { TrashBox } from './sandbox/survey.ts';
import type { terminalSettings } from './settings.ts';

export type TerminalSettings = SliceValues<typeof terminalSettings>;

/** What a back end of ours may need besides. */
export interface OwnBackendOptions extends TerminalBackendOptions<TerminalSettings> {
  /** A part of the trash for one sandbox alone; absent when deletions are not kept. */
  trash?(roots: readonly string[]): Promise<TrashBox>;
  /** Folders of skills: commands are told to run scripts in them. */
  skillFolders?(): readonly string[];
  /** What a sandbox on this machine shows; absent means the narrow one. */
  readonly wall?: WallProfile;
  /** Others than the owner ask for commands and read what they tell. */
  readonly forGuests?: true;
  /** What lets commands in a sandbox talk to others, host by host. */
  readonly openNetwork?: OpenSandboxNetwork;
  /** Paths of a workspace that commands in a sandbox find as mounts of their own. */
  guarded?(workspace: string): readonly GuardedMount[];
}

/** Every back end of this half by its name, loaded when it is chosen. Adding one is a row. */
export const BACKENDS: Readonly<Record<string, TerminalBackendFactory>> = {
  local: async () => (await import('./local/local.ts')).localTerminal,
  sandbox: async ({ settings, home, folders, trash, skillFolders, notice, ...own }: OwnBackendOptions) => {
    const { sandboxTerminal } = await import('./sandbox/sandbox.ts');
    return sandboxTerminal({
      profile: home,
      paths: settings['terminal.sandbox_paths'],
      readPaths: settings['terminal.sandbox_read_paths'],
      skillFolders: skillFolders?.() ?? [],
      network: settings['terminal.sandbox_network'],
      pass: settings['terminal.env_passthrough'],
      tempMb: settings['terminal.sandbox_temp_mb'],
      instead: folders.workspace,
      notice,
      ...(own.wall !== undefined && { wall: own.wall }),
      ...(own.forGuests === true && { forGuests: true }),
      ...(own.openNetwork !== undefined && { openNetwork: own.openNetwork }),
      ...(own.guarded !== undefined && { guarded: own.guarded }),
      ...(trash !== undefined && { trash }),
    });
  },
  docker: async ({ settings, env, task, folders }: OwnBackendOptions) => {
    const { containerTerminal } = await import('./containers/container.ts');
    return containerTerminal({ settings: toContainerSettings(settings), task, store: folders.sandboxes, env });
  },
  singularity: async ({ settings, env, task, folders }: OwnBackendOptions) => {
    const { singularityTerminal } = await import('./containers/singularity.ts');
    const { volumes, forwardEnv, mountCwd, network, persistent } = toContainerSettings(settings);
    const image = settings['terminal.singularity_image'];
    return singularityTerminal({ image, task, store: folders.sandboxes, volumes, forwardEnv, mountCwd, network, persistent, env });
  },
};

export const toContainerSettings = (settings: TerminalSettings): ContainerSettings => ({
  image: settings['terminal.docker_image'],
  volumes: settings['terminal.docker_volumes'],
  forwardEnv: settings['terminal.docker_forward_env'],
  env: Object.fromEntries(Object.entries(settings['terminal.docker_env']).map(([name, value]) => [name, String(value)])),
  network: settings['terminal.docker_network'],
  mountCwd: settings['terminal.docker_mount_cwd_to_workspace'],
  asHostUser: settings['terminal.docker_run_as_host_user'],
  shmSize: settings['terminal.docker_shm_size'],
  extraArgs: settings['terminal.docker_extra_args'],
  cpu: settings['terminal.container_cpu'],
  memoryMB: settings['terminal.container_memory'],
  diskMB: settings['terminal.container_disk'],
  persistent: settings['terminal.container_persistent'],
});

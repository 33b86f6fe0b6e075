import { join } from 'node:path';
import type { SliceValues } from '../../contracts/settings.ts';
import type { TerminalBackendOptions, TerminalBackendFactory } from '../../contracts/terminal.ts';
import type { TerminalSettings } from './backends.ts';
import type { daytonaSettings } from './daytona/settings.ts';
import type { modalSettings } from './modal/settings.ts';
import type { SshSettings } from './ssh/command-lines.ts';
import type { sshSettings } from './ssh/settings.ts';
import type { SyncOptions } from './sync/sync.ts';

export type FarSettings = TerminalSettings &
  SliceValues<typeof sshSettings> &
  SliceValues<typeof modalSettings> &
  SliceValues<typeof daytonaSettings>;

export interface FarBackendOptions extends TerminalBackendOptions<FarSettings> {
  /** Files of the profile that go along. */
  readonly sync?: SyncOptions;
}

/** Back ends on other machines, loaded when they are chosen. Adding one is a row. */
export const FAR_BACKENDS: Readonly<Record<string, TerminalBackendFactory>> = {
  ssh: async ({ settings, sync }: FarBackendOptions) => {
    const { sshTerminal } = await import('./ssh/ssh.ts');
    return sshTerminal({
      settings: toSshSettings(settings),
      pass: settings['terminal.env_passthrough'],
      ...(sync !== undefined && { sync }),
    });
  },
  modal: async ({ settings, env, task, home, sync, notice }: FarBackendOptions) => {
    const { modalTerminal } = await import('./modal/modal.ts');
    const [id, secret] = [env['MODAL_TOKEN_ID'] ?? '', env['MODAL_TOKEN_SECRET'] ?? ''];
    return modalTerminal({
      settings: { image: settings['terminal.modal_image'], mode: settings['terminal.modal_mode'], ...sizeOf(settings) },
      task,
      snapshots: join(home, 'sandboxes', 'modal.json'),
      notice,
      pass: settings['terminal.env_passthrough'],
      ...(id !== '' && secret !== '' && { token: { id, secret } }),
      ...(sync !== undefined && { sync }),
    });
  },
  daytona: async ({ settings, env, task, sync }: FarBackendOptions) => {
    const { daytonaTerminal } = await import('./daytona/daytona.ts');
    const [apiUrl, target] = [env['DAYTONA_API_URL'], env['DAYTONA_TARGET']];
    return daytonaTerminal({
      settings: { image: settings['terminal.daytona_image'], diskMB: settings['terminal.container_disk'], ...sizeOf(settings) },
      task,
      apiKey: env['DAYTONA_API_KEY'],
      ...(apiUrl !== undefined && { apiUrl }),
      ...(target !== undefined && { target }),
      pass: settings['terminal.env_passthrough'],
      ...(sync !== undefined && { sync }),
    });
  },
};

export function toSshSettings(settings: SliceValues<typeof sshSettings>): SshSettings {
  const [host, user, port, key] = [
    settings['terminal.ssh_host'],
    settings['terminal.ssh_user'],
    settings['terminal.ssh_port'],
    settings['terminal.ssh_key'],
  ];
  return {
    host,
    options: settings['terminal.ssh_options'],
    ...(user !== '' && { user }),
    ...(port > 0 && { port }),
    ...(key !== '' && { key }),
  };
}

const sizeOf = (settings: FarSettings) => ({
  cpu: settings['terminal.container_cpu'],
  memoryMB: settings['terminal.container_memory'],
  persistent: settings['terminal.container_persistent'],
});

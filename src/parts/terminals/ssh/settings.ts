import { ownersAlone, type SettingsSlice } from '../../../contracts/settings.ts';

export const sshSettings = ownersAlone({
  'terminal.ssh_host': {
    kind: 'string',
    default: '',
    describe: 'The host that the ssh back end runs commands on: a host name, or a name from ~/.ssh/config.',
    env: 'TERMINAL_SSH_HOST',
  },
  'terminal.ssh_user': {
    kind: 'string',
    default: '',
    describe: 'The user on that host. Empty: use ~/.ssh/config.',
    env: 'TERMINAL_SSH_USER',
  },
  'terminal.ssh_port': {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 65_535,
    describe: 'The port on that host. 0: use ~/.ssh/config, or 22.',
    env: 'TERMINAL_SSH_PORT',
  },
  'terminal.ssh_key': {
    kind: 'string',
    default: '',
    describe: 'A private key file. It must have no passphrase, or ssh-agent must hold the key. Empty: ssh chooses.',
    env: 'TERMINAL_SSH_KEY',
  },
  'terminal.ssh_options': {
    kind: 'list',
    default: [],
    describe: 'More options for ssh, each as you would write it after -o (ProxyJump=gate).',
  },
} as const satisfies SettingsSlice);

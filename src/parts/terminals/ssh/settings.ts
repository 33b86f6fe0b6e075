import type { SettingsSlice } from '../../../contracts/settings.ts';

export const sshSettings = {
  'terminal.ssh_host': {
    kind: 'string',
    default: '',
    describe: 'Host the ssh back end runs commands on; a name of ~/.ssh/config will do.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_SSH_HOST',
  },
  'terminal.ssh_user': {
    kind: 'string',
    default: '',
    describe: 'Account there; empty leaves it to ~/.ssh/config.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_SSH_USER',
  },
  'terminal.ssh_port': {
    kind: 'integer',
    default: 0,
    min: 0,
    max: 65_535,
    describe: 'Port there; 0 leaves it to ~/.ssh/config, which means 22 unless it says otherwise.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_SSH_PORT',
  },
  'terminal.ssh_key': {
    kind: 'string',
    default: '',
    describe: 'Private key file without a passphrase, or one the agent holds; empty leaves it to ssh.',
    source: 'reference environments §6.2',
    env: 'TERMINAL_SSH_KEY',
  },
  'terminal.ssh_options': {
    kind: 'list',
    default: [],
    describe: 'Further options for ssh, each as it stands after -o (ProxyJump=gate).',
    source: 'ours: what ~/.ssh/config cannot say for one profile alone',
  },
} as const satisfies SettingsSlice;

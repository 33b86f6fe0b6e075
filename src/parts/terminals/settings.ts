import type { SettingsSlice } from '../../contracts/settings.ts';

/** Seconds; a timer that is set for longer than 2³¹ ms goes off at once. */
const LONGEST_WAIT = 2_000_000;

export const terminalSettings = {
  'terminal.backend': {
    kind: 'choice',
    default: 'local',
    choices: ['local', 'sandbox', 'docker', 'ssh', 'singularity', 'modal', 'daytona'],
    describe: 'Where commands run.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.sandbox_network': {
    kind: 'boolean',
    default: false,
    describe: 'Whether commands in the sandbox may reach the network, loopback of this machine included.',
    source: 'ours: a sandbox with a network can send away what it reads',
  },
  'terminal.sandbox_paths': {
    kind: 'list',
    default: [],
    describe: 'Folders commands in the sandbox may write to, besides the one the session starts in.',
    source: 'ours: nothing but the workspace',
  },
  'terminal.sandbox_read_paths': {
    kind: 'list',
    default: [],
    describe: 'Folders commands in the sandbox may read: toolchains that lie in the home (~/.nvm, ~/.pyenv, ~/.cargo).',
    source: 'ours: nothing of the home',
  },
  'terminal.docker_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'Image of the container commands run in; needs bash for variables to carry over.',
    source: 'reference environments §6.2',
  },
  'terminal.docker_volumes': {
    kind: 'list',
    default: [],
    describe: 'Further folders shown in the container, as host:inside or host:inside:ro.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_forward_env': {
    kind: 'list',
    default: [],
    describe: 'Names of variables handed on into the container.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_env': {
    kind: 'table',
    default: {},
    describe: 'Variables set in the container.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_network': {
    kind: 'boolean',
    default: true,
    describe: 'Whether the container has a network.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_mount_cwd_to_workspace': {
    kind: 'boolean',
    default: false,
    describe: 'Whether the session’s folder is the container’s /workspace.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_run_as_host_user': {
    kind: 'boolean',
    default: false,
    describe: 'Whether commands in the container run under our own user and group.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_shm_size': {
    kind: 'string',
    default: '1g',
    describe: 'Shared memory of the container; empty for the engine’s own default.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.docker_extra_args': {
    kind: 'list',
    default: [],
    describe: 'Further arguments for the engine’s run command.',
    source: 'reference tools-and-cli §6.8',
  },
  'terminal.singularity_image': {
    kind: 'string',
    default: 'docker://nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'Image for singularity or apptainer: a .sif file, a folder, or docker://name.',
    source: 'reference environments §6.2',
  },
  'terminal.container_cpu': {
    kind: 'number',
    default: 1,
    min: 0,
    describe: 'Processors a container may use; 0 for no bound.',
    source: 'reference environments §6.2',
  },
  'terminal.container_memory': {
    kind: 'integer',
    default: 5_120,
    min: 0,
    describe: 'Megabytes of memory a container may use; 0 for no bound.',
    source: 'reference environments §6.2',
  },
  'terminal.container_disk': {
    kind: 'integer',
    default: 51_200,
    min: 0,
    describe: 'Megabytes a container may write, where its storage can hold it to that; 0 for no bound.',
    source: 'reference environments §6.2',
  },
  'terminal.container_persistent': {
    kind: 'boolean',
    default: true,
    describe: 'Whether a container and its files stay when the session ends, for the next of the same task.',
    source: 'reference environments §6.2',
  },
  'terminal.cwd': {
    kind: 'string',
    default: '.',
    describe: 'Folder a session starts in; --cwd wins.',
    source: 'reference tools-and-cli §6.8',
    flag: '--cwd',
  },
  'terminal.timeout': {
    kind: 'integer',
    default: 180,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Seconds a foreground command may run when the call names no time-out.',
    source: 'reference tools-and-cli §1.8 (180 s)',
  },
  'terminal.max_foreground_timeout': {
    kind: 'integer',
    default: 600,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Longest time-out a foreground command may ask for; longer work belongs in the background.',
    source: 'reference tools-and-cli §1.8 (600 s)',
  },
  'terminal.env_passthrough': {
    kind: 'list',
    default: [],
    describe:
      'Variables handed to commands besides the usual ones (PATH, HOME, LANG, toolchains …); hermes doctor names those that are held back. A name written out is passed whatever it looks like; a pattern such as MY_* passes no name of a secret.',
    source: 'reference tools-and-cli §2.7',
  },
  'tool_output.max_bytes': {
    kind: 'integer',
    default: 30_000,
    min: 1_000,
    describe:
      'Characters of a command’s output the model sees: the beginning, the end, and between them lines that tell of a failure. The whole is kept in a file.',
    source: 'ours: as Claude Code has it (30,000); codex has about 10,000 tokens, the reference core §1.11 50,000',
  },
} as const satisfies SettingsSlice;

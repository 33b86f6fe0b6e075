import { ownersAlone, type SettingsSlice } from '../../contracts/settings.ts';

/** Seconds; a timer that is set for longer than 2³¹ ms goes off at once. */
const LONGEST_WAIT = 2_000_000;

export const terminalSettings = ownersAlone({
  'terminal.backend': {
    kind: 'choice',
    default: 'auto',
    choices: ['auto', 'local', 'sandbox', 'docker', 'ssh', 'singularity', 'modal', 'daytona'],
    describe:
      'Where commands run. auto: in a sandbox on this machine, which can read your files except for secrets and can write only to the working directory; without a sandbox if this machine cannot make one. sandbox: the same, but commands do not run at all if this machine cannot make one. local: on this machine with all of your rights; nothing limits what a command can do.',
  },
  'terminal.sandbox_network': {
    kind: 'boolean',
    default: false,
    describe: 'Let commands in the sandbox use the network, including servers on this machine. They can then send out what they read.',
  },
  'terminal.allowed_hosts': {
    kind: 'list',
    default: [],
    describe:
      'Hosts that commands in the sandbox can connect to without asking, in addition to package registries and the remotes of the project. example.org allows that host, *.example.org all its subdomains, example.org:8443 one more port.',
  },
  'terminal.denied_hosts': {
    kind: 'list',
    default: [],
    describe: 'Hosts that commands in the sandbox cannot connect to, with all their subdomains.',
  },
  'terminal.sandbox_paths': {
    kind: 'list',
    default: [],
    describe: 'Folders that commands in the sandbox can write to, in addition to the working directory of the session.',
  },
  'terminal.sandbox_read_paths': {
    kind: 'list',
    default: [],
    describe: 'Folders that commands in the sandbox can read, for example toolchains in your home directory (~/.nvm, ~/.pyenv, ~/.cargo).',
  },
  'terminal.sandbox_temp_mb': {
    kind: 'integer',
    default: 2_048,
    min: 0,
    describe:
      'How much disk space the temporary files of one session can use in the sandbox, in megabytes. A command that goes beyond it is ended and the files are deleted. 0 means no limit.',
  },
  'terminal.docker_image': {
    kind: 'string',
    default: 'nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'The container image. It needs bash for variables to carry over between commands.',
  },
  'terminal.docker_volumes': {
    kind: 'list',
    default: [],
    describe: 'Folders to mount in the container: HOST:CONTAINER or HOST:CONTAINER:ro.',
  },
  'terminal.docker_forward_env': {
    kind: 'list',
    default: [],
    describe: 'Names of environment variables to pass to the container.',
  },
  'terminal.docker_env': {
    kind: 'table',
    default: {},
    describe: 'Environment variables to set in the container.',
  },
  'terminal.docker_network': {
    kind: 'boolean',
    default: true,
    describe: 'Give the container a network.',
  },
  'terminal.docker_mount_cwd_to_workspace': {
    kind: 'boolean',
    default: false,
    describe: 'Mount the working directory of the session as /workspace in the container.',
  },
  'terminal.docker_run_as_host_user': {
    kind: 'boolean',
    default: false,
    describe: 'Run commands in the container with your user and group id.',
  },
  'terminal.docker_shm_size': {
    kind: 'string',
    default: '1g',
    describe: 'Size of shared memory in the container. Empty means the default of the container engine.',
  },
  'terminal.docker_extra_args': {
    kind: 'list',
    default: [],
    describe: 'More arguments for the run command of the container engine.',
  },
  'terminal.singularity_image': {
    kind: 'string',
    default: 'docker://nikolaik/python-nodejs:python3.11-nodejs20',
    describe: 'The image for Singularity or Apptainer: a .sif file, a folder, or docker://NAME.',
  },
  'terminal.container_cpu': {
    kind: 'number',
    default: 1,
    min: 0,
    describe: 'Number of CPUs a container can use. 0 means no limit.',
  },
  'terminal.container_memory': {
    kind: 'integer',
    default: 5_120,
    min: 0,
    describe: 'Memory a container can use, in megabytes. 0 means no limit.',
  },
  'terminal.container_disk': {
    kind: 'integer',
    default: 51_200,
    min: 0,
    describe: 'Disk space a container can use, in megabytes, if its storage supports a limit. 0 means no limit.',
  },
  'terminal.container_persistent': {
    kind: 'boolean',
    default: true,
    describe: 'Keep the container and its files after the session, for the next session with the same task.',
  },
  'terminal.background_outlives': {
    kind: 'boolean',
    default: false,
    describe:
      'Let background processes go on when their session is closed. Otherwise they end with it, except for those you chose with `hermes processes keep`.',
  },
  'terminal.cwd': {
    kind: 'string',
    default: '.',
    describe: 'The working directory of a new session, and of scheduled jobs without a folder of their own if it is a full path.',
    flag: '--cwd',
  },
  'terminal.timeout': {
    kind: 'integer',
    default: 180,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Timeout of a foreground command, in seconds, if the tool call sets none.',
  },
  'terminal.max_foreground_timeout': {
    kind: 'integer',
    default: 600,
    min: 1,
    max: LONGEST_WAIT,
    describe: 'Longest timeout a foreground command can ask for, in seconds. Longer work belongs in the background.',
  },
  'terminal.env_passthrough': {
    kind: 'list',
    default: [],
    describe:
      'Environment variables to pass to commands, in addition to the usual ones (PATH, HOME, LANG, toolchains, …). `hermes doctor` lists those that are not passed. A full name is always passed. A pattern such as MY_* does not pass names that look like secrets.',
  },
  'tool_output.max_bytes': {
    kind: 'integer',
    default: 30_000,
    min: 1_000,
    describe:
      'How much of the output of a command the model sees, in characters: the beginning, the end, and lines in between that report a failure. The whole output is saved to a file.',
  },
} as const satisfies SettingsSlice);

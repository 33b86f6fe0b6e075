/** The command lines of docker and podman, which understand the same words. Pure: tested as a table. */
export interface ContainerSettings {
  readonly image: string;
  /** `host:inside` or `host:inside:ro`. */
  readonly volumes: readonly string[];
  /** Names of our variables that commands inside get. */
  readonly forwardEnv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly network: boolean;
  readonly mountCwd: boolean;
  readonly asHostUser: boolean;
  readonly shmSize: string;
  readonly extraArgs: readonly string[];
  readonly cpu: number;
  readonly memoryMB: number;
  readonly diskMB: number;
  readonly persistent: boolean;
}
export interface ContainerPlan {
  readonly name: string;
  /** Whose container it is: the same task finds it again. */
  readonly task: string;
  readonly settings: ContainerSettings;
  /** The session's folder on this machine. */
  readonly cwd: string;
  /** Folders on this machine that outlive the container; absent for one that leaves nothing. */
  readonly store?: { readonly home: string; readonly workspace: string };
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The engine's storage can hold a container to a size. */
  readonly canLimitDisk: boolean;
}

/** Where commands begin: a folder of this machine means nothing inside. */
export const resolveStartFolder = ({ mountCwd, asHostUser }: ContainerSettings): string =>
  mountCwd || asHostUser ? '/workspace' : '/root';

export const createRunArguments = (plan: ContainerPlan): string[] => [
  'run',
  '-d',
  '--init',
  '--name',
  plan.name,
  ...labels(plan),
  ...hardening(plan),
  ...limits(plan),
  ...mounts(plan),
  ...Object.entries(plan.settings.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
  ...(plan.settings.network ? [] : ['--network=none']),
  '-w',
  resolveStartFolder(plan.settings),
  ...plan.settings.extraArgs,
  plan.settings.image,
  'sleep',
  'infinity',
];

/** Everything that decides what the container is, so that one made by other settings is not taken for it. */
export const hashPlan = ({ settings, cwd, store, user }: ContainerPlan): string => {
  const text = JSON.stringify([settings, settings.mountCwd ? cwd : '', store ?? '', user ?? '']);
  let sum = 5381;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 33) ^ text.charCodeAt(at)) >>> 0;
  return sum.toString(16);
};
const labels = (plan: ContainerPlan): string[] => ['--label', `hermes.task=${plan.task}`, '--label', `hermes.plan=${hashPlan(plan)}`];

export const createFindArguments = (plan: ContainerPlan): string[] => [
  'ps',
  '-q',
  '--no-trunc',
  '--filter',
  'status=running',
  '--filter',
  `label=hermes.task=${plan.task}`,
  '--filter',
  `label=hermes.plan=${hashPlan(plan)}`,
];

const hardening = ({ user }: ContainerPlan): string[] => [
  '--cap-drop',
  'ALL',
  ...['DAC_OVERRIDE', 'CHOWN', 'FOWNER', ...(user === undefined ? ['SETUID', 'SETGID'] : [])].flatMap((right) => ['--cap-add', right]),
  '--security-opt',
  'no-new-privileges',
  '--pids-limit',
  '256',
  ...(user === undefined ? [] : ['--user', `${user.uid}:${user.gid}`, '-e', 'HOME=/workspace']),
];

const limits = ({ settings, canLimitDisk }: ContainerPlan): string[] => [
  ...(settings.cpu > 0 ? ['--cpus', String(settings.cpu)] : []),
  ...(settings.memoryMB > 0 ? ['--memory', `${settings.memoryMB}m`] : []),
  ...(settings.diskMB > 0 && canLimitDisk ? ['--storage-opt', `size=${settings.diskMB}m`] : []),
  ...(settings.shmSize === '' ? [] : ['--shm-size', settings.shmSize]),
];

const mounts = ({ settings, cwd, store }: ContainerPlan): string[] => [
  '--tmpfs',
  '/tmp:rw,nosuid,size=512m',
  '--tmpfs',
  '/var/tmp:rw,noexec,nosuid,size=256m',
  '--tmpfs',
  '/run:rw,noexec,nosuid,size=64m',
  ...(settings.mountCwd
    ? ['-v', `${cwd}:/workspace`]
    : store === undefined
      ? ['--tmpfs', '/workspace:rw,exec,size=10g,mode=1777']
      : ['-v', `${store.workspace}:/workspace`]),
  ...(store === undefined
    ? ['--tmpfs', '/home:rw,exec,size=1g,mode=1777', '--tmpfs', '/root:rw,exec,size=1g']
    : ['-v', `${store.home}:/root`]),
  ...settings.volumes.flatMap((volume) => ['-v', volume]),
];

/** Forwarded variables are named and not written out: the engine reads them from its own environment, and nobody from its arguments. */
export const createContainerExecArguments = (
  name: string,
  how: 'piped' | 'pty' | 'detached',
  forward: readonly string[],
  program: readonly string[],
): string[] => [
  'exec',
  ...{ piped: ['-i'], pty: ['-i', '-t'], detached: ['-d'] }[how],
  ...forward.flatMap((variable) => ['-e', variable]),
  name,
  ...program,
];

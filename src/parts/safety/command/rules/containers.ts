import type { CommandRule } from '../call/call.ts';
import { hasMarks } from '../values/marks.ts';
import { CLOUD } from './cloud.ts';
import { DATA } from './data.ts';
import { ask, toWordSet, listOperands, askAboutVerbs } from './rows.ts';
import { ENGINES } from './vendors/containers.ts';
import { DEVICES } from './vendors/devices.ts';
import { askBeyondWays } from './ways.ts';

const ENGINE = toWordSet(`
  docker podman nerdctl finch ctr crictl docker-compose podman-compose buildah kubectl oc lxc-start singularity apptainer systemd-nspawn
  machinectl firecracker runc crun lxc incus
`);

/** Flags and words by which a container gets hold of its host, by what they hand over. */
const HOLDS: readonly RegExp[] = [
  // All rights at once.
  /^--privileged(?!=false)/,
  /^"?privileged"?[:=]\s*true/,
  /^--grant-all-permissions/,
  /security\.privileged|raw\.lxc/,
  /"?(?:hostPID|hostNetwork|hostIPC|privileged)"?\s*:\s*true|"?hostPath"?\s*:/i,
  // The host's processes, users or devices.
  /^--(?:pid|userns|ipc|uts|cgroupns)=host$/,
  /^--cap-add=?(?:ALL|SYS_\w+|DAC_\w+|NET_ADMIN|NET_RAW|CAP_\w+|MKNOD|SETUID|BPF|PERFMON|LINUX_IMMUTABLE)$/i,
  /^--device=?\/dev\/(?!dri|snd|video|kvm|fuse|net|ttyUSB|ttyACM|input|nvidia)/,
  /^--device-cgroup-rule/,
  // Guards around it, switched off.
  /^--security-opt=\S*(?:unconfined|disable|no-new-privileges[=:]false)/,
  // The engine itself, from within or from afar.
  /(?:docker|podman|containerd|crio|buildkitd?)\.sock/,
  /^(?:-H|--host|--docker|host)=?(?:host=)?tcp:/,
  /^--volumes-from/,
  /^(?:--opt=)?device=\/(?:$|(?:home|etc|root|var|usr|boot|dev)(?:\/|$))/,
  /^node\/\S/,
  /^(?:source=\/|--bind=?\/)(?:[\s:,]|$)/,
];
/** The same in a manifest. */
const ROOT_MOUNT = /(?:^|[\s"'[-])\/:\/|source:\s*["']?\/["']?\s*$/m;
const MANIFEST: readonly RegExp[] = [
  ROOT_MOUNT,
  /["']?(?:privileged|hostPID|hostNetwork|hostIPC|allowPrivilegeEscalation)["']?:\s*true/i,
  /["']?hostPath["']?:/,
  /docker\.sock|containerd\.sock/,
  /(?:^|\s)(?:pid|ipc|userns_mode|network_mode):\s*["']?host/,
  /cluster-admin/,
];
/** Flags and their values as one word: `--pid host` is `--pid=host`. */
const joined = (args: readonly string[]): string[] =>
  args.flatMap((word, index) => [word, ...(word.startsWith('-') && index + 1 < args.length ? [`${word}=${args[index + 1] ?? ''}`] : [])]);
const holdsHost = (args: readonly string[]): boolean => joined(args).some((word) => HOLDS.some((hold) => hold.test(word)));

/** Containers and machines within this one: what they may reach, and what is lost with them. */
export const CONTAINERS: readonly CommandRule[] = [
  ask('container_host', 'it gives a container a hold on this machine', (name, args) => {
    if (!ENGINE.has(name) || args.includes('--help')) return false;
    const own = args.includes('debug') || !/^(?:kubectl|oc)$/.test(name) ? args : args.filter((word) => !word.startsWith('node/'));
    return holdsHost(own) || args.includes('nsenter') || mountsHost(args);
  }),
  ask(
    'container_reach',
    'from within a container it changes a cloud, a cluster or a database elsewhere',
    (name, args, call, place) =>
      /^(?:docker|podman|nerdctl)$/.test(name) &&
      within(args).some(([inner = '', ...rest]) =>
        [...CLOUD, ...DATA].some((rule) => rule.matches(inner, rest, { ...call, name: inner, path: inner, args: rest }, place)),
      ),
  ),
  ask('container_host', 'the text it is given gives a container a hold on this machine', (name, args, { fed, writes }) => {
    const text = fed.join('\n').slice(0, 50_000);
    if (ENGINE.has(name))
      return args.some((word) => /^-$|^\/dev\/(?:stdin|fd\/)|=-$/.test(word)) && MANIFEST.some((hold) => hold.test(text));
    return writes.some((word) => /compose[\w.-]*\.ya?ml$/.test(word)) && ROOT_MOUNT.test(text);
  }),
  askBeyondWays('container_loss', 'it removes or changes containers, images or volumes', ENGINES),
  askBeyondWays('device_loss', 'it erases, resets or changes a device at this machine', DEVICES),
  ask(
    'container_loss',
    'which containers it stops is only known when it runs',
    (name, args) =>
      /^(?:docker|podman|nerdctl)$/.test(name) &&
      /^(?:stop|restart|pause)$/.test(listOperands(args)[0] ?? '') &&
      listOperands(args).some(hasMarks),
  ),
  askAboutVerbs('container_loss', 'it removes a machine with all that is on it', {
    dockerd: true,
    'k3s-uninstall.sh': true,
    'k3s-killall.sh': true,
    'rke2-uninstall.sh': true,
    wsl: /--unregister/i,
    'lxc-destroy': true,
    'virt-install': /--import.*--force/,
    'lxc-stop': /-k/,
  }),
];

/** Images that are a program and nothing else. */
const IMAGES: readonly (readonly [image: RegExp, program: string])[] = [
  [/\/aws-?cli(?::|@|$)/, 'aws'],
  [/azure-cli(?::|@|$)/, 'az'],
  [/kubectl(?::|@|$)/, 'kubectl'],
  [/\/helm(?::|@|$)/, 'helm'],
  [/\/(?:terraform|opentofu)(?::|@|$)/, 'terraform'],
  [/\/rclone(?::|@|$)/, 'rclone'],
  [/\/restic(?::|@|$)/, 'restic'],
  [/(?:minio|bitnami)\/mc(?::|@|$)/, 'mc'],
  [/doctl(?::|@|$)/, 'doctl'],
];
/** Flags that stand alone; any other takes the next word. */
const ALONE = /^-(?:[itdPTq]+|-(?:rm|interactive|tty|detach|init|read-only|publish-all|quiet|no-healthcheck))$|=/;
/** What a fresh container runs: the words behind its image, and the program the image is. */
function within(args: readonly string[]): string[][] {
  const run = args.indexOf('run');
  if (run < 0 || args.slice(0, run).some((word) => !/^-|^container$/.test(word))) return [];
  let at = run + 1;
  while (at < args.length && (args[at] ?? '').startsWith('-')) at += ALONE.test(args[at] ?? '') ? 1 : 2;
  const rest = args.slice(at + 1);
  return [rest, ...IMAGES.flatMap(([image, program]) => (image.test(args[at] ?? '') ? [[program, ...rest]] : []))].filter(
    (words) => words.length > 0,
  );
}

const MOUNTED =
  /^(?:\/|~\/?|\/(?:root|home|etc|usr|var|boot|dev|proc|sys|lib\w*|bin|sbin|run|opt|srv|mnt)(?:\/(?:[^/]+\/?)?)?|\/Users\/[^/]+\/?)$/;
/** A mount of the root, of a home or of a system folder; some may be looked at. */
const mountsHost = (args: readonly string[]): boolean =>
  args.some((word, index) => {
    const given = /^(?:-v|--volume|--mount)$/.test(args[index - 1] ?? '') ? word : /^(?:-v|--volume=|--mount=)(.+)$/.exec(word)?.[1];
    const from = given === undefined ? undefined : (/(?:source|src)=([^,]+)/.exec(given)?.[1] ?? given.split(':')[0]);
    if (given === undefined || from === undefined || !MOUNTED.test(from)) return false;
    const readOnly = /:(?:[\w,]*,)?ro\b|readonly/.test(given) && !/^(?:\/|\/(?:root|home|etc)(?:\/.*)?)$/.test(from);
    return !readOnly;
  });

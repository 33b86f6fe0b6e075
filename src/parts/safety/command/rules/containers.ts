import type { Rule } from '../run/call.ts';
import { ask, operands, verbs } from './rows.ts';

/** Containers and machines within this one: what they may reach, and what is lost with them. */
export const CONTAINERS: readonly Rule[] = [
  ask('container_host', 'it gives a container a hold on this machine', (name, args) => {
    if (
      !/^(?:docker|podman|nerdctl|ctr|crictl|docker-compose|buildah|kubectl|lxc|lxc-start|incus|singularity|apptainer|systemd-nspawn|machinectl|firecracker|runc|crun)$/.test(
        name,
      )
    )
      return false;
    const said = args.join(' ');
    if (/^(?:lxc|incus)$/.test(name)) return /security\.privileged|source=\/(?:\s|$)|raw\.lxc/.test(said);
    return (
      /--privileged(?!=false)|--pid[= ]host|--(?:userns|ipc|uts|cgroupns)[= ]host|--cap-add[= ]?(?:ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH|NET_ADMIN|SYS_RAWIO|SYS_BOOT)|--security-opt[= ]\S*(?:unconfined|disable|no-new-privileges[=:]false)|--device[= ]?\/dev\/(?!dri|snd|video|kvm|fuse|net|ttyUSB|ttyACM)|docker\.sock|podman\.sock|containerd\.sock|--net(?:work)?[= ]host\b.*(?:--pid|--cap|privileged)|(?:-H|--host)[= ]?tcp:|--volumes-from|--grant-all-permissions|debug\s+node\/|hostPath|hostPID|nsenter|--bind[= ]?\/(?:[\s:]|$)|"privileged":\s*true/i.test(
        said,
      ) || mountsHost(args)
    );
  }),
  verbs('container_loss', 'it removes containers, images or volumes', {
    docker: LOSES_CONTAINERS(),
    podman: LOSES_CONTAINERS(),
    nerdctl: LOSES_CONTAINERS(),
    'docker-compose': /^(?:(?!exec|run|logs).)*\b(?:down\b.*(?:\s-\w*v|--volumes|--rmi)|rm\b|kill\b)/,
    vagrant: /destroy|box\s+remove|snapshot\s+(?:delete|restore)/,
    lxc: /\b(?:delete|stop.*--force|storage\s+(?:delete|volume\s+delete))\b/,
    incus: /\bdelete\b/,
    virsh: /destroy|undefine|vol-delete|pool-(?:destroy|delete)|snapshot-(?:delete|revert)|reset|managedsave-remove/,
    VBoxManage: /unregistervm.*--delete|closemedium.*--delete|snapshot.*(?:delete|restore)|controlvm.*poweroff|discardstate/i,
    vboxmanage: /unregistervm.*--delete|closemedium.*--delete|snapshot.*delete/i,
    multipass: /delete|purge/,
    limactl: /delete|factory-reset|prune/,
    colima: /delete/,
    minikube: /delete/,
    kind: /delete/,
    k3d: /delete/,
    qm: /destroy|stop|rollback|delsnapshot/,
    pct: /destroy|stop|rollback/,
    buildah: /rm.*(?:-a|--all)|prune/,
    crictl: /rm|stopp|rmi.*(?:-a|--prune)/,
    ctr: /delete|rm\b/,
    dockerd: true,
    'k3s-uninstall.sh': true,
    kubeadm: /reset/,
    'qemu-img': /snapshot.*-d|resize.*--shrink|commit/,
    machinectl: /remove/,
    distrobox: /rm/,
    toolbox: /rm/,
    wsl: /--unregister/i,
  }),
];
function LOSES_CONTAINERS(): RegExp {
  return /^(?:-\S+\s+)*(?:(?:container|image|volume|network|system|builder|buildx|pod|secret|config|context|stack|service|swarm|node|plugin|manifest|machine)\s+)?(?:rm|rmi|prune|kill|remove|delete|leave|update\s+--(?:replicas|force)|reset)\b|^(?:-\S+\s+)*compose\s+(?:-\S+(?:\s+[^-\s]\S*)?\s+)*(?:rm|kill|down\b.*(?:\s-\w*v\b|--volumes|--rmi))|^(?:-\S+\s+)*(?:stop|restart|pause)\s+.*(?:\uE000|\uE003)|^(?:-\S+\s+)*commit\s.*--change/;
}

/** A mount of the root, of a home or of a system folder. */
const mountsHost = (args: readonly string[]): boolean =>
  args.some((word, index) => {
    const given = /^(?:-v|--volume|--mount)$/.test(args[index - 1] ?? '') ? word : /^(?:-v|--volume=|--mount=)(.+)$/.exec(word)?.[1];
    const from = given === undefined ? undefined : (/(?:source|src)=([^,]+)/.exec(given)?.[1] ?? given.split(':')[0]);
    const readOnly =
      given !== undefined && /:(?:[\w,]*,)?ro\b|readonly/.test(given) && !/^(?:\/|\/(?:root|home|etc)(?:\/.*)?)$/.test(from ?? '');
    return (
      from !== undefined &&
      !readOnly &&
      /^(?:\/|~\/?|\/(?:root|home|etc|usr|var|boot|dev|proc|sys|lib\w*|bin|sbin|run)(?:\/(?:[^/]+\/?)?)?|\/Users\/[^/]+\/?)$/.test(from) &&
      operands([from]).length > 0
    );
  });

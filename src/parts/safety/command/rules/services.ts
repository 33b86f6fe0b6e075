import type { Call, CommandRule } from '../call/call.ts';
import { isHere, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { isSpared } from './for-tests.ts';
import { findRow, toRows, toWordSet } from '../../../../base/word-tables.ts';
import { ask, says } from './rows.ts';
import { isHelp, loadsCode } from './reading.ts';

/** Programs that act on something beyond this machine with the owner's rights, by the class of danger. Adding one is a word. */
const SERVICES: Readonly<Record<string, ReadonlySet<string>>> = {
  cloud_loss: toWordSet(`
    aws awslocal gcloud az doctl hcloud linode-cli vultr-cli oci ibmcloud scw aliyun exo flyctl fly heroku vercel netlify wrangler railway render
    scalingo dokku kamal cf eb sam cdk cdktf copilot chalice zappa serverless sls sst amplify firebase supabase pulumi terraform tofu
    terragrunt packer ansible ansible-playbook ansible-vault salt puppet knife kubectl k kubecolor oc helm helmfile argocd flux istioctl
    linkerd velero kops eksctl rancher nomad consul vault bao etcdctl minikube kind k3d k3s microk8s gsutil s3cmd s5cmd mc rclone b2 restic
    borg duplicity duplicacy kopia bq cloudflared ngrok tailscale rabbitmqctl rabbitmqadmin kafka-topics kafka-topics.sh nats pscale neon
    neonctl turso upstash algolia stripe shopify twilio sentry-cli datadog-ci newrelic circleci fastlane eas expo doppler infisical op bw
    chamber sops gcloud-- virsh govc esxcli ovftool openstack nova juju maas zfs zpool btrfs snapper lvremove vgremove
  `),
  container_loss: toWordSet(`
    docker podman nerdctl docker-compose podman-compose buildah finch ctr crictl lxc incus vagrant multipass colima limactl machinectl distrobox
  `),
  forge: toWordSet('gh glab hub tea jira linear'),
};
const classOf = (name: string): string | undefined => Object.keys(SERVICES).find((key) => SERVICES[key]?.has(name) === true);

/** Verbs by which tools only look. */
const LOOKS = toWordSet(`
  list ls lists show describe get info status version versions help view inspect search find history diff validate check lint logs log
  tail top stats whoami wait completion docs doctor explain plan preview exists health ping print verify ps images port events
  template fmt graph providers api-resources api-versions cluster-info can-i current-context get-contexts tree members
  checks watch size read lsf lsd lsl ls-remote md5sum dig inventory syntax-check
`);
const LOOKING =
  /^(?:get|list|receive|describe|show|head|lookup|search|view|batch-get|scan|query|test|validate|estimate|preview)-|:(?:list|info|show|logs|status|get|log)$/;
/** What looks into these shows what opens other doors. */
const OPENS_DOORS =
  /decrypt|\bkeys\b|\.Env\b|^Environment$|^(?:-t|--show-token)$|[sS]ecret|[tT]oken|[cC]redential|[pP]assw|passphrase|api[-_]?key|kubeconfig|^--raw$|access-key|config:get|reveal/;

/** The words besides flags and their values: nouns and verbs before names. */
const MAX_VERBS = 4;
const verbsOf = (args: readonly string[]): string[] => {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end))
    .filter((word, at, all) => /^[a-z][a-z0-9:_-]*$/.test(word) && !/^-{1,2}[\w-]+$/.test(all[at - 1] ?? ''))
    .slice(0, MAX_VERBS);
};
const SHARP = toWordSet(
  '--prune --purge --delete --replicas=0 --grace-period=0 --now --cascade --rmi -v=true --volumes --all --remove-orphans-- --destroy -destroy --reset --overwrite --public --acl=public-read',
);
const triesOnly = (args: readonly string[]): boolean =>
  args.some((word) => /^--(?:dry-?run(?:=(?!false|none)\S*)?|what-if|validate-only|check|noop|help)$/.test(word));

/** Tools that keep secrets: looking is reading them. */
const KEEPERS = toWordSet('op bw ansible-vault sops chamber doppler infisical vault bao');
/** A call of a service that only looks, at nothing that opens another door. */
export function looksAtService(call: Call): boolean {
  const { name, args } = call;
  if (classOf(name) === undefined) return false;
  const verbs = verbsOf(args);
  if (
    args.some((word) => OPENS_DOORS.test(word)) ||
    KEEPERS.has(name) ||
    (name === 'rclone' && verbs[0] === 'config') ||
    args.some((word) => word.startsWith('--post-renderer')) ||
    loadsCode(call)
  )
    return false;
  return (
    isHelp(call) ||
    triesOnly(args) ||
    looksByPlace(name, args, verbs) ||
    (verbs.some((word) => LOOKS.has(word) || LOOKING.test(word)) &&
      !loses(call) &&
      !verbs.some((word) => CHANGES.has(word.replace(/-.*$/, ''))))
  );
}
/** Tools whose verb has its place: what stands behind it is a name, whatever it says. */
const VERB_AT: Readonly<Record<string, number>> = { ...toRows('kubectl k kubecolor oc helm', 0), ...toRows('gh glab', 1) };
const looksByPlace = (name: string, args: readonly string[], verbs: readonly string[]): boolean =>
  LOOKS.has(verbs[findRow(VERB_AT, name) ?? MAX_VERBS] ?? '') ||
  (name === 'gh' && verbs[0] === 'api' && !args.some((word) => /^-\w*[XfF]|^--(?:method|field|raw-field|input)/.test(word)));
/** Behind a verb that looks these are verbs again: it was a noun. */
const CHANGES =
  toWordSet(`create update set add put attach assign enable edit modify patch replace import rebuild resize scale start stop restart
  reboot deploy apply run exec cp mv sync login logout push up rollout upgrade install merge close reopen comment approve review`);

/** Verbs by which something is lost, whoever says them, and by which something is opened to others. */
const LOSS = toWordSet(`
  delete deletes del destroy purge wipe drop remove rm rmi rb reset prune erase flush flushall flushdb terminate revoke disable uninstall
  nuke truncate shred overwrite unregister deregister unpublish yank evict drain forget discard abandon trash decommission deprovision
  teardown shutdown poweroff halt kill detach rollback revert restore deactivate undeploy suspend downgrade deleteall removeall
  expose tunnel grant authorize impersonate unlock unseal funnel publicize escalate elevate
`);
/** Whether a word, or a word within it, speaks of that: `db:drop`, `delete-all`, `wipeData`, `users_purge`. */
const soundsLikeLoss = (word: string): boolean =>
  word
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((part) => LOSS.has(part));
/** Flags that switch a question or a check off, whatever the program. */
const FORCE =
  /^--(?:force(?:-(?!recreate)\w+)?|hard|nuke|no-backup|skip-(?:checks|confirm\w*|backup)|accept-data-loss|auto-approve|no-?confirm|yes-i-really-mean-it)(?:=(?!false|0|no)|$)/;

/** By its words it takes something away, or opens it to others. */
function loses({ name, args }: Call): boolean {
  if (triesOnly(args) || verbsOf(args).some((word) => /^(?:can-i|plan|diff|explain)$/.test(word))) return false;
  const flags = args.flatMap((word, at) => (word.startsWith('-') ? [word, `${word}=${args[at + 1] ?? ''}`] : []));
  return (
    verbsOf(args).some((word, at) => at < 3 && soundsLikeLoss(word)) ||
    flags.some((word) => SHARP.has(word) || FORCE.test(word)) ||
    LOSING[name]?.test(args.join(' ')) === true
  );
}
const LOSES_CONTAINERS = /\bdown\b.*\s-[a-zA-Z]*v|\bsystem\s+prune/;
/** Ways to lose something that no verb tells. */
const LOSING: Readonly<Record<string, RegExp>> = {
  docker: LOSES_CONTAINERS,
  'docker-compose': LOSES_CONTAINERS,
  podman: LOSES_CONTAINERS,
  aws: /\bs3\s+(?:rb|rm|mv)\b|\bsync\b.*--delete|terminate|deregister|schedule-key-deletion|put-bucket-(?:policy|acl)|modify-\S+.*--no-deletion/,
  gh: /-\w*X\s*=?(?:DELETE|PUT|PATCH)|--method[= ](?:DELETE|PUT|PATCH)|repo\s+(?:edit|archive|rename)|--admin|mutation|--visibility/i,
  glab: /-\w*X\s*=?(?:DELETE|PUT|PATCH)|--method[= ](?:DELETE|PUT|PATCH)/i,
  kubectl: /\bscale\b.*--replicas[= ]0|\breplace\b|\btaint\b|\bcordon\b|\brollout\s+undo\b|create\s+(?:cluster)?rolebinding/,
  terraform: /\bapply\b.*-destroy|\bstate\s+(?:rm|mv|push)\b|-auto-approve|force-unlock|\btaint\b/,
  tofu: /\bapply\b.*-destroy|\bstate\s+(?:rm|mv|push)\b|-auto-approve|force-unlock|\btaint\b/,
  rclone: /^(?:sync|move|moveto|purge|delete|dedupe|cleanup|rmdirs?)\b/,
  gsutil: /\brm\b|\brb\b|\brsync\b.*-d\b|\bmv\b|\bacl\b|\biam\b/,
  pulumi: /\bup\b.*(?:--yes|-y\b)|\bcancel\b|stack\s+rm/,
};

/** Clouds and platforms, where whatever does not only look costs money or reaches people. */
const STRICT = toWordSet(
  'aws gcloud az doctl hcloud oci ibmcloud heroku fly flyctl vercel netlify railway firebase stripe ansible salt vault',
);
/** What they do on this machine alone. */
const WORKS = /^(?:dev|build|emulators:start|bicep|local|login)$/;
const worksHere = ({ args }: Call): boolean => verbsOf(args).some((word) => WORKS.test(word));
const reachesFar = (key: string): CommandRule =>
  ask(
    key,
    REASONS[key] ?? '',
    (call) =>
      classOf(call.name) === key &&
      (loses(call) || (STRICT.has(call.name) && !looksAtService(call) && !worksHere(call))) &&
      !isSpared(call),
  );
const REASONS: Readonly<Record<string, string>> = {
  cloud_loss: 'it removes or changes something in a cloud, a cluster or a service of yours',
  container_loss: 'it removes or changes containers, images or volumes',
  forge: 'it changes a repository, or what belongs to it, for everyone',
};

/** Flags and words by which a container gets hold of its host. */
const HOLDS =
  /^--privileged(?!=false)|privileged"?[:=]\s*true|^--(?:pid|userns|ipc|uts|cgroupns)=host$|^--cap-add=?(?:ALL|SYS_\w+|DAC_\w+|NET_ADMIN|NET_RAW|CAP_\w+|MKNOD|SETUID|BPF)$|^--device(?:=?\/dev\/(?:sd|nvme|vd|mem|kmem|mapper|dm-|disk)|-cgroup-rule)|unconfined|(?:docker|podman|containerd|crio)\.sock|^(?:-H|--host|--docker|host)=?(?:host=)?tcp:|^--volumes-from|hostPath|hostPID|hostNetwork/i;
/** Folders of this machine that a container is given. */
const mounted = (args: readonly string[]): string[] =>
  args.flatMap((word, at) => {
    const given = /^(?:-v|--volume|--mount)$/.test(args[at - 1] ?? '') ? word : /^(?:-v|--(?:volume|mount)=)(.+)$/.exec(word)?.[1];
    const from = given === undefined ? undefined : (/(?:source|src)=([^,]+)/.exec(given)?.[1] ?? given.split(':')[0]);
    return from !== undefined && /^[/~.\uE000]/.test(from) ? [from] : [];
  });
const holdsHost = (args: readonly string[], place: ShellContext): boolean =>
  args.some((word, at) => [word, ...(word.startsWith('-') ? [`${word}=${args[at + 1] ?? ''}`] : [])].some((each) => HOLDS.test(each))) ||
  mounted(args).some((word) => !isHere(resolveTargetPath(word, place), place) && !/^\/(?:tmp|dev\/(?:dri|shm|snd))/.test(word));

/** Words that make the work public, or change what is. */
const publishes = says(
  '(?:npm|pnpm|yarn|bun|lerna|cargo|vsce|ovsx|changeset|flit|pdm|poetry|uv|hatch) (?:-\\S+ |npm )*(?:publish|unpublish|yank|deprecate)',
  'npm (?:dist-tag|owner|access|team|token|hook|org)(?! (?:ls|list|get)\\b)|cargo owner|gem (?:push|yank|owner)|twine upload|mvn .*(?:deploy|release:perform)',
  'gradlew? .*(?:publish|uploadArchives)|dotnet nuget (?:push|delete)|nuget (?:push|delete)|pod trunk push|mix hex\\.publish',
  '(?:docker|podman|helm) (?:image |compose |manifest )?push|docker .*--push|goreleaser (?:release|publish)(?!.*--snapshot)',
  'python3? -m twine upload|semantic-release|np|gh-pages|release-it',
);

/** What reaches services with the owner's rights. Behind a wall it only works by a grant; that it takes something away is said before. */
export const SERVICE_LOSSES: readonly CommandRule[] = [
  reachesFar('cloud_loss'),
  reachesFar('container_loss'),
  reachesFar('forge'),
  ask('container_host', 'it gives a container access to this machine', ({ name, args }, place) => isEngine(name) && holdsHost(args, place)),
  ask('published', 'it publishes something, or changes what is published', (call) => publishes(call) && !triesOnly(call.args)),
];

export const isService = (name: string): boolean => classOf(name) !== undefined;
/** Without a wall whatever does not only look at a service is asked about. */
export const SERVICE_USE: readonly CommandRule[] = Object.keys(SERVICES)
  .filter((key) => key !== 'container_loss')
  .map((key) =>
    ask(key, 'it acts on a service beyond this machine, with your rights', (call) => classOf(call.name) === key && !looksAtService(call)),
  );
export const isEngine = (name: string): boolean => SERVICES['container_loss']?.has(name) === true;

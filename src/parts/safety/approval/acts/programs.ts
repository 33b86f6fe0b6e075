import type { STANDING } from './standing.ts';

/** How the acts of a program are told apart. What a row does not name stays in the act as it is written. */
export interface ProgramActs {
  /** Options that say where it acts, by what they name: `-n --namespace` are a namespace. */
  readonly where?: Readonly<Record<string, string>>;
  /** Variables that say the same. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Without these nobody can tell where it acts: it hangs on settings that may have changed by the next time. `a|b`: one of both. */
  readonly needs?: readonly string[];
  /** Those of them that are read from its settings when its words do not name them. */
  readonly standing?: Readonly<Record<string, keyof typeof STANDING>>;
  /** Needed by one verb alone. */
  readonly needsFor?: Readonly<Record<string, readonly string[]>>;
  /** Words kept of an act, its verb among them; all of them for a verb that is not here. */
  readonly keeps?: Readonly<Record<string, number>>;
  /** What the words behind a verb name: `push REMOTE BRANCH`. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  /** It acts on the folder it runs in, with all its verbs or with these. */
  readonly here?: true | readonly string[];
  /** Options that change nothing of what it does, and those of them that take a value. */
  readonly quiet?: string;
  readonly quietWith?: string;
  /** `pod/web` is a pod. */
  readonly kinds?: true;
  /** The options that hold statements of a database, and what statements may also stand in: then only these very words are one act. */
  readonly statements?: string;
  readonly files?: string;
  /** The words behind the first one are a command for somewhere else. */
  readonly commandBehind?: true;
  /** It runs what stands in the project's files: every use, or these verbs. Its words say too little of what it does here. */
  readonly runsProject?: true | readonly string[];
}

const by = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(';').flatMap((row) => {
      const [name = '', options = ''] = row.split(':');
      return options
        .trim()
        .split(/\s+/)
        .map((option) => [option, name.trim()]);
    }),
  );
const keeps = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(text.split(',').map((verb) => [verb.trim(), verb.trim().split(' ').length]));

const CLUSTER =
  'namespace: -n --namespace; context: --context --kube-context; cluster: --cluster; kubeconfig: --kubeconfig; server: -s --server; user: --as --user; all: -A --all-namespaces';
const IN_CONTEXT = { needs: ['context', 'namespace'], standing: { context: 'kubeContext' } } as const satisfies ProgramActs;
const KUBECTL: ProgramActs = {
  where: by(CLUSTER),
  variables: { KUBECONFIG: 'kubeconfig' },
  ...IN_CONTEXT,
  keeps: {
    delete: 2,
    scale: 2,
    'rollout restart': 3,
    'rollout undo': 3,
    label: 2,
    annotate: 2,
    logs: 1,
    get: 2,
    describe: 2,
    cordon: 2,
    drain: 2,
  },
  quiet: '-w --watch --wait --ignore-not-found',
  quietWith: '-o --output --grace-period --timeout --replicas --tail --since',
  kinds: true,
};
const DOCKER: ProgramActs = {
  where: by('host: -H --host; context: -c --context; project: -p --project-name; file: --file --env-file'),
  variables: { DOCKER_HOST: 'host', DOCKER_CONTEXT: 'context', COMPOSE_PROJECT_NAME: 'project', COMPOSE_FILE: 'file' },
  keeps: keeps(
    'ps, images, logs, inspect, image prune, builder prune, compose stop, compose start, compose restart, compose logs, compose ps',
  ),
  needs: ['context|host'],
  standing: { 'context|host': 'dockerContext' },
  here: ['compose'],
  quiet: '-q --quiet --tail --follow',
  runsProject: ['build', 'buildx', 'compose', 'run'],
};
const COMPOSE: ProgramActs = {
  ...DOCKER,
  runsProject: true,
  where: by('host: -H --host; context: -c --context; file: -f --file; project: -p --project-name; profile: --profile'),
  here: true,
  keeps: keeps('stop, start, restart, logs, ps, rm, kill'),
};
const POSTGRES: ProgramActs = {
  where: by('host: -h --host; port: -p --port; database: -d --dbname; user: -U --username'),
  variables: { PGHOST: 'host', PGDATABASE: 'database', PGPORT: 'port', PGUSER: 'user', PGSERVICE: 'service' },
};
const MYSQL: ProgramActs = {
  where: by('host: -h --host; port: -P --port; database: -D --database; user: -u --user; socket: -S --socket'),
};
const REDIS: ProgramActs = { where: by('host: -h; port: -p; database: -n; url: -u') };
const PACKAGES: ProgramActs = { quiet: '-y --yes --assume-yes -q --quiet --no-confirm --noconfirm' };
const PROJECT_PACKAGES: ProgramActs = {
  here: true,
  runsProject: true,
  where: by('registry: --registry --index-url --repository; tag: --tag'),
};
const CLOUD: ProgramActs = {
  where: by(
    'profile: --profile; region: --region --location -l; zone: --zone; project: --project; account: --account --subscription; group: -g --resource-group',
  ),
  variables: {
    AWS_PROFILE: 'profile',
    AWS_REGION: 'region',
    AWS_DEFAULT_REGION: 'region',
    CLOUDSDK_CORE_PROJECT: 'project',
    AWS_ENDPOINT_URL: 'endpoint',
  },
  quiet: '--quiet -q --yes -y --no-paginate',
  quietWith: '--output --format --query',
};
const TERRAFORM: ProgramActs = {
  here: true,
  runsProject: true,
  where: by('in: -chdir; state: -state; file: -var-file; target: -target'),
  variables: { TF_WORKSPACE: 'workspace' },
  quiet: '-auto-approve -no-color -input=false',
};
const FORGE: ProgramActs = {
  here: true,
  where: by('repository: -R --repo; host: --hostname; organization: --org'),
  needs: ['repository'],
  standing: { repository: 'forgeRemotes' },
  quietWith: '--json --jq',
};
const SERVICE: ProgramActs = { where: by('host: -H --host; machine: -M --machine'), quiet: '--no-pager --quiet -q --no-block' };
const DEPLOY: ProgramActs = {
  here: true,
  runsProject: true,
  where: by('project: --project; environment: -e --env --environment; app: -a --app; scope: --scope --team; site: --site'),
};
const FAR: ProgramActs = { where: by('port: -p; key: -i; user: -l; jump: -J; config: -F'), commandBehind: true, quiet: '-q -T -n -4 -6' };

/** Programs whose acts can be told apart by their words. Adding one is a row; of any other program every line is an act of its own. */
export const PROGRAM_ACTS: Readonly<Record<string, ProgramActs>> = {
  kubectl: KUBECTL,
  oc: KUBECTL,
  helm: {
    where: by(CLUSTER),
    variables: { KUBECONFIG: 'kubeconfig', HELM_NAMESPACE: 'namespace', HELM_KUBECONTEXT: 'context' },
    ...IN_CONTEXT,
  },
  flux: { where: by(CLUSTER), ...IN_CONTEXT },
  docker: DOCKER,
  podman: {
    ...DOCKER,
    where: by('host: --url --host; context: -c --connection; project: -p --project-name; file: --file --env-file'),
    variables: { CONTAINER_HOST: 'host' },
    standing: { 'context|host': 'podmanConnection' },
  },
  nerdctl: { ...DOCKER, needs: [] },
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  psql: { ...POSTGRES, needs: ['database'], names: { '': ['database', 'user'] }, statements: '-c --command', files: '-f --file' },
  createdb: POSTGRES,
  dropdb: POSTGRES,
  dropuser: POSTGRES,
  createuser: POSTGRES,
  pg_restore: POSTGRES,
  pg_dump: POSTGRES,
  mysql: { ...MYSQL, needs: ['database'], names: { '': ['database'] }, statements: '-e --execute' },
  mariadb: { ...MYSQL, needs: ['database'], names: { '': ['database'] }, statements: '-e --execute' },
  mysqladmin: MYSQL,
  mysqldump: MYSQL,
  sqlite3: { here: true, runsProject: true },
  'redis-cli': REDIS,
  'valkey-cli': REDIS,
  mongosh: { where: by('host: --host; port: --port') },
  git: {
    where: by('in: -C; repository: --git-dir; tree: --work-tree'),
    here: true,
    names: { push: ['remote', 'branch'], pull: ['remote', 'branch'], fetch: ['remote', 'branch'] },
    needsFor: { push: ['remote', 'branch', 'url'] },
    standing: { url: 'pushUrl' },
    keeps: keeps(
      'checkout --, restore, reset, clean, rebase, commit, revert, cherry-pick, stash drop, stash clear, branch, tag, gc, worktree remove, fetch',
    ),
    quiet: '-q --quiet --progress --no-verify-signatures -u --set-upstream',
    quietWith: '-m --message',
  },
  gh: FORGE,
  glab: FORGE,
  hub: FORGE,
  tea: FORGE,
  aws: { ...CLOUD, needs: ['profile', 'region'], standing: { profile: 'awsProfile', region: 'awsRegion' } },
  gcloud: { ...CLOUD, needs: ['project'], standing: { project: 'gcloudProject' } },
  gsutil: CLOUD,
  bq: { where: by('project: --project_id'), needs: ['project'], standing: { project: 'gcloudProject' } },
  az: { ...CLOUD, needs: ['account'], standing: { account: 'azureAccount' } },
  doctl: { where: by('context: --context'), needs: ['context'] },
  hcloud: { where: by('context: --context'), variables: { HCLOUD_CONTEXT: 'context' }, needs: ['context'] },
  terraform: TERRAFORM,
  tofu: TERRAFORM,
  pulumi: { here: true, runsProject: true, where: by('stack: -s --stack; in: -C --cwd') },
  ansible: { here: true, runsProject: true, where: by('inventory: -i --inventory; limit: -l --limit') },
  'ansible-playbook': { here: true, runsProject: true, where: by('inventory: -i --inventory; limit: -l --limit') },
  systemctl: SERVICE,
  service: SERVICE,
  'rc-service': SERVICE,
  supervisorctl: SERVICE,
  pm2: SERVICE,
  launchctl: SERVICE,
  journalctl: SERVICE,
  loginctl: SERVICE,
  apt: PACKAGES,
  'apt-get': PACKAGES,
  dnf: PACKAGES,
  yum: PACKAGES,
  apk: PACKAGES,
  pacman: PACKAGES,
  zypper: PACKAGES,
  brew: PACKAGES,
  snap: PACKAGES,
  flatpak: PACKAGES,
  dpkg: PACKAGES,
  npm: PROJECT_PACKAGES,
  pnpm: PROJECT_PACKAGES,
  yarn: PROJECT_PACKAGES,
  pip: { ...PROJECT_PACKAGES, ...PACKAGES, here: true },
  cargo: PROJECT_PACKAGES,
  gem: PROJECT_PACKAGES,
  twine: PROJECT_PACKAGES,
  poetry: PROJECT_PACKAGES,
  uv: PROJECT_PACKAGES,
  vercel: DEPLOY,
  netlify: DEPLOY,
  fly: DEPLOY,
  flyctl: DEPLOY,
  heroku: DEPLOY,
  wrangler: DEPLOY,
  firebase: DEPLOY,
  ssh: FAR,
  mosh: FAR,
  scp: { here: true, where: by('port: -P; key: -i') },
  rsync: { here: true, where: by('shell: -e --rsh') },
  sftp: { where: by('port: -P; key: -i') },
  pkill: {},
  killall: {},
  kill: {},
  ip: {},
  ufw: {},
  iptables: {},
  nmcli: {},
  resolvectl: {},
  hostnamectl: {},
  timedatectl: {},
  crontab: { here: true, runsProject: true },
  swapoff: {},
  swapon: {},
  sysctl: {},
  adb: { where: by('device: -s') },
  etcdctl: { where: by('endpoint: --endpoints') },
  vault: { variables: { VAULT_ADDR: 'server', VAULT_NAMESPACE: 'namespace' }, where: by('server: -address; namespace: -namespace') },
  consul: { where: by('server: -http-addr; datacenter: -datacenter') },
  nomad: { where: by('server: -address; namespace: -namespace; region: -region') },
  rabbitmqctl: { where: by('node: -n; host: -p') },
  virsh: { where: by('host: -c --connect') },
};

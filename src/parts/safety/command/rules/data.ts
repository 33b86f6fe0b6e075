import type { Rule } from '../run/call.ts';
import { ask, operands, verbs } from './rows.ts';

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|sqlplus|cockroach|clickhouse-client|clickhouse|usql|mycli|pgcli|litecli|bq|snowsql|cqlsh|isql|beeline|hive|presto|trino|db2|osql|turso|wrangler|prisma|supabase|docker|podman|kubectl|ssh|docker-compose|python[\d.]*|node|ruby|php|perl|rails|npx|heroku|fly|dolt|influx)$/;
const SQL_CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|sqlplus|cockroach|clickhouse-client|usql|mycli|pgcli|litecli|bq|snowsql|cqlsh|isql|beeline|hive|presto|trino|db2|osql|turso|dolt)$/;
/** Statements that lose rows or tables. A condition that always holds is none. */
const DROPS =
  /\bdrop\s+(?:table|database|schema|index|view|materialized|keyspace|collection|user|role|tablespace|owned|type|function|trigger|sequence|column|extension|policy|measurement|bucket|series)\b|\btruncate\s+(?:table\s+)?[\w"`[$.]|\balter\s+table\s+\S+\s+drop\b|\bdelete\s+from\s+[\w"`.[\]]+\s*(?:;|$|"|'|\)|where\s+(?:1\s*=\s*1|true|1|\w+\s*(?:>=?|<>|!=)\s*(?:0|-1|'')|\w+\s+is\s+not\s+null|\w+\s+like\s+'%'))|\bupdate\s+[\w"`.[\]]+\s+set\s+(?:(?!\bwhere\b)[^;])*(?:;|$)|\bvacuum\s+full\b|\bdrop\s+(?:if\s+exists\s+)?all\b|\bshutdown\s*(?:;|$)|\breset\s+master\b|\bpurge\s+binary\b|\bgrant\s+all\b|\balter\s+(?:user|role|system)\b|\bcopy\s+.*\bto\s+program\b|\binto\s+(?:out|dump)file\b|\bload_extension\b|\bwritable_schema\b|\bpg_terminate_backend\b|\bdrop\s+constraint\b/i;
const DELETES = /\bdelete\s+from\b/i;
const CODE_DROPS =
  /execute\w*\s*\(|\.query\s*\(|\.exec\s*\(|dropDatabase|deleteMany|drop\s*\(|flush(?:all|db)|destroy_all|delete_all|\$executeRaw/i;

const texts = (args: readonly string[], fed: readonly string[]): string => [...args, ...fed].join('\n').slice(0, 100_000);

/** Databases, clusters, containers and what is kept in them. */
export const DATA: readonly Rule[] = [
  ask('database_loss', 'it deletes data from a database', (name, args, { fed }) => {
    if (!CLIENTS.test(name)) return false;
    const said = texts(args, fed);
    if (SQL_CLIENTS.test(name)) return DROPS.test(said) || (DELETES.test(said) && !/\bwhere\b/i.test(said));
    return DROPS.test(said) && (CODE_DROPS.test(said) || /\b(?:psql|mysql|sqlite3|d1\s+execute|db\s+execute|dbshell|runner)\b/.test(said));
  }),
  ask('database_loss', 'it deletes data from a store', (name, args, { fed }) => {
    const said = texts(args, fed);
    if (/^(?:mongo|mongosh)$/.test(name))
      return /dropDatabase|\.drop\s*\(|deleteMany\s*\(\s*\{\s*\}|\.remove\s*\(\s*\{\s*\}|dropIndex|shutdownServer|dropUser|dropAllUsers|deleteMany|dropCollection/.test(
        said,
      );
    if (/^(?:redis-cli|valkey-cli|keydb-cli)$/.test(name))
      return /\b(?:flushall|flushdb|shutdown|config\s+(?:set|rewrite)|debug\s+(?:segfault|reload)|slaveof|replicaof|swapdb|script\s+flush|function\s+flush|eval\b|acl\s+(?:set|del)|del\b|unlink\b|client\s+kill)/i.test(
        said,
      );
    if (/^(?:etcdctl|consul)$/.test(name))
      return /\bdel\b.*(?:--prefix|--from-key|"")|kv\s+delete.*-recurse|member\s+remove|snapshot\s+restore/.test(said);
    if (/^(?:curl|http|https|xh|wget)$/.test(name))
      return /(?:-X|--request|--method)\s*=?\s*DELETE\b|(?:^|\s)-XDELETE|(?:^|\s)DELETE\s|_delete_by_query|FLUSHALL|dropDatabase/.test(
        args.join(' '),
      );
    return (
      /^(?:rabbitmqctl|kafka-topics(?:\.sh)?|influx|memcached-tool|nats|rpk|rabbitmqadmin)$/.test(name) &&
      /\b(?:reset|delete|--delete|purge_queue|delete_queue|force_reset|flush|purge|stream\s+rm)\b/.test(said)
    );
  }),
  verbs('database_loss', 'it drops or overwrites a database', {
    dropdb: true,
    dropuser: true,
    mysqladmin: /\b(?:drop|shutdown|flush-\w+|password)\b/,
    pg_restore: /--clean|-c\b|--create/,
    mongorestore: /--drop/,
    pg_resetwal: true,
    pg_dropcluster: true,
    pg_ctl: /stop|restart|promote/,
    initdb: true,
    mysql_install_db: true,
    mysqlimport: /--delete|-d\b|--replace/,
    prisma: /migrate\s+reset|db\s+push.*--(?:force-reset|accept-data-loss)|migrate\s+deploy/,
    npx: /prisma\s+(?:migrate\s+reset|db\s+push.*--(?:force-reset|accept-data-loss))|sequelize\S*\s+db:(?:drop|migrate:undo:all)|typeorm\s+schema:drop|drizzle-kit\s+drop|supabase\s+db\s+reset|knex\s+migrate:rollback.*--all|wrangler\s+(?:\S+\s+)?delete|firebase\s+(?:firestore:delete|projects:delete|database:remove)|rimraf/,
    rails: /db:(?:drop|reset|purge|schema:load|migrate:reset|truncate)|destroy/,
    rake: /db:(?:drop|reset|purge|schema:load|migrate:reset)/,
    bundle: /db:(?:drop|reset|purge|migrate:reset)/,
    'manage.py': /flush|reset_db|sqlflush/,
    'django-admin': /flush|reset_db/,
    python: /manage\.py\s+(?:flush|reset_db|reset_schema)/,
    python3: /manage\.py\s+(?:flush|reset_db|reset_schema)/,
    php: /artisan\s+(?:migrate:(?:fresh|reset|refresh)|db:wipe|cache:forget)/,
    artisan: /migrate:(?:fresh|reset|refresh)|db:wipe/,
    alembic: /downgrade\s+base/,
    flyway: /clean/,
    liquibase: /drop-?all|rollback/i,
    sequelize: /db:drop/,
    knex: /rollback.*--all/,
    mix: /ecto\.(?:drop|reset)/,
    supabase: /db\s+reset|projects\s+delete/,
    wrangler: /delete|d1\s+execute.*drop/i,
    dolt: /sql.*drop/i,
    cqlsh: /drop/i,
    sqlite3: /\.(?:restore|save)\b|\.read\s+\|/,
    firebase: /delete|remove/,
    hasura: /rollback|delete/,
  }),
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

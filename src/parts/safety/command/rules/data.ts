import type { Rule } from '../run/call.ts';
import { ask, operands, valuesOf, verbs } from './rows.ts';

const CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|sqlplus|cockroach|clickhouse-client|clickhouse|usql|mycli|pgcli|litecli|bq|snowsql|cqlsh|isql|beeline|hive|presto|trino|db2|osql|turso|wrangler|prisma|supabase|docker|podman|kubectl|ssh|docker-compose|python[\d.]*|node|ruby|php|perl|rails|npx|heroku|fly|dolt|influx)$/;
const SQL_CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|sqlcmd|sqlplus|cockroach|clickhouse-client|usql|mycli|pgcli|litecli|bq|snowsql|cqlsh|isql|beeline|hive|presto|trino|db2|osql|turso|dolt)$/;
/** Statements that lose rows or tables. A condition that always holds is none. */
const DROPS =
  /\bdrop\s+(?:table|database|schema|index|view|materialized|keyspace|collection|user|role|tablespace|owned|type|function|trigger|sequence|column|extension|policy|measurement|bucket|series)\b|\btruncate\s+(?:table\s+)?[\w"`[$.]|\balter\s+table\s+\S+\s+drop\b|\bdelete\s+from\s+[\w"`.[\]]+\s*(?:;|$|"|'|\)|where\s+(?:1\s*=\s*1|true|1|\w+\s*(?:>=?|<>|!=)\s*(?:0|-1|'')|\w+\s+is\s+not\s+null|\w+\s+like\s+'%'))|\bupdate\s+[\w"`.[\]]+\s+set\s+(?:(?!\bwhere\b)[^;])*(?:;|$)|\bvacuum\s+full\b|\bdrop\s+(?:if\s+exists\s+)?all\b|\bshutdown\s*(?:;|$)|\breset\s+master\b|\bpurge\s+binary\b|\bgrant\s+all\b|\balter\s+(?:user|role|system)\b|\bcopy\s+.*\b(?:to|from)\s+program\b|\bdetach\s+delete\b|\bpurge\s+recyclebin\b|\breplace\s+into\s+\S+\s+select\b|\binto\s+(?:out|dump)file\b|\bload_extension\b|\bwritable_schema\b|\bpg_terminate_backend\b|\bdrop\s+constraint\b/i;
const DELETES = /\bdelete\s+from\b/i;
const CODE_DROPS =
  /execute\w*\s*\(|\.query\s*\(|\.exec\s*\(|dropDatabase|deleteMany|drop\s*\(|flush(?:all|db)|destroy_all|delete_all|\$executeRaw/i;

/** A text in quotes is no statement, unless something prepares or runs it. */
const statements = (said: string): string =>
  /\b(?:execute|prepare|do\s+\$)/i.test(said) ? said : said.replaceAll(/'[^']*\s[^']*'/g, "'t'");
/** Longer statements are not searched but asked about. */
const LONGEST_SQL = 20_000;
const texts = (args: readonly string[], fed: readonly string[]): string => [...args, ...fed].join('\n').slice(0, 100_000);

/** Scripts that by their name and place ask, build up or belong to the tests. */
const READS_ONLY =
  /(?:^|[/_.-])(?:reports?|quer(?:y|ies)|selects?|checks?|counts?|explain|stats?|schema|seeds?|migrations?|create|fixtures?|tests?|init|up|setup|views?|functions?|analy\w+|inspect|list|show|export)(?=[/_.\d-])/i;
/** A service somebody is writing here, not a store that happens to speak HTTP. */
const isOwnServer = (args: readonly string[]): boolean =>
  args.some((word) =>
    /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::(?!9200|9201|8500|5984|2379|2375|2376|27017|6333|7474|15672|8086|8983|19530|9000|8200|4001|10250)\d+)?\/\w/.test(
      word,
    ),
  );

/** Databases, clusters, containers and what is kept in them. */
export const DATA: readonly Rule[] = [
  ask('database_loss', 'it deletes data from a database', (name, args, { fed }) => {
    if (!CLIENTS.test(name)) return false;
    const said = texts(args, fed);
    if (SQL_CLIENTS.test(name))
      return said.length > LONGEST_SQL || DROPS.test(statements(said)) || (DELETES.test(statements(said)) && !/\bwhere\b/i.test(said));
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
    if (/^(?:etcdctl|consul)$/.test(name)) return /\bdel\b|kv\s+delete|member\s+remove|snapshot\s+restore/.test(said);
    if (/^(?:nc|ncat|netcat|socat|telnet)$/.test(name)) return /flush_?(?:all|db)|\bshutdown\b|dropDatabase|config\s+set/i.test(said);
    if (/^(?:curl|http|https|xh|wget)$/.test(name))
      return (
        !isOwnServer(args) &&
        /(?:-X|--request|--method)\s*=?\s*DELETE\b|(?:^|\s)-XDELETE|(?:^|\s)DELETE\s|_delete_by_query|FLUSHALL|dropDatabase/.test(
          args.join(' '),
        )
      );
    return (
      /^(?:rabbitmqctl|kafka-[\w-]+(?:\.sh)?|influx|memcached-tool|nats|rpk|rabbitmqadmin|celery|mosquitto_ctrl|pulsar-admin|beanstool|cypher-shell)$/.test(
        name,
      ) &&
      /\b(?:reset|delete|--delete|purge_queue|delete_queue|force_reset|flush|purge|stream\s+rm|drop)\b|^kafka-delete/i.test(
        `${said} ${name}`,
      )
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
    python: /manage\.py\s+(?:flush|reset_db|reset_schema|migrate\s+\w+\s+zero|sqlflush.*dbshell|clearsessions|dbshell.*drop)/,
    python3: /manage\.py\s+(?:flush|reset_db|reset_schema|migrate\s+\w+\s+zero)/,
    diesel: /database\s+(?:reset|drop)|migration\s+(?:revert|redo)\b.*--all|database\s+setup.*--force/,
    sqlx: /database\s+(?:drop|reset)/,
    'sea-orm-cli': /migrate\s+(?:fresh|reset|refresh)/,
    dbmate: /\b(?:drop|down|rollback)\b/,
    goose: /\breset\b|down-to\s+0/,
    migrate: /\b(?:drop|down\s+-all|force)\b/,
    atlas: /schema\s+clean|schema\s+apply.*--auto-approve/,
    wp: /db\s+(?:reset|drop|clean|import)|site\s+(?:empty|delete)|plugin\s+delete/,
    drush: /sql-?:?drop|sql-sync|site-install|pm-uninstall/,
    'mongodb-tools': true,
    pg_basebackup: /--pgdata|-D/,
    mysql_upgrade: true,
    mysql_secure_installation: true,
    pg_upgrade: true,
    'clickhouse-client': /--multiquery.*drop/i,
    'elasticsearch-reset-password': true,
    'dotnet-ef': /database\s+drop/,
    dotnet: /ef\s+database\s+drop/,
    rethinkdb: /restore.*--force/,
    couchbackup: true,
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
    sqlite3: /\.(?:restore|save|load)\b|\.read\s+\|/,
    firebase: /delete|remove/,
    hasura: /rollback|delete/,
  }),
  ask('database_script', 'it runs statements from a file that are only known when it runs', (name, args, { reads, fed }) => {
    if (/^(?:redis-cli|valkey-cli|keydb-cli)$/.test(name)) return (reads.length > 0 && fed.length === 0) || args.includes('--pipe');
    if (/^(?:mongo|mongosh)$/.test(name)) return operands(args).some((word) => word.endsWith('.js') && !READS_ONLY.test(word));
    if (!SQL_CLIENTS.test(name)) return false;
    const files = [
      ...(fed.length === 0 ? reads : []),
      ...valuesOf(args, /^(?:-[a-zA-Z]*f|--file|-init|--init-command)$/),
      ...args.flatMap((word) =>
        [...word.matchAll(/(?:^|[;\n])\s*(?:\.read|\\i|\\ir|source|\\\.)\s+([^\s;|]+)/g)].map((found) => found[1] ?? ''),
      ),
    ];
    return files.some((file) => file !== '/dev/null' && file !== '-' && !READS_ONLY.test(file));
  }),
];

import type { Rule } from '../run/call.ts';
import { MARK } from '../values/marks.ts';
import { isVerbLike, soundsLikeLoss } from './loss.ts';
import { ask, operands, valuesOf, verbs } from './rows.ts';
import { losesData, losesRows } from './statements.ts';
import { STORES } from './vendors/stores.ts';
import { beyond } from './ways.ts';

/** Clients whose words and input are statements. */
const SQL_CLIENTS: ReadonlySet<string> = new Set(
  'psql mysql mariadb sqlite sqlite3 duckdb sqlcmd sqlplus cockroach clickhouse clickhouse-client clickhouse-local usql mycli pgcli litecli bq snowsql cqlsh isql beeline hive presto trino db2 osql turso dolt mysqlsh spanner-cli impala-shell vsql nzsql bteq exaplus hdbsql ysqlsh cypher-shell surreal questdb tsql fbsql isql-fb'.split(
    ' ',
  ),
);
/** Programs that hand statements on to one of those. */
const CARRIERS =
  /^(?:wrangler|prisma|supabase|docker|podman|kubectl|ssh|docker-compose|python[\d.]*|node|ruby|php|perl|rails|npx|heroku|fly|influx|drizzle-kit|knex|mix|bin\/rails|deno|bun|dbt|sqlx|psycopg|railway)$/;
const CODE_DROPS =
  /execute\w*\s*\(|\.query\s*\(|\.exec\s*\(|dropDatabase|deleteMany|drop\s*\(|flush(?:all|db)|destroy_all|delete_all|\$executeRaw/i;
const CARRIED = /\b(?:psql|mysql|sqlite3|d1\s+execute|db\s+execute|dbshell|dbconsole|runner|pg:psql|sql|postgres\s+connect)\b/;
const texts = (args: readonly string[], fed: readonly string[]): string => [...args, ...fed].join('\n').slice(0, 100_000);

/** Scripts that by their name and place ask, build up or belong to the tests. */
const READS_ONLY =
  /(?:^|[/_.-])(?:reports?|quer(?:y|ies)|selects?|checks?|counts?|explain|stats?|schema|structure|seeds?|migrations?|create|fixtures?|tests?|init|up|setup|views?|functions?|analy\w+|inspect|list|show|export)(?=[/_.\d-])/i;

/** What stores are told to lose, in their words or in what they are fed. */
const STORE_WORDS: readonly (readonly [programs: RegExp, words: RegExp])[] = [
  [
    /^(?:mongo|mongosh)$/,
    /dropDatabase|dropCollection|\.drop\s*\(|deleteMany|\.remove\s*\(\s*\{\s*\}|dropIndex|dropUser|dropAllUsers|shutdownServer|\.renameCollection|\$out\b|fsyncLock|\bshutdown\b|replSetReconfig|updateMany\s*\(\s*\{\s*\}/,
  ],
  [
    /^(?:redis-cli|valkey-cli|keydb-cli)$/,
    /^\s*(?:flushall|flushdb|shutdown|config\s+(?:set|rewrite|resetstat)|debug|slaveof|replicaof|swapdb|script|function|eval|acl|del|unlink|client\s+kill|rename|migrate|restore|module)\b/im,
  ],
  [/^(?:nc|ncat|netcat|socat|telnet)$/, /flush_?(?:all|db)|\bshutdown\b|dropDatabase|config\s+set/i],
  [/^cypher-shell$/, /\bdelete\b|\bdrop\b|\bremove\b/i],
  [/^influx$/, /\bdelete\b|\bdrop\b/i],
];
/** Consoles of applications, and what they are told to do to all records of a kind. */
const APPLICATIONS =
  /^(?:(?:bin\/)?rails\s+(?:runner|r|console|c)|bundle\s+exec\s+rails\s+(?:runner|r|console|c)|(?:python[\d.]*\s+\S*)?manage\.py\s+(?:shell|shell_plus|dbshell)|django-admin\s+shell|flask\s+shell|(?:php\s+\S*)?artisan\s+tinker|iex\b|mix\s+run|heroku\s+run|medusa\s+exec|strapi\s+console|wp\s+(?:eval|shell|db)|drush\s+(?:php:eval|ev|sqlq))/;
const RECORDS =
  /delete_all|destroy_all|update_all|delete_by|\.delete\s*\(\s*\)|\btruncate|drop_table|\.drop\b|deleteMany|delete!|->(?:forceD|d)elete\s*\(|Repo\.delete_all|wp_delete|flush\s*\(|\bdrop\s+(?:table|database)|reset_pk|destroy!/i;
/** Scripts by which frameworks are told what to do. */
const CONSOLE = /(?:^|\/)(?:artisan|manage\.py|console|spark|craft|occ|cake|yii|magento|wp-cli\.phar|please|think|flarum)$/;
const DUMPERS = /^(?:pg_dump|pg_dumpall|mysqldump|mariadb-dump|mongodump|ssh|curl|wget|gunzip|zcat|xzcat|zstdcat|aws|gsutil)$/;

const MIGRATES = /(?:^|[:_-])(?:migrate|seed|setup|push|sync|restore|import|upgrade|downgrade|rollback)(?:$|[:_-])/;
/** Programs that run a command somewhere else, how they are told where, and names of what is in use there. */
const FAR = /^(?:heroku|fly|flyctl|kubectl|oc|railway|render|scalingo|dokku|kamal|eb|cf|az|gcloud)$/;
const WHERE = /^(?:-a|--app|-n|--namespace|--context|-r|--remote|-e|--environment|--env|-d|--destination|-s|--service)$/;
const IN_USE = /(?:^|[-_./])(?:prod|production|live)(?:$|[-_./])/i;

/** Databases, clusters, containers and what is kept in them. */
export const DATA: readonly Rule[] = [
  ask('database_loss', 'it deletes data from a database', (name, args, { fed }) => {
    const said = texts(args, fed);
    if (args.includes(':memory:') && !/\battach\b|^\s*\.(?:open|restore|save|backup)/im.test(said)) return false;
    // Without a file this one keeps its tables in memory.
    if (name === 'duckdb' && !args.some((word) => /\.(?:duckdb|db|ddb)\b|^md:/.test(word)) && !/\battach\b/i.test(said)) return false;
    if (SQL_CLIENTS.has(name)) return losesData(said);
    return CARRIERS.test(name) && losesRows(said) && (CODE_DROPS.test(said) || CARRIED.test(said));
  }),
  ask('database_loss', 'it deletes or rewrites records by the code of the application', (name, args, { fed }) => {
    const said = texts(args, fed);
    return APPLICATIONS.test(`${name} ${said}`) && RECORDS.test(said);
  }),
  ask(
    'database_loss',
    'it changes a database that is in use',
    (name, args) => FAR.test(name) && args.some((word) => MIGRATES.test(word)) && valuesOf(args, WHERE).some((word) => IN_USE.test(word)),
  ),
  ask('database_loss', 'it changes a database that is in use', (_name, args, { settings, name }) => {
    const migrates = args.slice(0, 5).some((word) => MIGRATES.test(word));
    return (
      migrates &&
      !/^git$/.test(name) &&
      settings.some((word) =>
        /^\w*ENV\w*=(?:prod|production|live)$|^\w*(?:DATABASE|DB|PG|MYSQL|MONGO|POSTGRES)\w*(?:URL|URI|HOST)=.*\bprod/i.test(word),
      )
    );
  }),
  ask('database_loss', 'it tells the console of an application to lose or switch off something', (name, args) => {
    const [script = '', said = ''] = operands(args);
    const verb = said.replaceAll('/', ':');
    return (
      /^(?:php|python|ruby)[\d.]*$/.test(name) &&
      CONSOLE.test(script) &&
      isVerbLike(verb) &&
      (soundsLikeLoss(verb) || /^down$|queue:clear|^maintenance/.test(verb))
    );
  }),
  ask(
    'database_loss',
    'it changes a database that is in use',
    (name, args) =>
      /^(?:dbt|sqlmesh|alembic|flyway|liquibase|knex|prisma|sequelize|goose|dbmate|migrate|diesel|sqlx|typeorm|drizzle-kit|rails|rake)$/.test(
        name,
      ) &&
      !/^(?:test|compile|parse|docs|list|ls|status|info|validate|history|debug|deps)$/.test(operands(args)[0] ?? '') &&
      args.some((word) => /(?:^|=)(?:prod|production|live)$/i.test(word)),
  ),
  beyond('database_loss', 'it deletes from a store or a queue, or changes how it runs', STORES),
  ask('database_loss', 'it deletes data from a store', (name, args, { fed }) => {
    const words = STORE_WORDS.find(([programs]) => programs.test(name))?.[1];
    return words?.test(texts(args, fed)) === true;
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
    mysql_install_db: true,
    mysqlimport: /--delete|-d\b|--replace/,
    prisma: /migrate\s+reset|db\s+push.*--(?:force-reset|accept-data-loss)|migrate\s+deploy/,
    npx: /prisma\s+(?:migrate\s+reset|db\s+push.*--(?:force-reset|accept-data-loss))|sequelize\S*\s+db:(?:drop|migrate:undo:all)|typeorm\s+schema:drop|drizzle-kit\s+drop|supabase\s+db\s+reset|knex\s+migrate:rollback.*--all|wrangler\s+(?:\S+\s+)?delete|firebase\s+(?:firestore:delete|projects:delete|database:remove)/,
    rails: /db:rollback\b.*STEP=(?!1\b)|db:(?:drop|reset|purge|schema:load|migrate:reset|truncate)|destroy/,
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
    drush: /sql-?:?drop|sql-?:?sync|site[-:]install|pm-uninstall/,
    'mongodb-tools': true,
    pg_basebackup: /--pgdata|-D/,
    mysql_upgrade: true,
    mysql_secure_installation: true,
    pg_upgrade: true,
    'clickhouse-client': /--multiquery.*drop/i,
    'elasticsearch-reset-password': true,
    'dotnet-ef': /database\s+drop/,
    dotnet: /ef\s+database\s+(?:drop|update\s+0)/,
    rethinkdb: /restore.*--force/,
    couchbackup: true,
    php: /artisan\s+(?:migrate:rollback\b.*--(?:step[= ](?!1\b)|batch)|migrate:(?:fresh|reset|refresh)|db:wipe|cache:forget)/,
    artisan: /migrate:(?:fresh|reset|refresh)|db:wipe/,
    alembic: /downgrade\s+base/,
    flask: /db\s+downgrade\s+base/,
    flyway: /clean/,
    liquibase: /drop-?all|rollback/i,
    sequelize: /db:drop|undo:all/,
    'sequelize-cli': /db:drop|undo:all/,
    typeorm: /schema:drop/,
    'drizzle-kit': /^drop/,
    'mikro-orm': /schema:(?:drop|fresh)|migration:fresh/,
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
  ask('database_script', 'it puts what another program puts out into a database', (name, args, { from, piped }) => {
    if (!piped) return false;
    if (/^(?:psql|mysql|mariadb|mongorestore|pg_restore|sqlite3|clickhouse-client)$/.test(name))
      return from.some((each) => DUMPERS.test(each));
    return args.includes('dbshell') && !from.every((each) => /^(?:echo|printf)$/.test(each));
  }),
  ask('database_script', 'it runs statements from a file that are only known when it runs', (name, args, { reads, fed, piped }) => {
    if (/^(?:redis-cli|valkey-cli|keydb-cli)$/.test(name)) return (reads.length > 0 && fed.length === 0) || args.includes('--pipe');
    if (/^(?:mongo|mongosh)$/.test(name)) return operands(args).some((word) => word.endsWith('.js') && !READS_ONLY.test(word));
    if (!SQL_CLIENTS.has(name)) return false;
    if (piped && fed.includes(MARK.unknown)) return true;
    const files = [
      ...(fed.length === 0 ? reads : []),
      ...valuesOf(args, /^(?:-[a-zA-Z]*f|--file|-init|--init-command)$/),
      ...args.flatMap((word) =>
        [...word.matchAll(/(?:^|[;\n])\s*(?:\.read|\\i|\\ir|source|\\\.)\s+([^\s;|]+)/g)].map((found) => found[1] ?? ''),
      ),
    ];
    return files.some(
      (file) => file !== '/dev/null' && file !== '-' && (!READS_ONLY.test(file) || soundsLikeLoss(file.replace(/^.*\//, ''))),
    );
  }),
];

import { toWordSet } from './rows.ts';

/** Clients whose words and input are statements. */
export const SQL_CLIENTS = toWordSet(`
  psql mysql mariadb sqlite sqlite3 duckdb sqlcmd sqlplus cockroach clickhouse clickhouse-client clickhouse-local usql mycli pgcli litecli
  bq snowsql cqlsh isql beeline hive presto trino db2 osql turso dolt mysqlsh spanner-cli impala-shell vsql nzsql bteq exaplus hdbsql
  ysqlsh cypher-shell surreal questdb tsql fbsql isql-fb
`);
/** Programs that hand statements on to one of those. */
export const CARRIERS = toWordSet(`
  wrangler prisma supabase docker podman kubectl ssh docker-compose python node ruby php perl rails npx heroku fly influx drizzle-kit knex
  mix deno bun dbt sqlx psycopg railway
`);
/** Code and words by which they do. */
export const CARRIED: readonly RegExp[] = [
  /execute\w*\s*\(|\$executeRaw/i,
  /\.(?:query|exec)\s*\(/i,
  /dropDatabase|deleteMany|drop\s*\(/i,
  /flush(?:all|db)|destroy_all|delete_all/i,
  /\b(?:psql|mysql|sqlite3|dbshell|dbconsole|runner|pg:psql|sql)\b/,
  /\b(?:d1\s+execute|db\s+execute|postgres\s+connect)\b/,
];

/** Scripts that by their name and place ask, build up or belong to the tests. */
const READING = `
  report reports query queries select selects check checks count counts explain stat stats schema structure seed seeds migration
  migrations create fixture fixtures test tests init up setup view views function functions inspect list show export
`;
export const READS_ONLY = new RegExp(`(?:^|[/_.-])(?:${READING.trim().split(/\s+/).join('|')}|analy\\w+)(?=[/_.\\d-])`, 'i');

/** What stores are told to lose, in their words or in what they are fed. */
export const STORE_WORDS: readonly (readonly [programs: ReadonlySet<string>, words: readonly RegExp[]])[] = [
  [
    toWordSet('mongo mongosh'),
    [
      /drop(?:Database|Collection|Index|User|AllUsers)|\.drop\s*\(/,
      /deleteMany|\.remove\s*\(\s*\{\s*\}|updateMany\s*\(\s*\{\s*\}/,
      /shutdownServer|\bshutdown\b|fsyncLock|replSetReconfig/,
      /\.renameCollection|\$out\b/,
    ],
  ],
  [
    toWordSet('redis-cli valkey-cli keydb-cli'),
    [
      /^\s*(?:flushall|flushdb|shutdown|swapdb|rename|migrate|restore)\b/im,
      // What is in a cache is made again.
      /^\s*(?:del|unlink)\s+(?!\S*(?:cache|tmp))/im,
      /^\s*(?:config\s+(?:set|rewrite|resetstat)|debug|slaveof|replicaof|client\s+kill)\b/im,
      /^\s*(?:script|function|eval|acl|module)\b/im,
    ],
  ],
  [toWordSet('nc ncat netcat socat telnet'), [/flush_?(?:all|db)|\bshutdown\b|dropDatabase|config\s+set/i]],
  [toWordSet('cypher-shell'), [/\b(?:delete|drop|remove)\b/i]],
  [toWordSet('influx'), [/\b(?:delete|drop)\b/i]],
];

/** Consoles of applications, as they are called. */
export const APPLICATIONS: readonly RegExp[] = [
  /^(?:(?:bin\/|bundle\s+exec\s+)?rails)\s+(?:runner|r|console|c)\b/,
  /^(?:(?:python[\d.]*\s+\S*)?manage\.py\s+(?:shell|shell_plus|dbshell)|django-admin\s+shell|flask\s+shell)/,
  /^(?:php\s+\S*)?artisan\s+tinker/,
  /^(?:iex\b|mix\s+run|heroku\s+run|medusa\s+exec|strapi\s+console)/,
  /^(?:wp\s+(?:eval|shell|db)|drush\s+(?:php:eval|ev|sqlq))/,
];
/** What they are told to do to all records of a kind. */
export const RECORDS: readonly RegExp[] = [
  /delete_all|destroy_all|update_all|delete_by|reset_pk/i,
  /\.delete\s*\(\s*\)|delete!|destroy!|->(?:forceD|d)elete\s*\(|deleteMany|wp_delete/i,
  /\btruncate|drop_table|\.drop\b|\bdrop\s+(?:table|database)|flush\s*\(/i,
];
/** Scripts by which frameworks are told what to do. */
export const CONSOLES = toWordSet('artisan manage.py console spark craft occ cake yii magento wp-cli.phar please think flarum');
/** Programs whose output is a whole database, or comes from anywhere. */
export const DUMPERS = toWordSet('pg_dump pg_dumpall mysqldump mariadb-dump mongodump ssh curl wget gunzip zcat xzcat zstdcat aws gsutil');

/** Words by which a database is brought to another shape. */
export const MIGRATES = /(?:^|[:_-])(?:migrate|seed|setup|push|sync|restore|import|upgrade|downgrade|rollback)(?:$|[:_-])/;
/** Programs that run a command somewhere else, how they are told where, and names of what is in use there. */
export const FAR = toWordSet('heroku fly flyctl kubectl oc railway render scalingo dokku kamal eb cf az gcloud');
export const WHERE = /^(?:-a|--app|-n|--namespace|--context|-r|--remote|-e|--environment|--env|-d|--destination|-s|--service)$/;
export const IN_USE = /(?:^|[-_./])(?:prod|production|live)(?:$|[-_./])/i;

export const matchesAny = (patterns: readonly RegExp[], text: string): boolean => patterns.some((pattern) => pattern.test(text));

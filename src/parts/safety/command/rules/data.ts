import type { Call, CommandRule } from '../call/call.ts';
import { isSpared } from './for-tests.ts';
import { findRow, toRows, toWordSet } from '../../../../base/word-tables.ts';
import { ask, says } from './rows.ts';
import { changesManyRows, losesData } from './statements.ts';

/** Clients whose words and input are statements. */
const SQL_CLIENTS = toWordSet(`
  psql mysql mariadb sqlite sqlite3 duckdb sqlcmd sqlplus cockroach clickhouse clickhouse-client usql mycli pgcli litecli snowsql cqlsh
  isql trino presto beeline hive turso dolt mysqlsh cypher-shell surreal
`);
/** What other stores are told to lose, in their words or in what they are fed. */
const STORES: Readonly<Record<string, RegExp>> = {
  ...toRows(
    'mongo mongosh',
    /drop(?:Database|Collection|Index|User)|\.drop\s*\(|deleteMany|\.remove\s*\(\s*\{\s*\}|updateMany\s*\(\s*\{\s*\}|shutdownServer|\$out\b/,
  ),
  ...toRows(
    'redis-cli valkey-cli keydb-cli',
    /(?:^|\s)(?:flushall|flushdb|shutdown|swapdb|slaveof|replicaof|debug|migrate|restore)\b|(?:^|\s)(?:del|unlink|rename)\s+(?!\S*(?:cache|tmp))|config\s+(?:set|rewrite)|client\s+kill|(?:script|function)\s+flush|\bacl\s+(?:del|set)/i,
  ),
  influx: /\b(?:delete|drop)\b/i,
  mysqladmin: /\b(?:drop|shutdown|flush-\w+|password)\b/,
};

const said = ({ args, fed }: Call): string => [...args, ...fed].join('\n').slice(0, 100_000);
function losesInDatabase(call: Call): boolean {
  const { name, args, fed } = call;
  const store = findRow(STORES, name);
  if (store !== undefined) return store.test(args.join(' ')) || store.test(fed.join('\n'));
  if (!SQL_CLIENTS.has(name) || args.some((word) => /^(?:file:)?:memory:/.test(word))) return false;
  // Without a file this one keeps its tables in memory.
  if (name === 'duckdb' && !args.some((word) => /\.(?:duckdb|db|ddb)\b|^md:/.test(word))) return false;
  return losesData(said(call)) || [...args, ...fed].some(changesManyRows);
}

/** Statements that only ask. */
const ASKS =
  /^\s*(?:(?:select|with|show|explain|describe|desc|values|pragma\s+\w+\s*(?:\(|;|$)|use|\\[dlzxt]\w*|\\timing|\.(?:tables|schema|mode|headers?|databases|indexes|dump|help|width|show)|analyze)(?![\w])[^;]*)(?:;\s*|$)/i;
const REDIS_ASKS = /^(?:get|keys|info|ping|ttl|type|exists|scan|hget\w*|llen|lrange|smembers|dbsize|monitor|scard|zrange)$/i;
const REDIS_VALUED = /^-(?:[hpsauridDnXt]|-(?:user|pass|pattern|quoted-pattern|count|cacert|cacertdir|cert|key|sni|tls-ciphers))$/;
const MONGO_ASKS =
  /^(?![^]*(?:[;=\uE000]|\$(?:out|merge|where|function|accumulator)|forEach|map\(|function|require|process|load\(|run\())\s*(?:printjson\()?db\.\w+\.(?:find(?:One)?|aggregate|countDocuments|distinct|getIndexes|stats)\(/;
const MONGO_WORD = /^(?:--eval|--quiet|--json(?:=\w+)?|\w+)$/;
/** A client that is only told to ask. */
export function asksDatabase({ name, args, fed, piped, reads }: Call): boolean {
  if (name === 'redis-cli') {
    const verb = args.find((word, at) => !word.startsWith('-') && !REDIS_VALUED.test(args[at - 1] ?? ''));
    return verb === undefined ? args.includes('--scan') : REDIS_ASKS.test(verb);
  }
  if (/^mongo(?:sh)?$/.test(name))
    return args.every((word, at) => (args[at - 1] === '--eval' ? MONGO_ASKS.test(word) : MONGO_WORD.test(word))) && args.includes('--eval');
  if (!SQL_CLIENTS.has(name) || piped || reads.length > 0) return false;
  const statements = [...args.filter((word) => /\s|^[\\.]\w/.test(word) && !/^\w+:\/\//.test(word)), ...fed];
  const flags = args.some(
    (word) =>
      /^(?:-f|--file|-init|-i|--init-command|-o|--output|-cmd|--.*)$/.test(word) &&
      !/^--(?:command|csv|host|port|dbname|username|tuples-only|no-align|json|header|readonly|table|box|line|list|column|version)/.test(
        word,
      ),
  );
  return (
    statements.length > 0 &&
    !flags &&
    statements.every((text) =>
      text
        .split(';')
        .every(
          (each) =>
            each.trim() === '' ||
            (ASKS.test(each) &&
              !/\binto\b|\bfor\s+update\b|\bdelete\b|\bupdate\b|\binsert\b|\bdrop\b|\||passw|secret|token|hash|pg_authid|pg_shadow|mysql\.user|(?:read|write)file|api_?key|credential/i.test(
                each,
              )),
        ),
    )
  );
}

/** Tools by which a database is dropped, emptied or overwritten, with the words that do it. */
const drops = says(
  'dropdb|dropuser|pg_dropcluster|pg_resetwal|flyway .*clean|alembic .*downgrade base|goose .*\\breset',
  'pg_restore .*(?:--clean|-c)|mongorestore .*--drop|liquibase .*drop-?all|knex .*rollback.*--all|typeorm .*schema:drop',
  'prisma .*(?:migrate reset|db push.*--(?:force-reset|accept-data-loss))|(?:dbmate|migrate) .*\\b(?:drop|down -all)',
  '(?:rails|rake|bundle) .*db:(?:drop|reset|purge|schema:load|migrate:reset|truncate)|sequelize(?:-cli)? .*(?:db:drop|undo:all)',
  'python3? \\S*manage\\.py (?:flush|reset_db|migrate \\w+ zero)|php \\S*artisan (?:migrate:(?:fresh|reset|refresh)|db:wipe)',
  '(?:diesel|sqlx) .*database (?:drop|reset)|mix .*ecto\\.(?:drop|reset)|dotnet .*ef database drop|drush .*sql-?:?drop',
  'wp .*(?:db (?:reset|drop|clean)|site (?:empty|delete))',
);

/** Databases and stores, and the tools of frameworks by which one is dropped. */
export const DATA: readonly CommandRule[] = [
  ask('database_loss', 'it deletes data from a database', (call) => losesInDatabase(call) && !isSpared(call)),
  ask('database_loss', 'it drops or overwrites a database', (call) => drops(call) && !isSpared(call)),
];

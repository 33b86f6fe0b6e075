import { toCommandAction } from '../call/handed.ts';
import { isUnknown, MARK } from '../values/marks.ts';
import type { CodeAct, CodeCall } from './code-call.ts';
import { evaluateExpression } from './values.ts';

const DATABASES =
  /sqlite|psycopg|asyncpg|pymysql|mysql|mariadb|\bDBI\b|\bPDO\b|\bpg\b|postgres|sqlalchemy|duckdb|oracledb|pyodbc|knex|sequelize|typeorm|ActiveRecord|clickhouse|\bSequel\b|better-sqlite3/i;
const OPENED =
  /(?:connect\w*|open|new|DatabaseSync|Database|create_engine|PDO)\s*\(\s*['"](?:sqlite:\/*|dbi:\w+:(?:dbname=)?)?([^'"]+)['"]/g;
/** Statements that begin so lose nothing, whatever is put in behind. */
const ASKS = /^\s*(?:select|pragma|explain|with|show|describe|insert|create|begin|commit|rollback|savepoint|analyze|values|set)\b/i;

/** The database the code opens, as far as it says so; one that is only in memory when it opens no other. */
function databaseOf({ mentions }: CodeCall, code: string): string {
  const named = [...code.matchAll(OPENED)].map((found) => found[1] ?? '');
  return named.find((each) => each !== ':memory:') ?? (named.length > 0 || mentions(/:memory:/) ? ':memory:' : 'app.db');
}

/** A statement handed to a database is judged as if its own client were given it. */
export const runsStatement: CodeAct = (call) => {
  if (!call.mentions(DATABASES)) return [];
  const [first = []] = call.args;
  const said = evaluateExpression(first, call.names);
  const database = databaseOf(call, call.code);
  if (database === ':memory:' || said === '') return [];
  if (!said.startsWith(MARK.unknown)) return ASKS.test(said) && isUnknown(said) ? [] : [toCommandAction(['sqlite3', database, said])];
  return /^(?:execute|executescript|executemany|exec_driver_sql)$/.test(call.name.split(/\.|->/).at(-1) ?? '')
    ? [{ type: 'danger', key: 'database_script', reason: 'its code runs statements that are only known when it runs' }]
    : [];
};

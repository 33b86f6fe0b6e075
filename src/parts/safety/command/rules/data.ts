import type { CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { changesManyRows } from './conditions.ts';
import { isVerbLike, soundsLikeLoss } from './loss.ts';
import {
  APPLICATIONS,
  CARRIED,
  CARRIERS,
  CONSOLES,
  DUMPERS,
  FAR,
  IN_USE,
  MIGRATES,
  READS_ONLY,
  RECORDS,
  matchesAny,
  SQL_CLIENTS,
  STORE_WORDS,
  WHERE,
} from './data-words.ts';
import { MIGRATIONS } from './migrations.ts';
import { ask, listOperands, listFlagValues } from './rows.ts';
import { losesData, losesRows } from './statements.ts';
import { STORES } from './vendors/stores.ts';
import { askBeyondWays } from './ways.ts';

/** Where code opens a database. */
const OPENS = /(?:connect\w*|Database(?:Sync)?\)?|PDO)\s*\(/g;
const texts = (args: readonly string[], fed: readonly string[]): string => [...args, ...fed].join('\n').slice(0, 100_000);

/** Databases, clusters, containers and what is kept in them. */
export const DATA: readonly CommandRule[] = [
  ask('database_loss', 'it deletes data from a database', (name, args, { fed }) => {
    const said = texts(args, fed);
    if (args.some((word) => /^(?:file:)?:memory:/.test(word)) && !/\battach\b|^\s*\.(?:open|restore|save|backup)/im.test(said))
      return false;
    // Without a file this one keeps its tables in memory.
    if (name === 'duckdb' && !args.some((word) => /\.(?:duckdb|db|ddb)\b|^md:/.test(word)) && !/\battach\b/i.test(said)) return false;
    if (/["'](?:sqlite:{1,2})?:?:memory:/.test(said) && said.match(OPENS)?.length === 1) return false;
    if (SQL_CLIENTS.has(name)) return losesData(said) || [...args, ...fed].some((text) => changesManyRows(text));
    return CARRIERS.has(name.replace(/[\d.]+$/, '')) && losesRows(said) && matchesAny(CARRIED, said);
  }),
  ask('database_loss', 'it deletes or rewrites records by the code of the application', (name, args, { fed }) => {
    const said = texts(args, fed);
    return matchesAny(APPLICATIONS, `${name} ${said}`) && matchesAny(RECORDS, said);
  }),
  ask(
    'database_loss',
    'it changes a database that is in use',
    (name, args) =>
      FAR.has(name) && args.some((word) => MIGRATES.test(word)) && listFlagValues(args, WHERE).some((word) => IN_USE.test(word)),
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
    const [script = '', said = ''] = listOperands(args);
    const verb = said.replaceAll('/', ':');
    return (
      /^(?:php|python|ruby)[\d.]*$/.test(name) &&
      CONSOLES.has(script.split('/').at(-1) ?? '') &&
      isVerbLike(verb) &&
      verb !== 'migrate:rollback' &&
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
      !/^(?:test|compile|parse|docs|list|ls|status|info|validate|history|debug|deps)$/.test(listOperands(args)[0] ?? '') &&
      args.some((word) => /(?:^|=)(?:prod|production|live)$/i.test(word)),
  ),
  askBeyondWays('database_loss', 'it deletes from a store or a queue, or changes how it runs', STORES),
  ask('database_loss', 'it deletes data from a store', (name, args, { fed }) => {
    const words = STORE_WORDS.find(([programs]) => programs.has(name))?.[1];
    return words !== undefined && matchesAny(words, texts(args, fed));
  }),
  ...MIGRATIONS,
  ask('database_script', 'it puts what another program puts out into a database', (name, args, { from, piped }) => {
    if (!piped) return false;
    if (/^(?:psql|mysql|mariadb|mongorestore|pg_restore|sqlite3|clickhouse-client)$/.test(name))
      return from.some((each) => DUMPERS.has(each));
    return args.includes('dbshell') && !from.every((each) => /^(?:echo|printf)$/.test(each));
  }),
  ask('database_script', 'it runs statements from a file that are only known when it runs', (name, args, { reads, fed, piped }) => {
    if (/^(?:redis-cli|valkey-cli|keydb-cli)$/.test(name)) return (reads.length > 0 && fed.length === 0) || args.includes('--pipe');
    if (/^(?:mongo|mongosh)$/.test(name)) return listOperands(args).some((word) => word.endsWith('.js') && !READS_ONLY.test(word));
    if (!SQL_CLIENTS.has(name)) return false;
    if (piped && fed.includes(MARK.unknown)) return true;
    const files = [
      ...(fed.length === 0 ? reads : []),
      ...listFlagValues(args, /^(?:-[a-zA-Z]*f|--file|-init|--init-command)$/),
      ...args.flatMap((word) =>
        [...word.matchAll(/(?:^|[;\n])\s*(?:\.read|\\i|\\ir|source|\\\.)\s+([^\s;|]+)/g)].map((found) => found[1] ?? ''),
      ),
    ];
    return files.some(
      (file) => file !== '/dev/null' && file !== '-' && (!READS_ONLY.test(file) || soundsLikeLoss(file.replace(/^.*\//, ''))),
    );
  }),
];

import type { Call } from '../run/call.ts';
import { oneOf, valuesOf } from './rows.ts';

/** Names of what is there for tests alone and made anew by the next run: `shop_test`, `docker-compose.e2e.yml`, `test.db`. */
const NAMED = /(?:^|[^a-z])(?:test|tests|testing|e2e|scratch)(?:$|[^a-z])/i;
const IN_USE = /(?:^|[^a-z])(?:prod|production|live|staging)(?:$|[^a-z])/i;
const ENVIRONMENT = /^(?:\w*_?ENV|DJANGO_SETTINGS_MODULE)=/;
/** Clients that are told their database by a word or a flag. */
const CLIENTS = oneOf('psql mysql mariadb sqlite3 sqlite mongosh mongo createdb dropdb pg_restore mongorestore mycli pgcli litecli');
const COMPOSES = oneOf('docker podman nerdctl docker-compose podman-compose');

/** Flags of those clients behind which a value stands, the last of several letters among them. */
const VALUED =
  /^-[a-zA-Z]*[hpUPuSvcfoeLFRTdDO]$|^--(?:host|port|username|user|password|socket|command|file|set|variable|output|execute|eval|owner|template)$/;
/** Stores that only pretend to be in the cloud, on this very machine. */
const ENDPOINT = /^--endpoint(?:-url)?$/;
const HERE = /^https?:\/\/(?:localhost|127\.0\.0\.1|localstack|minio)(?::\d+)?(?:\/|$)/;
/** The databases a client is told to use: behind a flag for it, or words that are no value of another flag. */
function databases({ name, args }: Call): string[] {
  const told = valuesOf(args, /^(?:-d|--dbname|-D|--database|--db|--nsInclude)$/);
  const words = args.filter((word, index) => /^[\w./:@?=&-]+$/.test(word) && !word.startsWith('-') && !VALUED.test(args[index - 1] ?? ''));
  return [...told, ...(name === 'dropdb' || told.length === 0 ? words : [])].map((word) =>
    word.replace(/^\w+:\/\/.*\//, '').replace(/\?.*$/, ''),
  );
}

/** Whether all it may lose is there for tests. */
export function isForTests(call: Call): boolean {
  const { name, args, settings } = call;
  if ([...args, ...settings].some((word) => IN_USE.test(word))) return false;
  const environments = [...settings, ...args].filter((word) => ENVIRONMENT.test(word)).map((word) => word.slice(word.indexOf('=') + 1));
  if ([...environments, ...valuesOf(args, /^(?:--env|--environment)$/)].some((word) => NAMED.test(word))) return true;
  if (valuesOf(args, ENDPOINT).some((word) => HERE.test(word))) return true;
  if (CLIENTS.has(name)) return databases(call).length > 0 && databases(call).every((word) => NAMED.test(word));
  const files = COMPOSES.has(name) ? valuesOf(args, /^(?:-f|--file|-p|--project-name)$/) : [];
  return (
    files.length > 0 && files.some((word) => NAMED.test(word)) && /(?:^|-)compose$/.test(name === 'docker-compose' ? name : (args[0] ?? ''))
  );
}

import type { Call } from '../call/call.ts';
import { takesOwn } from '../run/made.ts';
import { toWordSet } from '../../../../base/word-tables.ts';
import { listFlagValues } from './rows.ts';

/** Names of what is there for tests alone and made anew by the next run: `shop_test`, `docker-compose.e2e.yml`, `test.db`. */
const NAMED = /(?:^|[^a-z])(?:test|tests|testing|e2e|scratch)(?:$|[^a-z])/i;
const IN_USE = /(?:^|[^a-z])(?:prod|production|live|staging)(?:$|[^a-z])/i;
/** Where it is told to go by a word of its own: that counts more than the environment. */
const ADDRESS = /^(?:--(?:url|uri|host|database-url|dsn|connection|db-url)|\w*(?:URL|URI|HOST|DSN))=(?!.*(?:localhost|127\.0\.0\.1))/i;
/** Services that only pretend to be elsewhere, on this very machine. */
const HERE = /^https?:\/\/(?:localhost|127\.0\.0\.1|localstack|minio)(?::\d+)?(?:\/|$)/;
const OWN_CLUSTER = /^(?:kind-|k3d-|minikube$|docker-desktop$|colima|rancher-desktop$|orbstack$)/;
/** Clients that are told their database by a word or a flag, and flags of theirs behind which another value stands. */
const CLIENTS = toWordSet('psql mysql mariadb sqlite3 sqlite mongosh mongo createdb dropdb pg_restore mongorestore mycli pgcli litecli');
const VALUED =
  /^-[a-zA-Z]*[hpUPuSvcfoeLFRTdDO]$|^--(?:host|port|username|user|password|socket|command|file|set|variable|output|execute|eval|owner|template)$/;

function databases(name: string, args: readonly string[]): string[] {
  const told = listFlagValues(args, /^(?:-d|--dbname|-D|--database|--db|--nsInclude)$/);
  const words = args.filter((word, index) => /^[\w./:@?=&-]+$/.test(word) && !word.startsWith('-') && !VALUED.test(args[index - 1] ?? ''));
  return [...told, ...(name === 'dropdb' || told.length === 0 ? words : [])].map((word) =>
    word.replace(/^\w+:\/\/.*\//, '').replace(/\?.*$/, ''),
  );
}

/** What is there for tests, and what this line has made itself, it may take away. */
export const isSpared = (call: Call): boolean => isForTests(call) || takesOwn(call);

/** Whether all it may lose is there for tests: by its environment, its composition, its cluster or its databases. */
function isForTests({ name, args, settings }: Call): boolean {
  const words = [...settings, ...args];
  if (words.some((word) => IN_USE.test(word))) return false;
  const told = words.flatMap((word) => /^(?:\w*_?ENV|DJANGO_SETTINGS_MODULE)=(.*)$/.exec(word)?.[1] ?? []);
  const flags = listFlagValues(args, /^(?:--env|--environment|--settings)$/);
  if ([...told, ...flags].some((word) => NAMED.test(word)) && !words.some((word) => ADDRESS.test(word))) return true;
  if (name === 'awslocal' || listFlagValues(args, /^--endpoint(?:-url)?$/).some((word) => HERE.test(word))) return true;
  if (listFlagValues(args, /^--(?:kube-)?context$/).some((word) => OWN_CLUSTER.test(word))) return true;
  if (args.includes('compose') || name.endsWith('-compose'))
    if (listFlagValues(args, /^(?:-f|--file|-p|--project-name)$/).some((word) => NAMED.test(word))) return true;
  // In a container, or at the other end of a line, the client is one of the words.
  const at = CLIENTS.has(name) ? -1 : args.findIndex((word) => CLIENTS.has(word));
  if (at < 0 && !CLIENTS.has(name)) return false;
  const named = at < 0 ? databases(name, args) : databases(args[at] ?? '', args.slice(at + 1));
  return named.length > 0 && named.every((word) => NAMED.test(word));
}

import type { Call } from '../call/call.ts';
import { toWordSet, listFlagValues } from './rows.ts';

/** Names of what is there for tests alone and made anew by the next run: `shop_test`, `docker-compose.e2e.yml`, `test.db`. */
const NAMED = /(?:^|[^a-z])(?:test|tests|testing|e2e|scratch)(?:$|[^a-z])/i;
const IN_USE = /(?:^|[^a-z])(?:prod|production|live|staging)(?:$|[^a-z])/i;
const ENVIRONMENT = /^(?:\w*_?ENV|DJANGO_SETTINGS_MODULE)=/;
/** Clients that are told their database by a word or a flag. */
const CLIENTS = toWordSet('psql mysql mariadb sqlite3 sqlite mongosh mongo createdb dropdb pg_restore mongorestore mycli pgcli litecli');
const COMPOSES = toWordSet('docker podman nerdctl docker-compose podman-compose');

/** Flags of those clients behind which a value stands, the last of several letters among them. */
const VALUED =
  /^-[a-zA-Z]*[hpUPuSvcfoeLFRTdDO]$|^--(?:host|port|username|user|password|socket|command|file|set|variable|output|execute|eval|owner|template)$/;
/** Stores that only pretend to be in the cloud, on this very machine. */
const ENDPOINT = /^--endpoint(?:-url)?$/;
const HERE = /^https?:\/\/(?:localhost|127\.0\.0\.1|localstack|minio)(?::\d+)?(?:\/|$)/;
/** The databases a client is told to use: behind a flag for it, or words that are no value of another flag. */
function databases({ name, args }: Call): string[] {
  const told = listFlagValues(args, /^(?:-d|--dbname|-D|--database|--db|--nsInclude)$/);
  const words = args.filter((word, index) => /^[\w./:@?=&-]+$/.test(word) && !word.startsWith('-') && !VALUED.test(args[index - 1] ?? ''));
  return [...told, ...(name === 'dropdb' || told.length === 0 ? words : [])].map((word) =>
    word.replace(/^\w+:\/\/.*\//, '').replace(/\?.*$/, ''),
  );
}

/** Clusters that run on this very machine, to be thrown away. */
const OWN_CLUSTER = /^(?:kind-|k3d-|minikube$|docker-desktop$|colima|rancher-desktop$|orbstack$)/;

/** Where it is told to go by a word of its own: that counts more than the environment. */
const ADDRESSED = /^(?:--(?:url|uri|host|database-url|dsn|connection|db-url)|\w*(?:URL|URI|HOST|DSN))=/i;
const leadsElsewhere = ({ args, settings }: Call): boolean =>
  [...settings, ...args, ...listFlagValues(args, /^--(?:url|uri|host|database-url|dsn|connection|db-url)$/).map((word) => `--url=${word}`)]
    .filter((word) => ADDRESSED.test(word))
    .some((word) => !/localhost|127\.0\.0\.1/.test(word) && !NAMED.test(word.slice(word.indexOf('=') + 1)));

/** Said so by the environment it is given, by where it is told to look, or by the cluster it talks to. */
function isToldSo({ name, args, settings }: Call): boolean {
  const environments = [...settings, ...args].filter((word) => ENVIRONMENT.test(word)).map((word) => word.slice(word.indexOf('=') + 1));
  return (
    [...environments, ...listFlagValues(args, /^(?:--env|--environment|--settings)$/)].some((word) => NAMED.test(word)) ||
    listFlagValues(args, ENDPOINT).some((word) => HERE.test(word)) ||
    (/^(?:kubectl|helm|k)$/.test(name) && listFlagValues(args, /^--(?:kube-)?context$/).some((word) => OWN_CLUSTER.test(word)))
  );
}
/** Said so by the names of the files a composition is read from. */
function isComposedSo({ name, args }: Call): boolean {
  if (!COMPOSES.has(name) || (!name.endsWith('compose') && args[0] !== 'compose')) return false;
  return listFlagValues(args, /^(?:-f|--file|-p|--project-name)$/).some((word) => NAMED.test(word));
}

/** Whether all it may lose is there for tests. */
export function isForTests(call: Call): boolean {
  const { name, args, settings } = call;
  if ([...args, ...settings].some((word) => IN_USE.test(word))) return false;
  if ((isToldSo(call) && !leadsElsewhere(call)) || isComposedSo(call)) return true;
  // In a container, or at the other end of a line, the client is one of the words.
  const at = CLIENTS.has(name) ? -1 : args.findIndex((word) => CLIENTS.has(word));
  if (at < 0 && !CLIENTS.has(name)) return false;
  const named = databases(at < 0 ? call : { ...call, name: args[at] ?? '', args: args.slice(at + 1) });
  return named.length > 0 && named.every((word) => NAMED.test(word));
}

import { lazyByKey } from '../../../base/lazy.ts';
import { toWordSet } from '../../../base/word-tables.ts';
import { gitVerb } from '../command/rules/git.ts';
import { listOperands } from '../command/rules/rows.ts';
import { resolveTargetPath } from '../command/places/paths.ts';
import type { CommandRule } from '../command/call/call.ts';
import type { ShellContext } from '../command/places/shell-context.ts';
import type { SpeaksWithOwnRemotes } from './own-remotes.ts';
import { OUTSIDE, findPlaceRule, listPathNames, type PlaceRule, type ProvenanceRoots } from './places.ts';

/** Programs that print what somebody else wrote. */
const FETCHERS = toWordSet(
  `curl wget http https xh curlie grpcurl websocat lynx w3m links elinks aria2c nc ncat socat telnet ftp lftp gh glab himalaya mutt
  neomutt notmuch mail fetchmail newsboat yt-dlp ssh mosh rsh autossh psql mysql mariadb mycli pgcli mongosh mongo redis-cli valkey-cli
  cqlsh clickhouse-client sqlcmd influx mosquitto_sub kcat dig host nslookup whois drill kdig delv journalctl stern adb sshpass`,
);
/** Programs that speak with a cloud, whatever their verb; what they say of themselves is their own. */
const CLOUDS = toWordSet(
  'aws gcloud az gsutil bq doctl fly flyctl heroku vercel netlify wrangler firebase supabase railway linode-cli oci ibmcloud s3cmd rclone mc',
);
const OF_ITSELF = /^(?:configure|config|version|help|completion|--version|--help)$/;
const saysOfItself = (args: readonly string[]): boolean =>
  /^--(?:version|help)$|^-V$/.test(args[0] ?? '') || (args.length === 1 && OF_ITSELF.test(args[0] ?? ''));
/** What a server on this machine's own loopback says is the work's own: it was started here to be tried. */
const WEB_CLIENTS = toWordSet('curl wget http https xh curlie websocat grpcurl');
const LOOPBACK =
  /^(?:(?:https?|wss?):\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|:(?=\d))(?::?[\d\uE000-\uE006]+)?(?:[/?#]|$)/i;
const MAY_BE_ADDRESS = /:\/\/|^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)|^[\w.-]+@|^[\uE000-\uE006]/;
/** By way of another host, or on to one. */
const ELSEWHERE = /^-[a-zA-Z]*[xKL]|^--(?:proxy|socks|preproxy|config|location|resolve|connect-to|follow|input-file)/;
const asksThisMachine = (args: readonly string[]): boolean =>
  args.some((word) => LOOPBACK.test(word)) &&
  args.every((word) => LOOPBACK.test(word) || (word.startsWith('-') ? !ELSEWHERE.test(word) : !MAY_BE_ADDRESS.test(word)));
/** Programs that run code given on their command line or fed to them. */
const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|osascript)$/;
/** Programs that fetch with some of their verbs only. */
const FETCHING_VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: toWordSet('clone fetch pull submodule ls-remote'),
  npm: toWordSet('view info show search'),
  pip: toWordSet('download search'),
  cargo: toWordSet('search'),
  svn: toWordSet('cat log diff update checkout export'),
  hg: toWordSet('clone pull incoming'),
};
const IN_CONTAINER = toWordSet('pull search logs exec run attach');
const IN_CLUSTER = toWordSet('logs exec describe attach debug run events cp');
/** The same for programs whose verb may stand behind values of options and below another verb. */
const DEEP_VERBS: Readonly<Record<string, ReadonlySet<string>>> = {
  docker: IN_CONTAINER,
  podman: IN_CONTAINER,
  nerdctl: IN_CONTAINER,
  'docker-compose': IN_CONTAINER,
  kubectl: IN_CLUSTER,
  oc: IN_CLUSTER,
  lxc: toWordSet('exec'),
  incus: toWordSet('exec'),
  multipass: toWordSet('exec'),
  vagrant: toWordSet('ssh'),
  resolvectl: toWordSet('query'),
  openssl: toWordSet('s_client'),
};
/** How many words in a verb may stand: `kubectl --context c -n ns logs`, `docker compose -p x -f y exec`. */
const DEEPEST_VERB = 5;
/** Calls that fetch; an address that is only written down fetches nothing. */
const SPEAKS_TO_NETWORK =
  /urllib|urlopen|requests\.|httpx|aiohttp|http\.client|https?\.(?:get|request)|axios|undici|fetch\s*\(|socket\.(?:socket|create_connection|connect)|\bSocket\(|WebSocket|net\.connect|createConnection|LWP::|Net::HTTP|open-uri|curl|(?:file_get_contents|fopen|open|import|from)\s*\(?\s*['"`]https?:/;
/** Programs that only look, so that naming a lasting file is no writing. */
const READERS = toWordSet(
  'cat bat less more head tail grep egrep fgrep rg ag wc ls ll stat file diff cmp comm sha256sum sha1sum md5sum cksum sort uniq cut nl tac od xxd hexdump strings jq test [ [[ cd pushd pwd echo printf du tree realpath readlink basename dirname which type find fd true false',
);
const MAILERS = toWordSet('mail mailx sendmail msmtp mutt neomutt swaks telegram-send ntfy notify-send wall write');
const SCHEDULERS = toWordSet('crontab at batch');
const OWN_LASTING = /^(?:cron|memory|skills|config|pairing|gateway|plugins)$/;
const OWN_LOOKING = /^(?:list|show|get|view|check|path|schema|explain|status|history|search)$/;

const codeOf = (args: readonly string[], fed: readonly string[]): string => [...args, ...fed].join('\n');

/** Rows as those of the command floor: `ask` means the output is somebody else's. */
export const createOutsideRules = (roots: ProvenanceRoots, isOwnRemote: SpeaksWithOwnRemotes): readonly CommandRule[] => [
  {
    type: 'ask',
    reason: 'it fetches',
    matches: ({ name, args }) => FETCHERS.has(name) && !saysOfItself(args) && !(WEB_CLIENTS.has(name) && asksThisMachine(args)),
  },
  {
    type: 'ask',
    reason: 'it fetches',
    matches: ({ name, args, settings }, { cwd }) =>
      FETCHING_VERBS[name]?.has(name === 'git' ? gitVerb(args)[0] : (listOperands(args)[0] ?? '')) === true &&
      !(name === 'git' && !settings.some((word) => word.startsWith('GIT_')) && isOwnRemote(args, cwd)),
  },
  {
    type: 'ask',
    reason: 'it shows what others wrote elsewhere',
    matches: ({ name, args }) =>
      (CLOUDS.has(name) && !OF_ITSELF.test(args[0] ?? '--help')) ||
      listOperands(args)
        .slice(0, DEEPEST_VERB)
        .some((word) => DEEP_VERBS[name]?.has(word)),
  },
  {
    type: 'ask',
    reason: 'it fetches',
    matches: ({ name, args }) => /^(?:scp|rsync|sftp)$/.test(name) && listOperands(args).some((word) => /^[^/]+:/.test(word)),
  },
  {
    type: 'ask',
    reason: 'its code speaks to the network',
    matches: ({ name, args, fed }) => INTERPRETERS.test(name) && SPEAKS_TO_NETWORK.test(codeOf(args, fed)),
  },
  {
    type: 'ask',
    reason: 'it reads a file from outside',
    matches: ({ args }, place) => pathsIn(args, place).some((path) => findPlaceRule(path, OUTSIDE, roots) !== undefined),
  },
];

/** One row a place, so that the reason is the place. */
export function createLastingRules(roots: ProvenanceRoots, places: readonly PlaceRule[]): readonly CommandRule[] {
  // Following links costs a look at the disk: once for each path, however many places there are.
  const namesOf = lazyByKey(listPathNames);
  return [
    ...places.map(({ what, matches }): CommandRule => {
      const hit = (path: string) => namesOf(path).some((name) => matches(name, roots));
      return {
        type: 'ask',
        reason: what,
        matches: ({ name, args, writes, fed }, place) =>
          pathsIn(writes, place).some(hit) ||
          (!looksOnly(name, args) && pathsIn(args, place).some(hit)) ||
          (INTERPRETERS.test(name) && namesIn(codeOf(args, fed)).some(hit)),
      };
    }),
    { type: 'ask', reason: 'schedules', matches: ({ name, args }) => SCHEDULERS.has(name) && !args.includes('-l') },
    { type: 'ask', reason: 'a message to somebody', matches: ({ name }) => MAILERS.has(name) },
    {
      type: 'ask',
      reason: "the agent's own settings",
      matches: ({ name, args }) =>
        name === 'hermes' && OWN_LASTING.test(listOperands(args)[0] ?? '') && !OWN_LOOKING.test(listOperands(args)[1] ?? ''),
    },
  ];
}

const looksOnly = (name: string, args: readonly string[]): boolean => {
  const writing = WRITING_FLAGS[name];
  if (name === 'git') return LOOKING_GIT.has(listOperands(args)[0] ?? '') && !args.some((word) => word.startsWith('--output'));
  return writing === undefined ? READERS.has(name) : !args.some((word) => writing.test(word));
};
/** Programs that look unless one of these stands among their arguments. */
const WRITING_FLAGS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fls)/,
  sed: /^-[a-zA-Z]*i|^--in-place/,
  awk: /^-i$|inplace|[>|]/,
  gawk: /^-i$|inplace|[>|]/,
  sort: /^-[a-zA-Z]*o|^--output/,
  yq: /^-[a-zA-Z]*i|^--inplace/,
  tree: /^-[a-zA-Z]*o/,
};
const LOOKING_GIT = toWordSet('status log diff show blame grep ls-files rev-parse describe shortlog cat-file reflog');

/** Paths among words; `of=path` and `--output=path` name one as well. */
const pathsIn = (list: readonly string[], place: ShellContext): string[] =>
  list
    .flatMap((word) => [word, ...(word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : [])])
    .flatMap((word) => resolveTargetPath(word, place) ?? []);

/** Quoted or bare names in a piece of code that could be files. */
const namesIn = (code: string): string[] => code.match(/[\w./~@-]*\.?[\w-]+(?:\.[A-Za-z]{2,4}\b|rules\b|rc\b|keys\b)/g) ?? [];

import { isGuarded, isInside, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { holdsSecrets, isSecret } from '../places/sensitive.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { isWithin } from '../../../../base/within.ts';
import { gitVerb } from './git.ts';
import { ask, hasFlag, listOperands, findWordPaths, listFlagValues } from './rows.ts';

/** Programs that name a secret file without showing it. */
const DISCREET =
  /^(?:ls|ll|stat|test|\[|\[\[|file|chmod|chown|touch|mkdir|ssh|ssh-add|ssh-copy-id|sftp|mosh|docker|podman|docker-compose|node|bun|deno|dotenv|direnv|git|source|\.|wc|du|realpath|readlink|basename|dirname|cd|pushd|echo|printf|rm|unlink|sha256sum|sha1sum|md5sum|cksum|which|export|declare|tree|rmdir|mv|:|true|for|find|uv|flask|npm|npx|pnpm|yarn|python[\d.]*|compose|kubectl|ansible[\w-]*|terraform|shred|truncate|umask|openvpn|nginx|certbot|curlie|psql|mysql|shellcheck|tee|age-keygen|fd|-)$/;
/** Programs that only some of the time show what they are given. */
const looksOnly = (name: string, args: readonly string[]): boolean =>
  (name === 'git'
    ? !/^(?:show|log|diff|blame|annotate|cat-file|grep|archive|stash|whatchanged|add|stage)$/.test(gitVerb(args)[0])
    : DISCREET.test(name)) ||
  (name === 'ssh-keygen' && !args.some((word) => /^-[a-zA-Z]*[ye]/.test(word))) ||
  (name === 'openssl' && /-noout|\bs_(?:client|server)\b|-pubout|\bx509\b|\bverify\b/.test(args.join(' '))) ||
  (/^(?:e|f)?grep$|^rg$/.test(name) && /(?:^|\s)-[a-zA-Z]*[qc](?:\s|$)|--quiet|--count/.test(args.join(' '))) ||
  (name === 'cp' &&
    listOperands(args)
      .slice(0, -1)
      .every((word) => /\.(?:example|sample|template|dist)$/.test(word)));
const DEEP = /^(?:e?grep|fgrep|rg|ag|ack|tar|zip|rsync|scp|cp|7z|cat|trufflehog|gitleaks|mount|sshfs)$/;
const COPIERS = /^(?:cp|rsync|tar|zip|ln|mv|install|dd|7z)$/;
const SECRET_NAME =
  /(?:^|[_\W])(?:pass(?:w(?:or)?d|phrase)?|secrets?|tokens?|api_?keys?|private_?key|credentials?|auth|AKIA)(?:$|[_\W])|_KEY\b|PASSWORD/i;

/** How keys begin. */
const SHAPES = /AKIA|gh[pousr]_?|glpat|xox[bp]|PRIVATE KEY|sk-/;
/** Programs that put out what they are fed. */
const SHOWS =
  /^(?:cat|bat|less|more|sort|uniq|column|base64|base32|xxd|od|hexdump|rev|tr|fold|tee|sed|awk|cut|head|tail|nl|tac|openssl|gzip|jq|paste|strings|xargs)$/;
/** The names of the variables without their values. */
const isNamesOnly = (args: readonly string[]): boolean =>
  /-d\s?=\s.*-f\s?1\b|-f\s?1\s.*-d\s?=|-F\s?=\s.*\{\s*print \$1\s*\}|s[/|]=\.\*[/|]{2}/.test(args.join(' '));
/** The whole environment, whatever shows it. */
const isDump = (name: string, args: readonly string[]): boolean =>
  (/^(?:env|printenv|gprintenv|genv)$/.test(name) && args.every((word) => /^(?:-0|--null|-v|--debug)$/.test(word))) ||
  (/^(?:jq|gojq|yq)$/.test(name) &&
    args.some(
      (word) =>
        /(?:^|[\s|(])(?:\$ENV|env)(?![\w.[("/])|(?:\$ENV|\benv)[.("]\w*(?:KEY|TOKEN|SECRET|PASS)/.test(word) && !word.startsWith('-'),
    )) ||
  (name === 'set' && args.length === 0) ||
  (/^(?:export|declare|typeset)$/.test(name) && args.every((word) => /^-[px]+$/.test(word)));

/** Words by which variables that open something are picked out. */
const SOUGHT = /^\W*(?:keys?|(?:aws|azure|gcp|stripe|openai|anthropic|twilio|slack|db|database|redis|mongo|postgres|mysql|smtp)\w*)\W*$/i;

/** Programs whose first word says what to look for. */
const SEEKERS = /^(?:jq|gojq|yq|[ef]?grep|rg|ag|ack|awk|gawk|sed)$/;
/** What a connection is made with, and not shown. */
const CERTIFICATES = /^(?:-E|--cert|--key|--cacert|--capath|--certificate|--private-key|--ca-certificate)$/;
/** Paths of a call: what it reads by name, by redirection, and below a folder it goes to first (`tar -C`). */
const touched = ({ args, reads, name }: Call, place: ShellContext): string[] => {
  const given =
    SEEKERS.test(name) && !hasFlag(args, 'ef', '--regexp', '--expression', '--file')
      ? args.toSpliced(args.indexOf(listOperands(args)[0] ?? ''), 1)
      : args;
  const used = name === 'curl' || name === 'wget' ? new Set(listFlagValues(args, CERTIFICATES)) : undefined;
  const own = findWordPaths(
    name === 'git' ? args.map((word) => word.replaceAll('*', 'x')) : [...given.filter((word) => used?.has(word) !== true), ...reads],
    place,
  );
  const folders = name === 'tar' || name === 'git' || name === 'make' ? listFlagValues(args, /^(?:-C|--directory)$/) : [];
  const limits = [...listFlagValues(args, /^(?:--include|-g|--glob|--iglob|-G|--file-search-regex)$/)].map((word) =>
    word.replaceAll('\\', '').replaceAll('*', MARK.star),
  );
  return [
    ...own,
    ...findWordPaths(
      limits.filter((word) => !word.startsWith('!')),
      place,
    ),
    ...folders.flatMap((folder) => findWordPaths(listOperands(args), { ...place, cwd: resolveTargetPath(folder, place) })),
  ];
};
const isShown = (call: Call): boolean => call.reads.length > 0 || !looksOnly(call.name, call.args);

const reads = (reason: string, matches: CommandRule['matches']): CommandRule => ask('secret_read', reason, matches);
const readsOut = (call: Call, place: ShellContext, which: (path: string) => boolean): boolean =>
  isShown(call) && !/^(?:cp|mv)$/.test(call.name) && touched(call, place).some((path) => which(path) && isSecret(path, place));

/**
 * Secrets of the project, which no wall hides from its own commands: shown, they are in the hands of the model and its provider.
 * Those that are known are taken out of whatever a command shows, so only the others are asked about.
 */
export const WORKSPACE_SECRETS: readonly CommandRule[] = [
  reads('it shows a file of the project that holds secrets', (call, place) =>
    readsOut(call, place, (path) => isInside(path, place) && place.masks?.(path) !== true),
  ),
];

/** Without a wall: whatever reads out a secret, wherever it lies. */
export const SECRETS: readonly CommandRule[] = [
  reads('it shows a file that holds secrets', (call, place) => readsOut(call, place, () => true)),
  reads(
    'it copies a file or a folder that holds secrets',
    (call, place) =>
      COPIERS.test(call.name) &&
      findWordPaths(/^(?:cp|mv|ln)$/.test(call.name) ? listOperands(call.args).slice(0, -1) : call.args, place).some(
        (path) => (call.name !== 'mv' && isShown(call) && isSecret(path, place)) || holdsSecrets(path, place),
      ),
  ),
  reads(
    'it reads the whole home folder or system, including secrets',
    ({ name, args, from }, place) =>
      DEEP.test(name) &&
      (!name.endsWith('grep') || hasFlag(args, 'rR', '--recursive', '--dereference-recursive')) &&
      (/^(?:cp|rsync|scp)$/.test(name) ? listOperands(args).slice(0, -1) : listOperands(args)).some(
        (word) =>
          (/^(?:\/|~|\.{1,2}(?:\/|$)|\$)/.test(word) || place.cwd !== place.base) &&
          word !== '.' &&
          word !== './' &&
          (name !== 'cat' || /[\uE001\uE002]/.test(word) || from.some((each) => /^(?:find|xargs)$/.test(each))) &&
          isGuardedRoot(word, place),
      ),
  ),
  reads(
    'it shows a variable that holds a secret',
    ({ name, args, feeds, writes, fed }) =>
      (/^(?:echo|printf)$/.test(name) && !feeds && !writes.includes('/dev/null') && args.some((word) => word.includes(MARK.secret))) ||
      (SHOWS.test(name) && !feeds && fed.some((text) => text.includes(MARK.secret)) && !isNamesOnly(args)) ||
      (isDump(name, args) && !feeds) ||
      ((name === 'printenv' || (/^(?:declare|typeset|export)$/.test(name) && args.includes('-p'))) &&
        args.some((word) => SECRET_NAME.test(word))),
  ),
  ask(
    'secret_sent',
    'it sends a secret variable to another machine',
    ({ name, args }) =>
      /^(?:curl|wget|http|https|xh|nc|ncat)$/.test(name) &&
      args.some(
        (word, at) =>
          word.includes(MARK.secret) &&
          !/^(?:-H|--header|-u|--user|-b|--cookie|--oauth2-bearer|-x|--proxy)$/.test(args[at - 1] ?? '') &&
          !/^(?:Authorization|X-[\w-]+|PRIVATE-TOKEN):/i.test(word),
      ),
  ),
  reads(
    'it looks for secrets in the history or outside the working folder',
    ({ name, args, from }, place) =>
      (name === 'git' && gitVerb(args)[0] === 'config' && args.some((word) => /extraheader|credential|passw|token|secret/i.test(word))) ||
      (name === 'git' &&
        /^(?:log|grep|show)$/.test(gitVerb(args)[0]) &&
        args.some((word) => SECRET_NAME.test(word.replace(/^-[SG]/, ''))) &&
        args.some((word) => /^-[SG]|\uE003/.test(word))) ||
      (/^(?:[ef]?grep|rg|ag)$/.test(name) &&
        args.some((word) => SHAPES.test(word)) &&
        (from.includes('xargs') || from.includes('find')) &&
        findWordPaths(args, place).some((path) => isWithin(place.home, path) && !isInside(path, place))),
  ),
  reads(
    'it looks for secrets in the environment',
    ({ name, args, from }) =>
      /^(?:e?grep|rg|awk|sed)$/.test(name) &&
      /^(?:env|printenv|set|export|declare|history|ps|compgen|tr)$/.test(from.at(-1) ?? '') &&
      args.some((word) => SECRET_NAME.test(word) || SOUGHT.test(word)),
  ),
];

const isGuardedRoot = (word: string, place: ShellContext): boolean => {
  const path = resolveTargetPath(word, place);
  return (
    path !== undefined &&
    !/^\/(?:var|usr|proc|sys|run|srv|opt|lib|bin|sbin|boot|dev|mnt|media|private|Library|System|Applications|Volumes)/.test(path) &&
    path !== '/etc' &&
    !path.startsWith(`${place.home}/.`) &&
    isGuarded(word, place)
  );
};

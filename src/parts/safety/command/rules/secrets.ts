import { isGuarded, resolveTargetPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { isSecret } from '../places/sensitive.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { ask, hasFlag, listOperands, findWordPaths, listFlagValues } from './rows.ts';
import { TAKEN } from './taken.ts';

/** Programs that name a secret file without showing it. */
const DISCREET =
  /^(?:ls|ll|stat|test|\[|\[\[|file|chmod|chown|touch|mkdir|ssh|ssh-add|ssh-copy-id|sftp|mosh|docker|podman|docker-compose|node|bun|deno|dotenv|direnv|git|source|\.|wc|du|realpath|readlink|basename|dirname|cd|pushd|echo|printf|rm|unlink|sha256sum|sha1sum|md5sum|cksum|which|export|declare|tree|rmdir|mv|:|true|for|find|uv|flask|npm|npx|pnpm|yarn|python[\d.]*|compose|kubectl|ansible[\w-]*|terraform|shred|truncate|umask|openvpn|nginx|certbot|curlie|psql|mysql|shellcheck|tee|age-keygen|fd|-)$/;
/** Modules of Python that show what they are given. */
const SHOWING_MODULE = /^-m\s*(?:base64|json\.tool|quopri|uu|tokenize|pprint|difflib|fileinput|tarfile|zipfile|gzip)\b/;
/** Programs that only some of the time show what they are given. */
const looksOnly = (name: string, args: readonly string[]): boolean =>
  (DISCREET.test(name) && !SHOWING_MODULE.test(args.join(' '))) ||
  (name === 'ssh-keygen' && !args.some((word) => /^-[a-zA-Z]*[ye]/.test(word))) ||
  (name === 'openssl' && /-noout|\bs_(?:client|server)\b|-pubout|\bx509\b|\bverify\b/.test(args.join(' '))) ||
  (/^(?:e|f)?grep$|^rg$/.test(name) && /(?:^|\s)-[a-zA-Z]*[qc](?:\s|$)|--quiet|--count/.test(args.join(' '))) ||
  (name === 'cmp' && !hasFlag(args, 'lb', '--verbose', '--print-bytes')) ||
  (name === 'cp' &&
    listOperands(args)
      .slice(0, -1)
      .every((word) => /\.(?:example|sample|template|dist)$/.test(word)));
const DEEP = /^(?:e?grep|fgrep|rg|ag|ack|tar|zip|rsync|scp|cp|7z|cat|trufflehog|gitleaks|mount|sshfs)$/;
const METADATA = /169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254|169\.254\.170\.2|0xa9fea9fe|2852039166/i;
const SECRET_NAME =
  /(?:^|[_\W])(?:pass(?:w(?:or)?d|phrase)?|secrets?|tokens?|api_?keys?|private_?key|credentials?|auth|AKIA)(?:$|[_\W])|_KEY\b|PASSWORD/i;

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

/** Services whose variables hold what opens them. */
const SERVICE_NAME = /^\W*(?:aws|azure|gcp|stripe|openai|anthropic|twilio|slack|db|database|redis|mongo|postgres|mysql|smtp)\w*\W*$/i;

/** Programs whose first word says what to look for. */
const SEEKERS = /^(?:jq|gojq|yq|[ef]?grep|rg|ag|ack|awk|gawk|sed)$/;
/** Paths of a call: what it reads by name, by redirection, and below a folder it goes to first (`tar -C`). */
const touched = ({ args, reads, name }: Call, place: ShellContext): string[] => {
  const given =
    SEEKERS.test(name) && !hasFlag(args, 'ef', '--regexp', '--expression', '--file')
      ? args.toSpliced(args.indexOf(listOperands(args)[0] ?? ''), 1)
      : args;
  const own = findWordPaths([...given, ...reads], place);
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

export const SECRETS: readonly CommandRule[] = [
  ask(
    'secret_read',
    'it reads out a file that holds secrets',
    (_name, _args, call, place) =>
      isShown(call) && !/^(?:cp|mv)$/.test(call.name) && touched(call, place).some((path) => isSecret(path, place)),
  ),
  ask(
    'secret_read',
    'it copies a file that holds secrets',
    (name, args, call, place) =>
      name === 'cp' &&
      isShown(call) &&
      listOperands(args)
        .slice(0, -1)
        .some((word) => isSecret(resolveTargetPath(word, place) ?? '', place)),
  ),
  ask(
    'secret_read',
    'it reads the whole home folder or system, secrets among it',
    (name, args, call, place) =>
      DEEP.test(name) &&
      (!name.endsWith('grep') || hasFlag(args, 'rR', '--recursive', '--dereference-recursive')) &&
      (/^(?:cp|rsync|scp)$/.test(name) ? listOperands(args).slice(0, -1) : listOperands(args)).some(
        (word) =>
          /^(?:\/|~|\.{1,2}(?:\/|$)|\$)/.test(word) &&
          word !== '.' &&
          word !== './' &&
          (name !== 'cat' || /[\uE001\uE002]/.test(word) || call.from.some((each) => /^(?:find|xargs)$/.test(each))) &&
          isGuardedRoot(word, place),
      ) &&
      call.name !== 'mount',
  ),
  ...TAKEN,
  ask(
    'secret_read',
    'it shows a variable that holds a secret',
    (name, args, { feeds, writes, fed }) =>
      (/^(?:echo|printf)$/.test(name) && !feeds && !writes.includes('/dev/null') && args.some((word) => word.includes(MARK.secret))) ||
      (SHOWS.test(name) && !feeds && fed.some((text) => text.includes(MARK.secret)) && !isNamesOnly(args)) ||
      (isDump(name, args) && !feeds) ||
      ((name === 'printenv' || (/^(?:declare|typeset|export)$/.test(name) && args.includes('-p'))) &&
        args.some((word) => SECRET_NAME.test(word))) ||
      (/^(?:python[\d.]*|node|ruby|perl|php)$/.test(name) &&
        args.some((word) => word.includes(MARK.secret) && /print|console\.log|puts|echo|say/.test(word))),
  ),
  ask(
    'secret_read',
    'it looks for secrets in the environment',
    (name, args, { from }) =>
      /^(?:e?grep|rg|awk|sed)$/.test(name) &&
      /^(?:env|printenv|set|export|declare|history|ps|compgen|tr)$/.test(from.at(-1) ?? '') &&
      args.some((word) => SECRET_NAME.test(word) || /^\W*keys?\W*$/i.test(word) || SERVICE_NAME.test(word)),
  ),
  ask(
    'secret_read',
    'it shows the variables it gives to a container',
    (name, args) =>
      /^(?:docker|podman|nerdctl)$/.test(name) &&
      args.includes('run') &&
      args.some((word) => word.startsWith('--env-file')) &&
      /^(?:env|printenv|export)$/.test(args.at(-1) ?? ''),
  ),
  ask('secret_read', 'it asks the cloud for its credentials', (_name, args, call) =>
    [...args, ...call.writes, ...call.reads].some((word) => METADATA.test(word)),
  ),
  ask(
    'secret_sent',
    'it hands a file that holds secrets to others',
    (name, args, _call, place) =>
      (/^(?:docker|podman|nerdctl|kubectl)$/.test(name) &&
        (args[0] === 'cp'
          ? findWordPaths(args, place)
          : args.flatMap((word, index) => (/^(?:-v|--volume|--mount)$/.test(args[index - 1] ?? '') ? findWordPaths([word], place) : []))
        ).some((path) => isSecret(path, place) && !/\/\.env/.test(path))) ||
      (name === 'git' && args.includes('add') && args.some((word) => isSecret(resolveTargetPath(word, place) ?? '', place))),
  ),
  ask(
    'secret_read',
    'it looks into another process',
    (name, args) =>
      /^(?:gdb|strace|ltrace|lldb|gcore|reptyr)$/.test(name) &&
      (name === 'gcore' || args.some((word) => /^-p$|^--pid|^-p\d|^attach$/.test(word))),
  ),
  ask(
    'secret_sent',
    'it sends a secret variable to somebody',
    (name, args) =>
      /^(?:curl|wget|http|https|xh|nc|ncat)$/.test(name) &&
      args.some(
        (word, index) =>
          word.includes(MARK.secret) &&
          !/^(?:-H|--header|-u|--user|-b|--cookie|--oauth2-bearer|-x|--proxy)$/.test(args[index - 1] ?? '') &&
          !/^(?:Authorization|X-[\w-]+|PRIVATE-TOKEN):/i.test(word),
      ),
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

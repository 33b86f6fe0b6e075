import type { Call } from '../call/call.ts';
import { hasMarks, MARK } from '../values/marks.ts';
import { findRow, toLineSet, toRows, toWordSet } from '../../../../base/word-tables.ts';
import { listOperands } from './rows.ts';
import { gitVerb } from './git.ts';

/** Programs and builtins that change nothing, whatever they are told. */
const READERS = toWordSet(`
  : [ [[ test true false echo printf cd pushd popd pwd dirs shift export declare typeset local readonly read
  getopts let alias unalias type wait jobs fg bg return exit break continue shopt times trap help caller disown
  cat tac head tail more ls ll la dir vdir stat wc nl cut paste join comm cmp diff diff3 colordiff tr rev fold fmt column expand
  unexpand strings od hexdump hexyl base64 base32 basenc md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum b2sum
  sum grep egrep fgrep zgrep zcat xzcat bzcat zstdcat jq gojq seq yes numfmt factor expr bc cal uptime uname whoami id groups users
  who w last lastlog locale arch nproc tty logname getconf printenv realpath readlink basename dirname which whereis whatis
  apropos tldr du df free vmstat iostat mpstat lscpu lsblk lsusb lspci lsmod lsof pstree pgrep pidof findmnt blkid netstat
  sleep clear tput locate nm objdump readelf size ffprobe mediainfo pdfinfo identify tokei cloc scc mktemp uuidgen tsort look pathchk
  xxhsum csvcut csvlook csvstat csvgrep csvjson csvsort mlr xsv qsv gron fx zipinfo lsar fc-list xdpyinfo dpkg-query apt-cache
  apt-file pg_isready nvidia-smi sensors hostid sw_vers vm_stat ioreg bat batcat delta exa eza lsd glow mdcat colrm col ul pr isutf8
  find gfind fd fdfind getfacl lsattr namei ast-grep ag ack cowsay
`);

/** Whole commands that only list. */
const LISTS = toLineSet(`
  ldconfig -p, swapon --show, smartctl --scan, pmset -g, screen -ls, code --list-extensions, ssh-add -l, ssh-add -L, psql -l, ulimit -a, hash -r
`);

/** Programs that read unless one of their words says otherwise. */
const READS_UNLESS: Readonly<Record<string, RegExp>> = {
  umask: /^0*[0-7]?[0-7]?[0-3]$|o=.*w|a=/,
  history: /^-[a-z]*[acdrwps]/,
  set: /^history$/,
  unset: /^(?:HIST|PROMPT_)/,
  ulimit: /^0$/,
  ...toRows('mapfile readarray', /^-[a-zA-Z]*C/),
  compgen: /^-[a-zA-Z]*[CF]/,
  less: /^\+|^-[a-zA-Z]*[oOkKtT]|^--(?:log|lesskey|tag)/,
  file: /^-[a-zA-Z]*[Cm]|^--(?:compile|magic)/,
  sdiff: /^-[a-zA-Z]*o|^--(?:output|diff-program)/,
  sort: /^-[a-zA-Z]*[oT]|^--(?:output|compress-program|temporary)/,
  rg: /^--(?:pre|hostname-bin)/,
  yq: /^-[a-zA-Z]*[is]|^--(?:in-?place|split)/,
  xmllint: /^-{1,2}(?:o|output|c14n|shell)$|^--load-trace/,
  shuf: /^-[a-zA-Z]*o|^--output/,
  date: /^-s|^--set/,
  tree: /^-[a-zA-Z]*o|^-R$/,
  fzf: /^--(?:bind|preview|listen|with-shell|history|tmux)/,
  pg_dump: /^-[a-zA-Z]*f|^--file/,
  mysqldump: /^-[a-zA-Z]*[rTF]|^--(?:result|tab|flush|delete|master|source)/,
  dmesg: /^-[a-zA-Z]*[cCDEn]|^--(?:clear|console|read-clear)/,
  ss: /^-[a-zA-Z]*K|^--kill/,
  ps: /^[a-zA-Z]*e[a-zA-Z]*$|^-[a-zA-Z]*E/,
  fuser: /^-[a-zA-Z]*k|^--kill/,
  man: /^-[a-zA-Z]*[PH]|^--(?:pager|html)/,
  info: /^-[a-zA-Z]*o|^--output/,
  journalctl: /^--(?:vacuum|rotate|flush|sync|relinquish|smart|setup|update|new-id)/,
  exiftool: /=|^-(?:overwrite|delete|o$|tagsfromfile|config)/i,
  dpkg: /^(?!-[lLsSpIcC]|--(?:list|status|search|info|contents|print|get-sel|verify|version|audit))/,
  rpm: /^(?!-q|--q|-V)-/,
  ip: /^(?:add|del|delete|set|change|replace|append|flush|exec|up|down|attach|-batch|-force)$/,
  ifconfig: /^(?:up|down|add|del|\d.*|netmask|mtu|hw|promisc|-?arp)$/,
  arp: /^-[a-zA-Z]*[sdf]/,
  route: /^(?:add|del|delete|flush|change)$/,
  mount: /./,
  hostname: /^(?!-[sfdiIAy]|--(?:short|fqdn|ip|all|domain|long))/,
  tar: /^-?[a-zA-Z]*[xcruA]|^--(?:extract|create|get|append|update|delete|concat|to-command|checkpoint|use-compress|rsh|info-script|remove)|^-I/,
  unzip: /^(?!-[a-zA-Z]*[lvtZ])-|^(?!-)\0/,
  top: /^(?!-[a-zA-Z]*b|-n|\d)/,
  pandoc: /^-[a-zA-Z]*o|^--(?:output|filter|lua-filter|extract|pdf|data-dir|template|defaults)|^-[dFL]/,
  'ssh-keygen': /^(?!-[lFyBe]|-[fE]$)-/,
  timedatectl: /^set/,
  hostnamectl: /^(?:set|hostname|icon|chassis|deployment|location)/,
  sysctl: /=|^-[a-zA-Z]*[wpf]|^--(?:write|load|system)/,
  tmux: /^(?!-|ls|list|has|display|show|capture|info|[\w.%:@$]+$)|^-[fS]|^-c|^(?:new|kill|send|run|if|pipe|source|set|bind|respawn|split|attach|start|switch|detach|paste|load|save|swap|move|link|unlink|rename|select|rotate|resize|break|join|wait|lock|clear|confirm|command|copy|choose|refresh)/,
};

/** Tools with verbs: those by which they only look. */
const READING_VERBS: Readonly<Record<string, RegExp>> = {
  ar: /^[tp]v?$/,
  apt: /^(?:list|show|search|policy|depends|rdepends|changelog)$/,
  brew: /^(?:list|ls|info|search|outdated|deps|doctor|config|leaves|uses|desc|--prefix|--version|home)$/,
  systemctl: /^(?:status|show|cat|list-\S+|is-\S+|get-default|help)$/,
  npm: /^(?:ls|list|ll|outdated|why|explain|root|prefix|bin|help|fund|docs|repo)$/,
  pnpm: /^(?:ls|list|outdated|why|root|bin|licenses)$/,
  yarn: /^(?:list|why|info|outdated|licenses|--version)$/,
  pip: /^(?:list|show|freeze|check|help|debug|inspect)$/,
  conda: /^(?:list|info|env|search)$/,
  cargo: /^(?:tree|metadata|search|info|--version|version|help|locate-project|pkgid)$/,
  go: /^(?:version|env|list|doc|help)$/,
  rustup: /^(?:show|which|doc|--version)$/,
  gem: /^(?:list|search|info|environment|env|contents|outdated|which|dependency)$/,
  snap: /^(?:list|info|find|changes|connections)$/,
  flatpak: /^(?:list|info|search|remotes|history)$/,
  launchctl: /^(?:list|print|blame)$/,
  loginctl: /^(?:list-\S+|show-\S+|status|session-status|user-status)$/,
  nvm: /^(?:ls|list|current|which|version|ls-remote)$/,
  pyenv: /^(?:versions|version|which|root|whence)$/,
};

/** Verbs of git that only look, unless a flag writes or runs something; and those that look with these words behind them. */
const GIT_READS = toWordSet(`
  status log diff show blame annotate grep rev-parse rev-list ls-files ls-tree ls-remote cat-file describe shortlog whatchanged
  count-objects version help for-each-ref name-rev merge-base check-ignore check-attr check-ref-format diff-tree diff-index diff-files
  show-ref show-branch range-diff cherry var verify-commit verify-tag fsck merge-tree
`);
const GIT_WRITES = /^--(?:output|ext-diff|textconv|open-files-in-pager|upload-pack|exec)|^-O/;
const GIT_READS_WITH: Readonly<Record<string, RegExp>> = {
  reflog: /^(?!expire|delete|write|drop)/,
  stash: /^(?:list|show)$/,
  worktree: /^list$/,
  bundle: /^(?:verify|list-heads)$/,
  notes: /^(?:list|show)$/,
  submodule: /^(?:status|summary)$/,
  remote: /^(?:|show|get-url)$/,
};
/** Words that make a change of a verb that looks. */
const CHANGING = /^(?:-w|-u|remove|create|update|install|uninstall|delete|set|add|clean|edit)$/;

/** Programs whose text may run or write something: the words that do. */
export const SED = /(?:^|[\d$;{}/|,#!\s~+'")])[gpiImM\d]*[wWe][gpiImM\d]*(?:[\s;}]|$)|^(?:-[a-zA-Z]*[if]|--(?:file|in-place))|^e\s/;
const AWK =
  /\b(?:system|ENVIRON|ARGV)\b|\bgetline\b|@|(?<!\|)\|(?!\|)|\bprintf?\b[^;}\n]*>|^-[fiElLo]|^--(?:file|include|exec|load|dump|profile|pretty)/;

/** The first pattern of such a text, as long as no sign in it or before it can mean anything else: a bar in it is no pipe. */
const AWK_PATTERN = /^([^"[\\/]*(?:^|[|&!~(,{;]))\s*\/[^/"[\\\n]*\//;

/** A request to this machine itself that only asks. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d+)?(?:[/?#]|$)/;
const CURL_READS =
  /^(?:-[sSfvikLI#nN4g]+|--(?:silent|show-error|fail|verbose|include|head|location|insecure|compressed|no-progress-meter|fail-with-body|http[\d.]+|no-buffer|globoff|retry-connrefused)|-w|--write-out|-m|--max-time|--connect-timeout|--retry|--retry-delay|-H|--header|-A|--user-agent|-o|--output|-X|--request|[A-Z][\w-]+: .*|GET|HEAD|OPTIONS|\d+|%\{.*|\\n.*|.*%\{.*|\/dev\/null)$/s;
const asksHere = (args: readonly string[]): boolean => {
  const words = args.filter((word) => !CURL_READS.test(word));
  return words.length > 0 && words.every((word) => LOCAL.test(word)) && !args.some((word) => /^@|\uE000/.test(word));
};

/** `http :3000/users page==2`: what it fetches, and no data for it. */
const HTTPIE_READS =
  /^(?:GET|HEAD|:\d*(?:\/.*)?|[\w-]+==.*|-[hbv]|--(?:check-status|headers|body|verbose|json|pretty=\w+)|Accept:[\w/*+.-]+)$/;

/** Network questions that carry nothing but a name somebody wrote down. */
const ASKS_NAMES = toWordSet('ping ping6 dig host nslookup drill whois traceroute tracepath mtr');

/** It says how it is called, whatever it is. */
export const isHelp = ({ args, path }: Call): boolean =>
  !path.includes('/') &&
  ((args.length === 1 && /^(?:--version|-V|-v|--help|-h|help|version|-version)$/.test(args[0] ?? '')) ||
    (args.length === 2 && /^(?:--help|-h)$/.test(args[1] ?? '') && /^[a-z][\w-]*$/.test(args[0] ?? '')));

/** Variables by which a program that reads runs another, or loads code. */
const LOADED =
  /^(?:LD_|DYLD_|GIT_(?!(?:AUTHOR|COMMITTER|PAGER=cat$|TERMINAL_PROMPT)\w*)|PATH=|BASH_|ENV=|SHELL|PROMPT|PS\d|HIST|NODE_TLS|PERL5?|RUBY|PYTHON(?!UNBUFFERED|DONTWRITE)|NODE_OPTIONS|KUBECONFIG=(?!\/(?:root|(?:home|Users)\/[\w.-]+)\/\.kube\/[\w.-]+$)|GCONV_PATH|LOCPATH|MANPAGER|MANOPT|\w*(?:PAGER|EDITOR|VISUAL|LESSOPEN|LESSCLOSE|LESSKEY\w*|ASKPASS|BROWSER|_COMMAND|PRELOAD|COMPRESS_PROGRAM|FZF_\w+)=)/;
const HARMLESS_VALUE = /=(?:cat|less(?: -\w+)?|more|true|)$/;
export const loadsCode = ({ settings, name, args }: Call): boolean =>
  [...settings, ...(/^(?:export|declare|typeset|local|readonly|env)$/.test(name) ? args : [])].some(
    (word) => LOADED.test(word) && !HARMLESS_VALUE.test(word),
  );

/** Whether a call plainly reads: nothing is changed by it, nothing runs that is not judged by itself, nothing is sent. */
export function isReading(call: Call): boolean {
  const { name, args, path } = call;
  if (name === '' && path === '') return true;
  // Names with a subscript are evaluated, and with it what stands in the brackets.
  if (args.some((word) => /\[[^\]]*(?:\$\(|`)/.test(word)) && EVALUATES.test(name)) return false;
  if (path.includes('/') && !/^\/(?:usr\/)?(?:local\/)?s?bin\//.test(path)) return false;
  return isHelp(call) || (findRow(FORMS, name)?.(args, call) ?? readsByTable(name, args));
}

const EVALUATES = /^(?:let|test|\[|\[\[|unset|printf|read|wait|declare|typeset|local|export|readonly|mapfile|readarray)$/;
function readsByTable(name: string, args: readonly string[]): boolean {
  if (READERS.has(name) || LISTS.has([name, ...args].join(' '))) return true;
  const unless = findRow(READS_UNLESS, name);
  if (unless !== undefined) return !args.some((word) => unless.test(word));
  const verbs = findRow(READING_VERBS, name);
  if (args.some((word) => hasMarks(word) && (name === 'go' ? !/^-|^\.{0,2}\//.test(word) : word.includes('://')))) return false;
  return (
    (verbs?.test(listOperands(args)[0] ?? args[0] ?? '') === true && !args.slice(1).some((word) => CHANGING.test(word))) ||
    (ASKS_NAMES.has(name) && !args.some(hasMarks))
  );
}

/** An address that is made as it runs may carry what was read for it; so may names that are asked for at an address. */
function tellsRemote(verb: string, rest: readonly string[]): boolean {
  const words = listOperands(rest);
  const operands = verb === 'ls-remote' ? words : verb === 'remote' && words[0] === 'show' ? words.slice(1) : [];
  const [remote = ''] = operands;
  return hasMarks(remote) || (/[:/]/.test(remote) && operands.some(hasMarks));
}

type ReadsByForm = (args: readonly string[], call: Call) => boolean;
const FORMS: Readonly<Record<string, ReadsByForm>> = {
  git: (args) => {
    const [verb, rest] = gitVerb(args);
    if (tellsRemote(verb, rest)) return false;
    if (GIT_READS.has(verb)) return !rest.some((word) => GIT_WRITES.test(word));
    const readsWith = findRow(GIT_READS_WITH, verb);
    if (readsWith !== undefined) return readsWith.test(listOperands(rest)[0] ?? '');
    if (verb === 'branch' || verb === 'tag')
      return listOperands(rest).length === 0 || rest.some((word) => /^-[lan]|^--(?:list|contains|merged|points-at)/.test(word));
    if (rest.some((word) => /extraheader|credential|passw|token|secret/i.test(word)) && verb === 'config') return false;
    if (verb === 'config') return rest.some((word) => /^(?:--get\S*|--list|-l|get|list)$/.test(word)) || listOperands(rest).length === 1;
    return verb === '';
  },
  ...toRows('sed gsed', (args) => !args.some((word) => SED.test(word))),
  ...toRows('awk gawk mawk', (args) => !args.some((word) => AWK.test(word.replace(AWK_PATTERN, '$1')) || word.includes(MARK.unknown))),
  ...toRows('uniq xxd', (args) => listOperands(args).length < 2),
  curl: (args) => asksHere(args),
  ...toRows(
    'http https xh',
    (args, { piped, fed, reads }) =>
      !piped && fed.length + reads.length === 0 && args.every((word) => HTTPIE_READS.test(word) || LOCAL.test(word)),
  ),
  ssh: (args) => args.length === 2 && args[0] === '-G',
  // A job of this shell, or whether somebody is there; what a number means is not known.
  kill: (args) =>
    args[0] === '-l' ||
    args[0] === '-0' ||
    (args.length > 0 && args.every((word) => /^-(?!1$)[\w]+$|^%\S+$|^\uE003$/.test(word) && word !== '-1')),
  tee: (args) => listOperands(args).every((word) => /^\/dev\/(?:null|std\w+|tty|fd\/\d+)$/.test(word)),
  dc: (args, { fed }) => ![...args, ...fed].some((word) => word.includes('!')),
  crontab: (args) => args[0] === '-l',
  openssl: (args, { fed, reads }) =>
    /^(?:x509|version|verify|s_client|ciphers|dgst|rand|asn1parse|crl|list|speed|prime|passwd)$/.test(args[0] ?? '') &&
    !args.some((word) => /^-(?:out|writerand|sign|engine|keyout|signkey|CAkey|inkey)$/.test(word)) &&
    (args[0] !== 's_client' ||
      (!args.some(hasMarks) && fed.every((text) => /^\s*$/.test(text)) && reads.every((word) => word === '/dev/null'))),
  getent: (args) => !args.some((word) => /^g?shadow$/.test(word)) && !(/hosts/.test(args[0] ?? '') && args.some(hasMarks)),
  nc: (args) => args.some((word) => /^-\w*z/.test(word)) && !args.some(hasMarks),
  pdftotext: (args) => args.at(-1) === '-',
};

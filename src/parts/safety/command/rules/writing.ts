import { isExpendable, isHere, isInside, resolveReachedPath } from '../places/paths.ts';
import type { ShellContext } from '../places/shell-context.ts';
import { isProgramPlace } from '../places/program-folders.ts';
import { isKept, isQuietDevice, isSecret, isStartup, isSystem } from '../places/sensitive.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { MARK } from '../values/marks.ts';
import { ask, listOperands, listFlagValues, askAboutVerbs } from './rows.ts';
import { findFilledFolders, findReplacedTargets, findWriteTargets } from './targets.ts';

const some = (words: readonly string[], place: ShellContext, test: (path: string) => boolean): boolean =>
  words.some((word) => {
    const path = resolveReachedPath(word, place);
    return path !== undefined && test(path);
  });
const inOwn = (path: string, place: ShellContext): boolean => isInside(path, place) && !/\/\.git\/|authorized_keys/.test(path);
/** Settings in the home folder, besides what programs only keep for speed. */
const isHidden = (path: string, { home }: ShellContext): boolean =>
  path.startsWith(`${home}/.`) &&
  !/^\/\.(?:cache|npm|gradle|m2|ivy2|nuget|local\/share\/Trash|Trash|tmp|yarn|pnpm-store|cargo\/registry)(?:\/|$)/.test(
    path.slice(home.length),
  );

/** Programs that only look at what they are given, or have rules of their own. */
const LOOKS: ReadonlySet<string> = new Set(
  `cat bat less more head tail ls ll tree stat file wc du df find fd grep egrep fgrep rg ag ack awk gawk sed cut sort uniq tr nl
  tac diff cmp comm colordiff md5sum sha1sum sha256sum sha512sum cksum strings xxd od hexdump jq yq test [ [[ : true echo printf
  cd pushd popd source . realpath readlink basename dirname which type man getfacl lsattr namei git ssh ssh-add ssh-keygen
  openssl gpg docker podman kubectl helm tar zip rsync scp cp mv ln rm unlink install tee touch mkdir rmdir chmod chown chgrp dd
  vi vim nvim nano emacs code open xdg-open shellcheck shfmt bash sh zsh dash for case export declare local sudo doas env xargs
  nginx apachectl sshd visudo systemd-analyze python python3 node perl ruby php curl wget aws terraform ansible ansible-playbook
  ansible-lint crontab getent id sponge truncate shred stow mount umount hostname watch time timeout strace ltrace lsof fuser
  inotifywait chroot hermes unzip 7z ldd nm objdump readelf column yamllint xmllint pygmentize glow compgen psql mysql sqlite3
  logrotate named-checkconf postconf haproxy dnsmasq udevadm dpkg rpm apt-file locate sum b2sum expand fold fmt pr look join
  paste tput logger mc ranger`.split(/\s+/),
);

/** What runs or counts later, and what lies where the work does not. */
export const WRITING: readonly CommandRule[] = [
  ask(
    'unknown_target',
    'where it writes raw data is only known when it runs',
    (name, args) => /^(?:dd|dcfldd)$/.test(name) && args.some((word) => /^of=.*[\uE000]/.test(word)),
  ),
  ask(
    'umask',
    'it opens every file made from now on to everybody',
    (name, args) => name === 'umask' && args.some((word) => /^0*[0-7]?[0-7]?0$|a=|o=.*w/.test(word)),
  ),
  ask('persistence', 'it loads code into the shell itself', (name, args) => name === 'enable' && args.includes('-f')),
  ask('persistence', 'it writes to a file that is run or trusted later', (_name, _args, call, place) =>
    some(
      [...findWriteTargets(call), ...findFilledFolders(call)],
      place,
      (path) => !inOwn(path, place) && (isKept(path, place) || isHidden(path, place)),
    ),
  ),
  ask('persistence', 'it puts a file where programs are found by their name', (_name, _args, call, place) =>
    some(findWriteTargets(call), place, (path) => isProgramPlace(path, place)),
  ),
  ask('persistence', 'it hands a file that is run or trusted later to a program that may change it', (name, args, _call, place) => {
    if (LOOKS.has(name)) return false;
    const given = args.filter((word, index) => !word.startsWith('-') && !(args[index - 1] ?? '').startsWith('-'));
    return some(
      given.filter((word) => /^[~/]/.test(word)),
      place,
      (path) => !isExpendable(path, place) && isStartup(path, place),
    );
  }),
  ask('secret_write', 'it writes to a file that holds secrets', (name, _args, call, place) =>
    some(
      name === 'cp' || name === 'mv' ? call.writes : findWriteTargets(call),
      place,
      (path) =>
        isSecret(path, place) &&
        !isQuietDevice(path) &&
        (!isExpendable(path, place) || (isInside(path, place) && /\/\.env[^/]*$/.test(path))),
    ),
  ),
  ask('system_write', 'it sends to another machine through a connection of the shell', (_name, _args, { writes }) =>
    writes.some((word) => /^\/dev\/(?:tcp|udp)\//.test(word)),
  ),
  ask('system_write', 'it writes into the system', (_name, _args, call, place) =>
    some(findWriteTargets(call), place, (path) => !isExpendable(path, place) && isSystem(path)),
  ),
  ask('overwrite_outside', 'it overwrites files outside the working folder', (_name, _args, call, place) =>
    some(
      findReplacedTargets(call),
      place,
      (path) =>
        !isHere(path, place) &&
        !/^\/(?:var\/)?tmp$/.test(path) &&
        !isQuietDevice(path) &&
        !path.startsWith('/dev/fd/') &&
        !isNew(path, place, call),
    ),
  ),
  ask('other_project', 'it cleans up, installs or removes in another project', (name, args, _call, place) => {
    const folders = /^(?:g|b)?make$|^ninja$/.test(name) ? listFlagValues(args, /^(?:-C|--directory)$/) : [];
    return (
      args.some((word) => /clean|purge|wipe|reset|install|prune|drop/.test(word)) && some(folders, place, (path) => !isHere(path, place))
    );
  }),
  ask(
    'rewrite_all',
    "it changes every file here in place, the repository's own among them",
    (_name, _args, call, place) =>
      call.from.some((each) => /^(?:find|xargs)$/.test(each)) && some(findReplacedTargets(call), place, (path) => path === place.base),
  ),
  ask(
    'unknown_target',
    'which file it empties is only known when it runs',
    (name, args, { replaces }) =>
      (name === 'truncate' && listOperands(args).some((word) => word.startsWith(MARK.unknown))) ||
      ((/^(?::|true)$/.test(name) || (/^(?:cat|cp)$/.test(name) && args.includes('/dev/null'))) &&
        [...replaces, ...(name === 'cp' ? listOperands(args).slice(-1) : [])].some((word) => word.startsWith(MARK.unknown))),
  ),
  askAboutVerbs('schedule', 'it makes something run later or at every start', {
    crontab: /^(?!.*(?:^|\s)-l(?:\s|$))/,
    at: /^(?!.*(?:^|\s)-[lV])/,
    batch: true,
    atrm: true,
    systemctl: /\b(?:enable|link|edit|set-default|preset|add-wants|import-environment|set-environment|reenable)\b/,
    'systemd-run': true,
    launchctl: /\b(?:load|bootstrap|submit|enable|unload|bootout|remove|disable)\b/,
    loginctl: /enable-linger/,
    'update-rc.d': true,
    chkconfig: /\b(?:on|off|--add|--del)\b/,
    'rc-update': /add|del/,
    schtasks: /create|delete|change/i,
    incrontab: true,
    anacron: true,
    'update-alternatives': /--(?:install|set|remove)/,
    'xdg-mime': /default/,
    chsh: true,
  }),
  ask('persistence', 'it changes what git or a package tool runs for every project', (name, args) => {
    const said = args.join(' ');
    if (name === 'git')
      return (
        /\bconfig\b.*--(?:global|system)/.test(said) &&
        /core\.(?:hookspath|fsmonitor|sshcommand|editor|pager)|credential|include|url\.|sslverify|proxy|alias\.|templatedir/i.test(said) &&
        !/--(?:get|list)|-l\b/.test(said)
      );
    if (name === 'npm' || name === 'yarn' || name === 'pnpm')
      return /^config set\b.*(?:registry|proxy|strict-ssl|cafile|script-shell|_auth|ignore-scripts|prefix)/i.test(said);
    return /^pip\d?$/.test(name) && /^config\s+(?:--\w+\s+)?set\b/.test(said);
  }),
];

/** A peek at the disk shows that nothing is there yet. */
const isNew = (path: string, { look }: ShellContext, { name }: Call): boolean =>
  look !== undefined && (name === 'cp' || name === 'mv' || name === 'rsync' || name === ':') && look(path) === undefined;

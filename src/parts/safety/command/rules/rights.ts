import { isExpendable, isGuarded, isHere, resolveTargetPath } from '../places/paths.ts';
import { isSecret } from '../places/sensitive.ts';
import type { CommandRule } from '../call/call.ts';
import { ask, hasFlag, listOperands, listFlagValues, askAboutVerbs } from './rows.ts';

/** In numbers the last digit speaks of everybody, in letters `a` and `o`. */
const opensToAll = (mode: string): boolean =>
  /^[0-7]{3,4}$/.test(mode) ? (Number(mode.at(-1)) & 2) !== 0 : mode.split(',').some((part) => /^[ug]*[ao][ugoa]*[+=][rxXst]*w/.test(part));
const setsUser = (mode: string): boolean =>
  /^[0-7]{4,5}$/.test(mode) ? (Number(mode.at(-4)) & 6) !== 0 : /(?:^|,)[ugoa]*[+=][rwxXt]*s/.test(mode);
const modesOf = (name: string, args: readonly string[]): string[] =>
  name === 'chmod'
    ? args.filter((word) => /^[0-7]{3,5}$|^[ugoa]*[-+=][rwxXst]*(?:,[ugoa]*[-+=][rwxXst]*)*$/.test(word)).slice(0, 1)
    : name === 'install' || name === 'mkdir'
      ? listFlagValues(args, /^(?:-m|--mode)$/)
      : [];

/** What a mode or an owner is given to: a mode may look like a flag (`-x`). */
const filesOf = (name: string, args: readonly string[]): string[] => {
  const taken = args.find((word) => modesOf(name, [word]).length > 0 && word.startsWith('-'));
  return taken === undefined ? listOperands(args).slice(1) : listOperands(args);
};

/** Who may do what: other users, rights on files, accounts. */
export const RIGHTS: readonly CommandRule[] = [
  ask('privilege', 'it acts as another user', (name) =>
    /^(?:sudo|su|doas|pkexec|runuser|run0|gosu|su-exec|gsu|kdesu|gksudo|setuidgid|newgrp|sg|sudoedit|visudo|runas)$/.test(name),
  ),
  ask(
    'privilege',
    'it enters the name space of other processes',
    (name, args) =>
      name === 'nsenter' ||
      (name === 'machinectl' && /^(?:shell|login)\b/.test(listOperands(args).join(' '))) ||
      (name === 'capsh' && args.some((word) => /^--(?:uid|user|gid)=|^--(?:caps|addamb|inh)/.test(word))) ||
      (name === 'setpriv' && args.some((word) => /^--(?:reuid|regid|groups|clear-groups|init-groups|ambient-caps|inh-caps)/.test(word))) ||
      (/^(?:ssh|mosh)$/.test(name) && args.some((word) => /^root@(?:localhost|127\.|::1|0\.0\.0\.0)|^\/root\//.test(word))) ||
      (name === 'chroot' && !hasFlag(args, '', '--help')) ||
      (name === 'unshare' && args.some((word) => /^-[a-zA-Z]*r|--map-root/.test(word))),
  ),
  ask(
    'world_writable',
    'it opens files to everybody',
    (name, args) =>
      modesOf(name, args).some(opensToAll) && !(name === 'mkdir' && modesOf(name, args).every((mode) => mode.startsWith('1'))),
  ),
  ask('set_user_id', 'it lets a program run with the rights of its owner', (name, args) => modesOf(name, args).some(setsUser)),
  ask('rights_outside', 'it changes rights outside the working folder', (name, args, _call, place) => {
    if (!/^(?:chmod|chown|chgrp|setfacl|chcon|chflags|icacls|xattr)$/.test(name)) return false;
    const like = args.some((word) => word.startsWith('--reference'));
    const files = like ? listOperands(args) : filesOf(name, args);
    const deep = hasFlag(args, 'R', '--recursive') || name !== 'chmod' || like;
    return files.some((word) => {
      const path = resolveTargetPath(word, place);
      if (path === undefined) return deep && name !== 'chmod';
      return (
        (deep && !isHere(path, place)) ||
        (isSecret(path, place) &&
          name === 'chmod' &&
          !/^(?:0?[4-7]00|go?[-=]|[ug]*o?-|u[+=-]|go-)/.test(args.find((each) => /^[0-7ugoa]/.test(each)) ?? ''))
      );
    });
  }),
  ask(
    'rights_outside',
    'it changes rights of system files',
    (name, args, _call, place) =>
      name === 'chmod' &&
      filesOf(name, args).some(
        (word) =>
          isGuarded(word, place) ||
          (/^\/(?:etc|usr|bin|sbin|lib\w*|boot|var|root|opt|sys|proc|dev)(?:\/|$)/.test(resolveTargetPath(word, place) ?? '') &&
            !isExpendable(resolveTargetPath(word, place), place)),
      ),
  ),
  ask(
    'rights_outside',
    'it changes rights outside the working folder',
    (name, args, _call, place) =>
      name === 'chmod' &&
      filesOf(name, args).some((word) => !isHere(resolveTargetPath(word, place), place) && resolveTargetPath(word, place) !== undefined) &&
      !/^(?:\+x|[ua]+\+[rwx]+|0?[67]00|0?644|0?755|0?400|0?640|0?750|go?-[rwx]+|o-[rwx]+)$/.test(listOperands(args)[0] ?? ''),
  ),
  ask(
    'rights_outside',
    'it takes the rights to a whole folder away or gives it to another user',
    (name, args) =>
      (/^(?:chown|chgrp)$/.test(name) && hasFlag(args, 'R', '--recursive') && /^(?:root|0)(?:[:.]|$)/.test(listOperands(args)[0] ?? '')) ||
      (name === 'chmod' &&
        hasFlag(args, 'R', '--recursive') &&
        /^(?:0{1,4}|a?-[rwx]+|[ugo]*=)$/.test(args.find((word) => /^[0-7]+$|^[ugoa]*[-=]/.test(word) && !/^-[RvfcP]+$/.test(word)) ?? '')),
  ),
  askAboutVerbs('accounts', 'it changes accounts, groups or passwords', {
    passwd: /^(?!.*(?:-S|--status))/,
    chpasswd: true,
    useradd: true,
    adduser: true,
    userdel: true,
    deluser: true,
    usermod: true,
    groupadd: true,
    groupdel: true,
    groupmod: true,
    addgroup: true,
    delgroup: true,
    gpasswd: true,
    vipw: true,
    vigr: true,
    chage: /^(?!-l)/,
    newusers: true,
    dscl: /create|append|delete|passwd/,
    sysadminctl: true,
    dseditgroup: true,
    'pam-auth-update': true,
    faillock: /--reset/,
    'ssh-copy-id': true,
    chfn: true,
    net: /\b(?:user|localgroup)\b/,
    smbpasswd: true,
    htpasswd: /\/etc\//,
  }),
  askAboutVerbs('capabilities', 'it gives a file special rights or fixes it', {
    setcap: true,
    chattr: true,
    setfattr: true,
    chflags: true,
    icacls: true,
    takeown: true,
  }),
];

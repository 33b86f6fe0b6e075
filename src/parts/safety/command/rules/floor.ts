import { stripTrailingGlobs, isDisk, isGuarded, resolveReachedPath, resolveTargetPath } from '../places/paths.ts';
import type { CommandRule } from '../call/call.ts';
import { hasFlag, hasHelp, listOperands, refuse, says } from './rows.ts';
import { findWriteTargets } from './targets.ts';

const DELETERS = /^(?:rm|grm|rimraf|srm|trash|trash-put|del-cli|rmtrash|wipe|unlink|rmdir)$/;
const WIPERS =
  /^(?:mkfs(?:\..*)?|mke2fs|mkdosfs|mkntfs|newfs\w*|mkswap|wipefs|blkdiscard|sgdisk|gdisk|fdisk|sfdisk|cfdisk|parted|shred|badblocks|hdparm|nvme|cryptsetup|pvcreate|flashrom|dcfldd|ddrescue|nwipe|scrub)$/;
/** Uses of those that only look. */
const LOOKS =
  /(?:^|\s)(?:-l|--list|-p|--print|print|-I|-i|--info|-V|--version|--help|list|smart-log|id-ctrl|isLuks|luksDump|status|-n|--dry-run|-v)(?:\s|$)/;

/** Commands that stop the machine. */
const stops = says(
  '(?:shutdown|reboot|halt|poweroff)(?!.* -c(?: |$))|(?:init|telinit) [06]|wsl .*--shutdown|kexec .*(?:-\\w*e|--exec)',
  '(?:systemctl|loginctl) (?:-\\S+ )*(?:poweroff|reboot|halt|kexec|soft-reboot|suspend-then-hibernate)',
  '(?:dbus-send|busctl|gdbus|qdbus\\w*) .*(?:PowerOff|Reboot|Halt|Suspend)\\w*|rtcwake .*\\boff|ipmitool .*power\\s+(?:off|cycle|reset)',
  '(?:gnome-session-quit|xfce4-session-logout) .*(?:power-off|reboot|halt)',
);

/** The hard floor: nobody can allow these. */
export const FLOOR: readonly CommandRule[] = [
  refuse(
    'system_delete',
    'it would delete a system folder or a whole home folder',
    ({ name, args }, place) => DELETERS.test(name) && !hasHelp(args) && listOperands(args).some((word) => isGuarded(word, place)),
  ),
  refuse(
    'system_delete',
    'it would move a system folder or a whole home folder away',
    ({ name, args }, place) =>
      name === 'mv' &&
      listOperands(args)
        .slice(0, -1)
        .some((word) => isGuarded(word, place)),
  ),
  refuse(
    'system_delete',
    'it would empty a system folder or a whole home folder',
    ({ name, args }, place) =>
      name === 'rsync' &&
      args.some((word) => /^--del(?:ete(?:-\w+)?)?$/.test(word)) &&
      !hasFlag(args, 'n', '--dry-run') &&
      listOperands(args).length > 1 &&
      isGuarded(listOperands(args).at(-1) ?? '', place),
  ),
  refuse(
    'system_rights',
    'it would change permissions or ownership of the whole system',
    ({ name, args }, place) =>
      /^(?:chmod|chown|chgrp|setfacl)$/.test(name) &&
      hasFlag(args, 'R', '--recursive') &&
      listOperands(args)
        .slice(1)
        .some((word) => stripTrailingGlobs(resolveTargetPath(word, place) ?? '/x') === '/'),
  ),
  refuse('disk_wipe', 'it would format or wipe a disk', ({ name, args }) => {
    if (!WIPERS.test(name) || !args.some((word) => isDisk(word))) return false;
    if (name === 'hdparm') return /--security-erase|--trim-sector|--write-sector|--make-bad|--fwdownload|--dco/.test(args.join(' '));
    return !LOOKS.test(args.join(' ')) || name.startsWith('mkfs') || name === 'shred';
  }),
  refuse('disk_write', 'it would overwrite a disk or the memory of this machine', (call, place) =>
    findWriteTargets(call).some((word) => {
      const path = resolveReachedPath(word, place);
      return path !== undefined && (isDisk(path) || /^\/dev\/(?:k?mem|port)$/.test(path));
    }),
  ),
  refuse(
    'power',
    'it would shut down or restart the machine',
    (call) => stops(call) || findWriteTargets(call).some((word) => /^\/proc\/sysrq-trigger$/.test(word)),
  ),
  refuse('kill_all', 'it would kill every process', ({ name, args }) => {
    if (name === 'killall5' || (name === 'pkill' && listOperands(args).some((word) => /^[.^$*]+$/.test(word)))) return true;
    if (name !== 'kill') return false;
    const signal = /^-(?:[A-Za-z]\w*|\d+)$/.test(args[0] ?? '') ? 1 : 0;
    const given = args[0] === '-s' || args[0] === '-n' ? 2 : args[0] === '--' ? 0 : signal;
    return args.slice(given).includes('-1') && (args.length > 1 || given === 0);
  }),
];

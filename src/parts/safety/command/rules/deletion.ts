import { stripTrailingGlobs, isExpendable, isTemporary, resolveReachedPath, resolveTargetPath } from '../places/paths.ts';
import { isSecret } from '../places/sensitive.ts';
import type { CommandRule } from '../call/call.ts';
import { isAllUnknown, isUnknown } from '../values/marks.ts';
import { ask, hasFlag, hasHelp, listOperands, findWordPaths, askAboutVerbs } from './rows.ts';
import { findReplacedTargets } from './targets.ts';

const DELETERS = /^(?:rm|grm|rimraf|srm|trash|trash-put|del-cli|rmtrash|wipe|gvfs-trash|gvfs-rm|kioclient\d?|deltree)$/;
const ALWAYS_DEEP = /^(?:rimraf|trash|trash-put|del-cli|rmtrash|wipe|srm|gvfs-trash|gvfs-rm|kioclient\d?|deltree)$/;
/** Folders of a project that nobody builds anew. */
const OWN_WORK: ReadonlySet<string> = new Set(
  'src source sources data database db backup backups uploads migrations storage media tests test spec content notebooks pgdata volumes .github'.split(
    ' ',
  ),
);
/** Programs that only look at a disk, or have rules of their own. */
const DISK_READERS =
  /^(?:ls|ll|stat|file|lsblk|blkid|df|findmnt|smartctl|udevadm|mount|umount|test|\[|\[\[|echo|printf|e?grep|fgrep|rg|cat|head|xxd|od|hexdump|strings|dd|fdisk|sfdisk|parted|gdisk|hdparm|lsof|fuser|iostat|nvme|cryptsetup|dumpe2fs|xfs_info|blockdev|realpath|readlink|basename|dirname|pvs|pvdisplay|lvs|lvdisplay|vgs|vgdisplay|mdadm|btrfs|tune2fs|resize2fs|e2fsck|wipefs|sha\d+sum|md5sum|git|sed|awk|sudo|doas|for|rm|find|watch|timeout|:|true|docker|podman|cd|which|man)$/;

export const DELETION: readonly CommandRule[] = [
  ask(
    'recursive_delete',
    'it moves files where nothing is kept',
    (name, args) => name === 'mv' && listOperands(args).at(-1) === '/dev/null',
  ),
  ask('database_loss', 'it deletes or empties a database file', (name, args, call) =>
    [...(/^(?:rm|unlink|shred)$/.test(name) ? listOperands(args) : []), ...(name === 'sqlite3' ? [] : findReplacedTargets(call))].some(
      (word) =>
        /\.(?:db|sqlite3?|mdb|rdb|ldb|dbf|frm|ibd)$/i.test(word) &&
        !/(?:^|\/)(?:test|tmp|temp|cache|Thumbs)[\w.-]*\.\w+$|^\/tmp\//i.test(word),
    ),
  ),
  askAboutVerbs('delete_old', 'it deletes files by their age or what they are', {
    tmpwatch: true,
    tmpreaper: true,
    fdupes: /-[a-zA-Z]*d|--delete/,
    jdupes: /-[a-zA-Z]*d/,
    rmlint: /-c\s+sh|--cmd/,
    bleachbit: /-c|--clean/,
    '7z': /-sdel/,
    rdfind: /-deleteduplicates\s+true/,
    fstrim: true,
    robocopy: /\/(?:mir|purge|mov)/i,
    flash_erase: true,
    flashcp: true,
    debugfs: /-w/,
  }),
  ask(
    'recursive_delete',
    'it deletes a folder outside the working folder, or one only known when it runs',
    (name, args, _call, place) =>
      DELETERS.test(name) &&
      (ALWAYS_DEEP.test(name) ||
        hasFlag(args, 'rR', '--recursive') ||
        args.some((word) => isAllUnknown(word) && args.length > 1 && word === args[0])) &&
      !hasHelp(args) &&
      listOperands(args).some((word) => !isExpendable(resolveTargetPath(word, place), place)),
  ),
  ask(
    'secret_loss',
    'it deletes a file that holds secrets, which hardly anything else keeps',
    (name, args, _call, place) =>
      /^(?:rm|unlink|grm)$/.test(name) &&
      listOperands(args).some((word) => {
        const path = resolveTargetPath(word, place);
        return path !== undefined && !isTemporary(path) && isSecret(path, place);
      }),
  ),
  ask(
    'own_work',
    'it deletes the source or the data of the project as a whole',
    (name, args, _call, place) =>
      DELETERS.test(name) &&
      (ALWAYS_DEEP.test(name) || hasFlag(args, 'rR', '--recursive')) &&
      listOperands(args).some((word) => {
        const path = resolveTargetPath(word, place);
        return (
          path !== undefined &&
          OWN_WORK.has(stripTrailingGlobs(path).slice(place.base.length + 1)) &&
          stripTrailingGlobs(path).startsWith(`${place.base}/`)
        );
      }),
  ),
  ask(
    'delete_outside',
    'it deletes files outside the working folder',
    (name, args, _call, place) =>
      /^(?:rm|grm|unlink|rmdir)$/.test(name) &&
      listOperands(args).some((word) => {
        const path = resolveReachedPath(word, place);
        return path !== undefined && !isExpendable(path, place) && !isUnknown(word);
      }),
  ),
  ask(
    'delete_fed',
    'it deletes whatever it is fed',
    (name, args, { from, piped, reads }) =>
      /^(?:rm|unlink|shred)$/.test(name) &&
      (piped || reads.length > 0 || from.includes('xargs') || from.includes('parallel')) &&
      (listOperands(args).some(isAllUnknown) || (from.includes('git') && from.includes('xargs'))),
  ),
  ask(
    'git_history',
    'it deletes a repository with its history',
    (name, args, _call, place) =>
      DELETERS.test(name) &&
      listOperands(args).some((word) =>
        /(?:^|\/)\.git(?:\/(?:objects|refs|logs|packed-refs|HEAD).*|\/\uE001.*)?\/?$/.test(resolveTargetPath(word, place) ?? ''),
      ),
  ),
  ask(
    'wipe_file',
    'it wipes files so that nothing brings them back',
    (name, args, _call, place) =>
      /^(?:shred|srm|wipe|scrub)$/.test(name) &&
      !hasHelp(args) &&
      listOperands(args).some((word) => !isTemporary(resolveTargetPath(word, place) ?? '')),
  ),
  ask(
    'move_outside',
    'it moves files that lie outside the working folder',
    (name, args, _call, place) =>
      name === 'mv' &&
      listOperands(args)
        .slice(0, -1)
        .some((word) => {
          const path = resolveTargetPath(word, place);
          return path !== undefined && !isExpendable(path, place) && !isUnknown(word);
        }),
  ),
  ask(
    'archive_delete',
    'it deletes what it packs',
    (name, args, _call, place) =>
      ((name === 'tar' && args.includes('--remove-files')) ||
        (name === 'zip' && args.some((word) => /^-[a-zA-Z]*m|^--move$/.test(word)))) &&
      (args.some((word) => /^(?:-C|--directory)/.test(word)) ||
        findWordPaths(listOperands(args), place).some((path) => !isExpendable(path, place))),
  ),
  ask('sync_delete', 'it deletes what is missing on the other side', (name, args, _call, place) => {
    if (!/^(?:rsync|rclone|unison)$/.test(name)) return false;
    if (name === 'rclone') return /^(?:sync|delete|purge|move|deletefile|rmdirs|cleanup)\b/.test(listOperands(args).join(' '));
    const goal = listOperands(args).at(-1) ?? '';
    return (
      args.some((word) => /^--(?:delete|del$|remove-source-files)/.test(word)) &&
      !hasFlag(args, 'n', '--dry-run') &&
      (/^[^/]+:/.test(goal) ||
        !isExpendable(resolveTargetPath(goal, place), place) ||
        (args.includes('--remove-source-files') && listOperands(args).some((word) => !isExpendable(resolveTargetPath(word, place), place))))
    );
  }),
  ask(
    'disk_touched',
    'it hands a whole disk to a program that may write to it',
    (name, args) =>
      !DISK_READERS.test(name) &&
      args.some((word) =>
        /^(?:\w+=|--\w+=)?\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|md|dm-|loop|nbd|r?disk|mapper\/|disk\/by-|sg|zd|mtd|pmem)\w/.test(word),
      ) &&
      !hasHelp(args),
  ),
  askAboutVerbs('volume_delete', 'it removes a volume, a snapshot or an array', {
    lvremove: true,
    vgremove: true,
    pvremove: true,
    lvreduce: true,
    dmsetup: /remove|wipe/,
    btrfs: /device\s+delete|balance\s+start|subvol\w*\s+d|device\s+remove|filesystem\s+resize/,
    zfs: /destroy|rollback/,
    zpool: /destroy|labelclear|offline|detach/,
    mdadm: /--zero-superblock|--stop|--fail|--remove|-S\b/,
    snapper: /delete|undochange/,
    timeshift: /--delete|--restore/,
    tmutil: /delete|disable/,
    cryptsetup: /erase|luksFormat|luksErase|luksRemoveKey|luksKillSlot/,
    diskutil: /erase|partition|zero|secureErase|reformat|unmountDisk|apfs delete/i,
    vssadmin: /delete/i,
    wbadmin: /delete/i,
    diskpart: true,
    xfs_repair: /-L/,
    tune2fs: true,
    resize2fs: true,
    e2fsck: /-[a-z]*y/,
    losetup: /-d|-D/,
    swapoff: true,
    mkfs: true,
    mke2fs: true,
    parted: /\b(?:rm|mklabel|mkpart|mktable|resizepart)\b/,
    fdisk: /^(?!.*-l)/,
    sfdisk: /^(?!.*(?:-l|-d|--dump))/,
    wipefs: /-a|--all/,
    blkdiscard: true,
    flashrom: /(?:^|\s)-\w*[wE]|--write|--erase/,
    sg_format: true,
    sg_sanitize: true,
    'nbd-client': /-d\b|-disconnect/,
    multipath: /-F\b|-f\b/,
    lvconvert: true,
    vgreduce: true,
    vgexport: true,
    bcache: true,
    fsck: /(?:^|\s)-\w*[yfa]/,
    mkswap: true,
  }),
  ask(
    'format',
    'it makes a file system',
    (name, args) => /^mkfs(?:\.|$)/.test(name) && !args.includes('-V') && listOperands(args).length > 0,
  ),
];

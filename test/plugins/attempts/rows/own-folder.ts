import { answered, leaked, made, type Attempt } from '../row.ts';

const WAYS = `const fs = await import('node:fs');
  const tries = []; const attempt = (what) => { try { tries.push(what() ?? 'done'); } catch (error) { tries.push(String(error.code ?? error)); } };`;

/** The plugin's own two folders, and what the walls around them are made of. */
export const OWN_FOLDER_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'writes into its own code folder',
    allowed: 'never',
    code: `${WAYS}
      for (const folder of [import.meta.dirname, '{{ownFolder}}']) attempt(() => fs.writeFileSync(folder + '/planted.js', 'planted'));
      return tries.join(' ');`,
    cameOff: made('{{ownFolder}}/planted.js'),
    process: 'own',
  },
  {
    name: 'makes its own code folder writable with a mount of its own',
    allowed: 'never',
    code: `${WAYS} const { execFileSync } = await import('node:child_process');
      for (const flags of [['-rm'], ['-m'], ['-Urmpf']]) attempt(() => execFileSync('unshare', [...flags, 'sh', '-c',
        'mount -o remount,rw,bind ' + import.meta.dirname + '; mount -o remount,rw /; umount -l ' + import.meta.dirname + '; echo x > {{ownFolder}}/planted.js'], { stdio: 'pipe' }).toString());
      return tries.join(' ');`,
    noControl: 'mounting needs a right that an ordinary user lacks',
    cameOff: made('{{ownFolder}}/planted.js'),
    process: 'own',
  },
  {
    name: 'takes away what covers the folders of the owner',
    allowed: 'never',
    code: `${WAYS} const { execFileSync } = await import('node:child_process');
      for (const flags of [['-rm'], ['-m']]) attempt(() => execFileSync('unshare', [...flags, 'sh', '-c',
        'for place in $(cut -d" " -f5 /proc/self/mountinfo | sort -r); do umount -l "$place"; cat {{ownerFile}}; done; cat {{ownerFile}}'], { stdio: 'pipe' }).toString());
      return tries.join(' ');`,
    noControl: 'it unmounts what it finds',
    cameOff: leaked('ownerFile'),
    process: 'own',
  },
  {
    name: 'replaces its data folder with a link to a folder of the owner',
    allowed: 'never',
    code: `${WAYS} const path = await import('node:path');
      attempt(() => fs.renameSync(host.dataFolder, host.dataFolder + '-old'));
      attempt(() => fs.rmSync(host.dataFolder, { recursive: true }));
      fs.symlinkSync(path.dirname('{{ownerFile}}'), host.dataFolder);
      return 'SWAPPED ' + fs.readlinkSync(host.dataFolder);`,
    noControl: 'the other rows need the data folder',
    cameOff: answered(/^SWAPPED/),
    process: 'own',
  },
  {
    name: 'finds a descriptor of Hermes that was left open',
    allowed: 'never',
    code: `${WAYS}
      const own = [import.meta.dirname, '{{ownFolder}}', host.dataFolder];
      const links = fs.readdirSync('/proc/self/fd').flatMap((fd) => { try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; } });
      const theirs = links.filter((link) => link.startsWith('/') && !/^[/](dev|proc)[/]/.test(link) && !own.some((folder) => link.startsWith(folder)));
      return theirs.length > 0 ? 'LEFT OPEN ' + theirs.join(' ') : 'none';`,
    noControl: 'without walls nothing of Hermes is open either',
    cameOff: answered(/^LEFT OPEN/),
    process: 'own',
  },
  {
    name: 'keeps rights of root, or can get them by a program',
    allowed: 'never',
    code: `${WAYS}
      const status = Object.fromEntries(fs.readFileSync('/proc/self/status', 'utf8').split('\\n').map((line) => line.split(':\\t')));
      const zero = (name) => /^0+$/.test(status[name].trim());
      return zero('CapEff') && zero('CapPrm') && zero('CapAmb') && status.NoNewPrivs.trim() === '1' ? 'none' : 'RIGHTS ' + status.CapEff + ' ' + status.NoNewPrivs;`,
    noControl: 'an ordinary user has no such rights',
    cameOff: answered(/^RIGHTS/),
  },
  {
    name: 'opens a switch of the kernel for writing',
    allowed: 'never',
    code: `${WAYS}
      const open = ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/sys/vm/drop_caches', '/sys/kernel/uevent_helper', '/sys/fs/cgroup/cgroup.procs', '/dev/kmsg', '/dev/mem', '/dev/vda', '/dev/sda']
        .filter((path) => { try { fs.closeSync(fs.openSync(path, 'r+')); return true; } catch { return false; } });
      return open.length > 0 ? 'WRITABLE ' + open.join(' ') : 'none';`,
    noControl: 'only root can',
    cameOff: answered(/^WRITABLE/),
  },
];

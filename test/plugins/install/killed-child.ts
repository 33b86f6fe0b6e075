/**
 * Installs, updates or removes a plugin and kills itself at one file operation: `node killed-child.ts WORK PLUGINS SOURCE AT`. Every
 * operation that changes the disk counts, of our own code and of what it calls. The one that is met is left half done where it has
 * halves: a file gets half its bytes, a folder loses one file of many. Says how many there were when it was not killed.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [work = '', plugins = '', source = '', at = '0'] = process.argv.slice(2);
let count = 0;

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
};
const HALF: Readonly<Record<string, (args: readonly unknown[]) => void>> = {
  writeFileSync: ([path, text]) => {
    const bytes = Buffer.from(text as string);
    if (typeof path === 'string') fs.appendFileSync(path, bytes.subarray(0, bytes.length / 2));
  },
  rmSync: ([path]) => {
    const files =
      fs.statSync(String(path), { throwIfNoEntry: false })?.isDirectory() === true
        ? fs.readdirSync(String(path), { recursive: true, withFileTypes: true })
        : [];
    const [first] = files.filter((file) => file.isFile());
    if (first !== undefined) fs.unlinkSync(join(first.parentPath, first.name));
  },
};
for (const name of ['writeFileSync', 'renameSync', 'rmSync', 'mkdirSync', 'chmodSync', 'openSync'] as const) {
  const real = fs[name] as (...args: readonly unknown[]) => unknown;
  const counted = (...args: readonly unknown[]): unknown => {
    if (name === 'openSync' && args[1] === 'r') return real(...args);
    count += 1;
    if (count === Number(at)) {
      HALF[name]?.(args);
      die();
    }
    return real(...args);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();

const { installPlugin, removePlugin, updatePlugin } = await import('../../../src/plugins/install/install-plugin.ts');
const { repairFolders } = await import('../../../src/plugins/install/staging.ts');
const options = { plugins, cwd: '/', env: {} };
if (work === 'install') await installPlugin(source, options);
else if (work === 'update') await updatePlugin('small', 'small', source, options);
else if (work === 'repair') await repairFolders(plugins);
else await removePlugin('small', plugins);
console.log(count);

import { constants, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { resolveHome } from './home.ts';
import { version } from './version.ts';

/**
 * Lets Node keep compiled code between runs: beside the bundle, or in the home when the package is not ours to write to.
 * Never in the shared temporary folder, which is Node's own choice: another user could leave code there for us to run.
 */
export function keepCompiledCode(): void {
  const beside = version === 'development' ? join('..', '..', 'node_modules', '.cache', 'hermes') : 'cache';
  const { status } = enableCompileCache(join(import.meta.dirname, beside));
  if (status === constants.compileCacheStatus.FAILED) enableCompileCache(join(resolveHome(process.env).root, 'cache', 'compiled'));
}

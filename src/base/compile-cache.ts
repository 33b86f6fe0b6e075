import { constants, enableCompileCache } from 'node:module';
import { basename, join } from 'node:path';
import { resolveHome } from './home.ts';

/**
 * Lets Node keep compiled code between runs: in the package, for each build apart and never inside one, or in the home when the
 * package is not ours to write to. Never in the shared temporary folder, which is Node's own choice: another user could leave code
 * there for us to run.
 */
export function keepCompiledCode(): void {
  const here = import.meta.dirname;
  const { status } = enableCompileCache(join(here, '..', '..', '.cache', 'compiled', basename(here)));
  if (status === constants.compileCacheStatus.FAILED) enableCompileCache(join(resolveHome(process.env).root, 'cache', 'compiled'));
}

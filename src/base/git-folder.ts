import { dirname, join, resolve } from 'node:path';

interface GitFolders {
  readonly own: string;
  /** The one the settings are in: that of the first worktree. */
  readonly common: string;
}

/** The folders git keeps its things in, found as git finds them from below: a worktree and a submodule point there by a file. */
export function findGitFolders(
  start: string,
  text: (path: string) => string | undefined,
  isThere: (path: string) => boolean = () => true,
): GitFolders | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const dot = join(folder, '.git');
    if (!isThere(dot)) {
      if (dirname(folder) === folder) return undefined;
      continue;
    }
    const pointed = /^gitdir:\s*(.+)$/m.exec(text(dot) ?? '')?.[1];
    const own = pointed === undefined ? dot : resolve(folder, pointed.trim());
    const common = text(join(own, 'commondir'))?.trim() ?? '';
    if (pointed !== undefined || text(join(own, 'config')) !== undefined) return { own, common: resolve(own, common) };
    if (dirname(folder) === folder) return undefined;
  }
}

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTemporaryFolder, type TemporaryFolder } from '../shell/temporary-folder.ts';

/** An empty repository that finds objects in the folders of others. */
export function createBorrower(length: number, objects: readonly string[]): TemporaryFolder {
  const borrower = openTemporaryFolder(realpathSync(tmpdir()), 'hermes-push-');
  const folder = borrower.path;
  for (const name of ['refs', 'objects/info']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  const format = length === 64 ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  writeFileSync(join(folder, 'config'), `[core]\n\trepositoryformatversion = ${format === '' ? 0 : 1}\n\tbare = true\n${format}`);
  const lines = objects.filter((path) => !path.includes('\n')).map((path) => `${path}\n`);
  writeFileSync(join(folder, 'objects/info/alternates'), lines.join(''));
  return borrower;
}

/** For git in such a repository: without a terminal, a home or a protocol there is nothing it could run. */
export const createBorrowerEnvironment = (folder: string, path: string): Readonly<Record<string, string>> => ({
  PATH: path,
  HOME: folder,
  GIT_DIR: folder,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  LC_ALL: 'C',
});

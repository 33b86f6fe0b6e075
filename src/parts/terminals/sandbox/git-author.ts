import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';

/**
 * Commits of work that nobody watches carry the owner's name. The owner's git settings stay hidden, so a home of the sandbox's own
 * gets a file with nothing of them but `user.name` and `user.email`; those of a repository still win.
 */
export function writeGitAuthor(from: { readonly home: string; readonly config?: string | undefined }, home: string): void {
  const lines = ['name', 'email'].flatMap((name) => {
    const value = readOwnerSettings(from).findLast(({ key }) => key === `user.${name}`)?.value;
    return value === undefined || value === '' ? [] : [`\t${name} = ${quote(value)}`];
  });
  if (lines.length > 0) writeFileSync(join(home, '.gitconfig'), `[user]\n${lines.join('\n')}\n`, { mode: 0o600 });
}

const quote = (value: string): string => `"${value.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function readOwnerSettings({ home, config = join(home, '.config') }: Parameters<typeof writeGitAuthor>[0]): readonly GitConfigEntry[] {
  const files = [join(config, 'git', 'config'), join(home, '.gitconfig')];
  return files.flatMap((file) =>
    readSettings(file).flatMap((entry) =>
      // As git does, a file that is included stands where it is named.
      entry.key === 'include.path' ? readSettings(resolve(dirname(file), (entry.value ?? '').replace(/^~(?=\/)/, home))) : [entry],
    ),
  );
}

function readSettings(path: string): readonly GitConfigEntry[] {
  try {
    return parseGitConfig(readFileSync(path, 'utf8')) ?? [];
  } catch {
    return [];
  }
}

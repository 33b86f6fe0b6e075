import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { readIfThere } from '../../../base/peek.ts';

/**
 * Commits of work that nobody watches carry the owner's name. The owner's git settings stay hidden, so a home of the sandbox's own
 * gets a file with nothing of them but `user.name` and `user.email`; those of a repository still win.
 */
export function readGitAuthor(from: GitHome): GitAuthor {
  const settings = readOwnerSettings(from);
  const find = (name: string): string => settings.findLast(({ key }) => key === `user.${name}`)?.value ?? '';
  return { name: find('name'), email: find('email') };
}
interface GitHome {
  readonly home: string;
  readonly config?: string | undefined;
}
type GitAuthor = Readonly<Record<'name' | 'email', string>>;
/** Who commits where others than the owner ask for it: they need not learn the owner's name and address. */
export const AGENT: GitAuthor = { name: 'Hermes', email: 'hermes@localhost' };

export function writeGitAuthor(author: GitAuthor, home: string): void {
  const lines = Object.entries(author).flatMap(([name, value]) => (value === '' ? [] : [`\t${name} = ${quote(value)}`]));
  if (lines.length > 0) writeFileSync(join(home, '.gitconfig'), `[user]\n${lines.join('\n')}\n`, { mode: 0o600 });
}

const quote = (value: string): string => `"${value.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`;

function readOwnerSettings({ home, config = join(home, '.config') }: GitHome): readonly GitConfigEntry[] {
  const files = [join(config, 'git', 'config'), join(home, '.gitconfig')];
  return files.flatMap((file) =>
    readSettings(file).flatMap((entry) =>
      // As git does, a file that is included stands where it is named.
      entry.key === 'include.path' ? readSettings(resolve(dirname(file), (entry.value ?? '').replace(/^~(?=\/)/, home))) : [entry],
    ),
  );
}

const readSettings = (path: string): readonly GitConfigEntry[] => parseGitConfig(readIfThere(path)) ?? [];

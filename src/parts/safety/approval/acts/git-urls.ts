import { dirname, join, resolve } from 'node:path';
import { parseGitConfig, type GitConfigEntry } from '../../../../base/git-config.ts';
import { findGitFolders } from '../../../../base/git-folder.ts';
import type { ProgramSettings } from '../../../../contracts/safety.ts';

/** Where `git push REMOTE` goes from a folder, as its settings say; nothing when they do not, or cannot be read as git reads them. */
export function findPushUrl(folder: string, remote: string, settings: ProgramSettings): string | undefined {
  const entries = readSettings(folder, settings);
  if (entries === undefined) return undefined;
  const of = (name: string) =>
    entries.flatMap(({ key, value = '' }) => (key === `remote.${remote}.${name}` && value !== '' ? [value] : []));
  const pushed = of('pushurl');
  const plain = pushed.length > 0 ? pushed.map((url) => rewrite(url, entries, ['insteadof'])) : undefined;
  const urls = plain ?? (isUrl(remote) ? [remote] : of('url')).map((url) => rewrite(url, entries, ['pushinsteadof', 'insteadof']));
  return urls.length === 0 ? undefined : urls.map(withoutUser).join(',');
}

/** Every place the remotes of a folder stand for. */
export function listRemoteUrls(folder: string, settings: ProgramSettings): string | undefined {
  const entries = readSettings(folder, settings);
  const urls = (entries ?? []).flatMap(({ section, name, value = '' }) =>
    section === 'remote' && (name === 'url' || name === 'gh-resolved') && value !== ''
      ? [withoutUser(rewrite(value, entries ?? [], ['insteadof']))]
      : [],
  );
  return urls.length === 0 ? undefined : [...new Set(urls)].toSorted().join(',');
}

const isUrl = (remote: string): boolean => /[:/]/.test(remote);
/** A name or a password in an address is nothing to show. */
const withoutUser = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');

/** The longest beginning of the first kind that fits wins. */
function rewrite(url: string, entries: readonly GitConfigEntry[], kinds: readonly string[]): string {
  for (const kind of kinds) {
    const [best] = entries
      .flatMap(({ section, name, subsection = '', value = '' }) =>
        section === 'url' && name === kind && value !== '' && url.startsWith(value) ? [{ subsection, value }] : [],
      )
      .toSorted((one, other) => other.value.length - one.value.length);
    if (best !== undefined) return best.subsection + url.slice(best.value.length);
  }
  return url;
}

/** All settings that hold for a repository, in git's order; those another file is included by count whatever their condition. */
function readSettings(folder: string, settings: ProgramSettings): readonly GitConfigEntry[] | undefined {
  const { text, variable, home } = settings;
  const git = findGitFolders(folder, text);
  if (git === undefined) return undefined;
  const files = [
    '/etc/gitconfig',
    join(variable('XDG_CONFIG_HOME') ?? join(home, '.config'), 'git/config'),
    join(home, '.gitconfig'),
    join(git.common, 'config'),
    join(git.own, 'config.worktree'),
  ];
  const read = files.map((path) => readFile(path, settings, 0));
  return read.every((each) => each !== undefined) ? read.flat() : undefined;
}

const MAX_INCLUDES = 3;
function readFile(path: string, settings: ProgramSettings, depth: number): readonly GitConfigEntry[] | undefined {
  const entries = parseGitConfig(settings.text(path) ?? '');
  if (entries === undefined || depth > MAX_INCLUDES) return undefined;
  const read = entries.map((entry) => {
    if (!/^include(?:if)?$/.test(entry.section) || entry.name !== 'path') return [entry];
    return readFile(resolve(dirname(path), (entry.value ?? '').replace(/^~(?=\/)/, settings.home)), settings, depth + 1);
  });
  return read.every((each) => each !== undefined) ? read.flat() : undefined;
}

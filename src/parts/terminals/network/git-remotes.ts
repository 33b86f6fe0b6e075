import { resolve } from 'node:path';
import type { GitConfigEntry } from '../../../base/git-config.ts';

/** A place git talks to. */
export type GitRemote =
  | { readonly type: 'web'; readonly host: string; readonly port: number }
  /** A folder of this machine, as a path from the root. */
  | { readonly type: 'folder'; readonly path: string }
  /** `target` is the word for ssh: `git@example.org`. `path` is what git asks for there. */
  | { readonly type: 'ssh'; readonly target: string; readonly host: string; readonly port: number | undefined; readonly path: string };

/** The remotes of a repository, as git would reach them: rewritten by the owner's `insteadOf`. Paths begin in its folder. */
export function listGitRemotes(
  repository: readonly GitConfigEntry[],
  global: readonly GitConfigEntry[],
  folder = '/',
): readonly GitRemote[] {
  const urls = repository.filter(({ section, name }) => section === 'remote' && (name === 'url' || name === 'pushurl'));
  const rules = [...global, ...repository].filter(({ section }) => section === 'url');
  return urls
    .flatMap(({ value = '', name }) => [value, ...rewrite(value, name === 'pushurl', rules)])
    .flatMap((url) => parseRemote(url, folder) ?? []);
}

/** The longest beginning that fits wins; one for pushes is tried besides. */
function rewrite(url: string, isPush: boolean, rules: readonly GitConfigEntry[]): string[] {
  return ['insteadof', ...(isPush ? [] : ['pushinsteadof'])].flatMap((name) => {
    const [best] = rules
      .flatMap(({ name: own, subsection = '', value = '' }) =>
        own === name && value !== '' && url.startsWith(value) ? { subsection, value } : [],
      )
      .toSorted((one, other) => other.value.length - one.value.length);
    return best === undefined ? [] : [best.subsection + url.slice(best.value.length)];
  });
}

const WEB_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

export function parseRemote(text: string, folder = '/'): GitRemote | undefined {
  const url = /^[a-z+]+:\/\//i.test(text) ? URL.parse(text) : null;
  const web = WEB_PORTS[url?.protocol ?? ''];
  if (url !== null && web !== undefined) return { type: 'web', host: url.hostname, port: url.port === '' ? web : Number(url.port) };
  if (url?.protocol === 'file:') return { type: 'folder', path: resolve(text.slice('file://'.length)) };
  if (url !== null) return /^(?:ssh|git\+ssh|ssh\+git):$/.test(url.protocol) ? parseSshUrl(text) : undefined;
  // host:path, unless a slash comes before the colon: then it is a folder. So it is without any.
  if (/^[^:]*(?:\/|$)/.test(text)) return text === '' ? undefined : { type: 'folder', path: resolve(folder, text) };
  const [, target = '', path = ''] = /^((?:[^@/:\s]+@)?(?:\[[^\]]+\]|[^@/:\s]+)):(?!\/\/)(.+)$/.exec(text) ?? [];
  return toSshRemote(target, undefined, path);
}

/** As git reads it: the path keeps its first slash, but for one that begins in somebody's home. */
function parseSshUrl(text: string): GitRemote | undefined {
  const [, target = '', port, path = ''] = /^[a-z+]+:\/\/((?:[^@/:]+@)?(?:\[[^\]]+\]|[^@/:]+))(?::(\d*))?(\/.*)$/i.exec(text) ?? [];
  const meant = decodeURIComponentSafely(path);
  return toSshRemote(target, port === undefined || port === '' ? undefined : Number(port), meant.startsWith('/~') ? meant.slice(1) : meant);
}
function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toSshRemote(target: string, port: number | undefined, path: string): GitRemote | undefined {
  const bare = target.replace(/\[([^\]]+)\]$/, '$1');
  if (bare === '' || bare.startsWith('-') || path === '' || /[\0\n]/.test(path)) return undefined;
  return { type: 'ssh', target: bare, host: bare.replace(/^.*@/, '').toLowerCase(), port, path };
}

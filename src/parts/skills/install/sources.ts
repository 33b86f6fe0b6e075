import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { SKILL_FILE } from '../catalog/discover.ts';

/** Where skills are installed from. */
export type SkillSource =
  | { readonly kind: 'folder' | 'file'; readonly path: string }
  /** The first address that has something is taken. */
  | { readonly kind: 'url'; readonly urls: readonly string[] };
export type SkillSourceResult = { readonly ok: true; readonly source: SkillSource } | { readonly ok: false; readonly words: string };

const GITHUB_RAW = 'https://raw.githubusercontent.com';
const PART = '[A-Za-z0-9_][A-Za-z0-9_.-]*';
const REPOSITORY = new RegExp(`^(${PART})/(${PART})((?:/${PART})*)/?$`);
const GITHUB_PAGE = new RegExp(`^https://github\\.com/(${PART})/(${PART})(?:/(?:blob|tree)/(${PART})((?:/${PART})*))?/?$`);

export interface SourceOptions {
  readonly cwd: string;
  /** Where raw files of GitHub repositories are; tests have their own. */
  readonly githubRaw?: string | undefined;
}

/** What is there on this machine wins over what a name could mean elsewhere. */
export function resolveSkillSource(given: string, { cwd, githubRaw = GITHUB_RAW }: SourceOptions): SkillSourceResult {
  const text = given.trim();
  if (text === '') return refused('No source was given: a folder or SKILL.md, an http(s) address, or owner/repo[/path] on GitHub.');
  const page = GITHUB_PAGE.exec(text);
  if (page !== null) return repository(githubRaw, page[1], page[2], page[3] ?? 'HEAD', page[4] ?? '');
  if (/^https?:\/\//i.test(text)) return address(text);
  const local = localSource(
    resolve(
      cwd,
      text.replace(/^~(?=\/|$)/, () => homedir()),
    ),
  );
  if (local !== undefined) return { ok: true, source: local };
  const match = REPOSITORY.exec(text);
  if (match !== null) return repository(githubRaw, match[1], match[2], 'HEAD', match[3] ?? '');
  return refused(`${JSON.stringify(text)} is not a file or folder on this machine, an http(s) address, or owner/repo[/path].`);
}

function localSource(path: string): SkillSource | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return { kind: 'folder', path };
  return found?.isFile() === true ? { kind: 'file', path } : undefined;
}

function address(text: string): SkillSourceResult {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return refused('That is no address a skill can be fetched from.');
  url.hash = '';
  if (url.pathname.endsWith('.md')) return { ok: true, source: { kind: 'url', urls: [url.href] } };
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${SKILL_FILE}`;
  return { ok: true, source: { kind: 'url', urls: [url.href] } };
}

/** The page itself, the folder of that name, or the usual `skills/` folder of a collection. */
function repository(raw: string, owner = '', repo = '', ref: string, inner: string): SkillSourceResult {
  const root = `${raw.replace(/\/+$/, '')}/${owner}/${repo.replace(/\.git$/, '')}/${ref}`;
  if (inner.split('/').includes('..')) return refused('A path in a repository must not climb with .. .');
  const path = inner.replace(/\/+$/, '');
  const urls = path.endsWith('.md')
    ? [`${root}${path}`]
    : [`${root}${path}/${SKILL_FILE}`, ...(path === '' ? [] : [`${root}/skills${path}/${SKILL_FILE}`])];
  return { ok: true, source: { kind: 'url', urls } };
}

const refused = (words: string): SkillSourceResult => ({ ok: false, words });

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OwnerHosts } from './owner-hosts.ts';
import type { GitObject, ReceivedPack } from './received-pack.ts';

export interface PushConcernOptions {
  /** Files to be ignored, as the repository said when the session began: a command may have changed them since. */
  readonly rules: string;
  /** Where git inside says its objects are, on this machine. */
  readonly objects?: string;
  holdsSecret(text: string): boolean;
}

/** Files by which a forge runs something for everybody. Adding one is a word here. */
const CI_FILES =
  /^(?:\.(?:github|forgejo|gitea)\/(?:workflows|actions)\/.+|\.gitlab-ci\.ya?ml|\.gitlab\/ci\/.+|\.(?:circleci|buildkite|woodpecker|semaphore|teamcity|tekton)\/.+|\.(?:travis|drone|woodpecker|cirrus|appveyor)\.ya?ml|appveyor\.yml|bitbucket-pipelines\.ya?ml|(?:.+\/)?azure-pipelines[\w.-]*\.ya?ml|\.(?:azure-pipelines|pipelines|azuredevops|builds|harness)\/.+|\.build\.ya?ml|(?:codemagic|bitrise|wercker)\.ya?ml|cloudbuild\.ya?ml|buildspec\.ya?ml|(?:.+\/)?jenkinsfile|\.github\/dependabot\.ya?ml)$/i;
/** Names under which people keep secrets; examples of such files hold none. */
const SECRET_FILES =
  /^(?:\.env(?:\.(?!example|sample|template|dist|defaults?)[\w.-]+)?|\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx|jks|keystore|kdbx|ppk))$/i;

/** Text that is searched for known secrets: of one file, and of a push. */
const MAX_TEXT = 8 * 1024 * 1024;
const MAX_ALL_TEXT = 64 * 1024 * 1024;
/** Files of changed folders that are looked at. */
const MAX_PATHS = 50_000;

/** What a repository wants ignored: the owner's rules for all of them, the file at its top, and the one that is in no commit. */
export function readIgnoreRules({ objects, excludes = [] }: Pick<OwnerHosts, 'objects' | 'excludes'>): string {
  const git = objects === undefined ? undefined : dirname(objects);
  return git === undefined ? '' : [...excludes, join(git, 'info/exclude'), join(dirname(git), '.gitignore')].map(readText).join('\n');
}

/** Rules of folders as they were before the push, which may have taken them away, as lines of a file at the top. */
async function readEarlierRules(paths: readonly string[], { before, pack }: EarlierFiles): Promise<readonly string[]> {
  const folders = new Set(paths.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))));
  folders.delete('');
  const lines: string[] = [];
  for (const folder of [...folders].toSorted().slice(0, MAX_RULES))
    for (const name of await before(`${folder}/.gitignore`)) {
      const rules = (await pack.readOther(name))?.content.toString() ?? '';
      lines.push(...rules.split('\n').flatMap((rule) => moveRule(rule, folder)));
    }
  return lines;
}
const MAX_RULES = 2_000;

/** A rule counts below its own folder, and with a slash before its end only there. */
function moveRule(line: string, folder: string): readonly string[] {
  const [, not = '', rule = ''] = /^(!?)(.*)$/.exec(line.trimEnd()) ?? [];
  if (rule === '' || line.startsWith('#')) return [];
  const at = folder.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);
  return [`${not}/${at}/${/\/./.test(rule) ? rule.replace(/^\//, '') : `**/${rule}`}`];
}

/** What of a push people seldom mean to publish, as parts of a sentence: "the ignored file .env". */
export async function findPushConcerns(
  pack: ReceivedPack,
  { rules, objects, holdsSecret }: PushConcernOptions,
): Promise<readonly string[]> {
  if (pack.objects === undefined) return ['commits that could not be read'];
  const contents = await readContents(pack, holdsSecret);
  const { before } = contents;
  const paths = [...contents.files.keys()];
  const worktree = objects !== undefined && basename(dirname(objects)) === '.git' ? dirname(dirname(objects)) : undefined;
  const all = [rules, ...(await readEarlierRules(paths, { before, pack }))].join('\n');
  const ignored = paths.length === 0 ? new Set<string>() : await pack.listIgnored(paths, all, worktree);
  const found: string[] = contents.isWhole ? [] : ['more files than could be searched for secrets'];
  for (const [path, names] of contents.files) {
    const holds = [...names].some((name) => contents.secrets.has(name));
    const what = holds
      ? SECRET
      : SECRET_FILES.test(basename(path))
        ? KEPT
        : CI_FILES.test(path)
          ? CI
          : ignored.has(path)
            ? IGNORED
            : undefined;
    if (what === undefined) continue;
    const earlier = await before(path);
    // A file that is published and ignored all the same is no news, whatever becomes of it.
    if (what === IGNORED ? earlier.length === 0 : [...names].some((name) => !earlier.includes(name))) found.push(`${what} ${path}`);
  }
  const named = new Set([...contents.files.values()].flatMap((names) => [...names]));
  if ([...contents.secrets].some((name) => !named.has(name))) found.push('a known secret in the text of a commit');
  if (contents.hasLooseFile) found.push('a file that is in no commit');
  return found;
}
const [SECRET, KEPT, CI, IGNORED] = ['a known secret in', 'the secret file', 'the CI file', 'the ignored file'];

interface PackContents {
  /** Files of all folders that are new, by their paths, each with the objects it is in the commits. */
  readonly files: ReadonlyMap<string, ReadonlySet<string>>;
  /** What lay at a path in the commits before those in the pack. */
  before(path: string): Promise<readonly string[]>;
  /** A tag can lead to a file by itself. */
  readonly hasLooseFile: boolean;
  /** Objects that hold a known secret. */
  readonly secrets: ReadonlySet<string>;
  readonly isWhole: boolean;
}
async function readContents(pack: ReceivedPack, holdsSecret: (text: string) => boolean): Promise<PackContents> {
  const objects = [...(pack.objects ?? [])];
  const secrets = new Set<string>();
  const trees = new Map<string, readonly TreeEntry[]>();
  const [roots, parents]: [Set<string>, Set<string>] = [new Set(), new Set()];
  let room = MAX_ALL_TEXT;
  const isRead = ([, { type, size }]: (typeof objects)[number]): boolean => {
    if (type !== 'blob') return true;
    room -= size;
    return size <= MAX_TEXT && room > 0;
  };
  const read = objects.filter(isRead).map(([name]) => name);
  for await (const object of pack.read(read)) {
    if (object.type === 'tree') trees.set(object.name, parseTree(object));
    else if (!object.content.subarray(0, PROBE).includes(0) && holdsSecret(object.content.toString())) secrets.add(object.name);
    if (object.type !== 'commit') continue;
    const [head = ''] = object.content.toString('latin1').split('\n\n', 1);
    for (const [, kind, name = ''] of head.matchAll(/^(tree|parent) ([\da-f]+)$/gm)) (kind === 'tree' ? roots : parents).add(name);
  }
  const before = createEarlierFiles(
    [...parents].filter((name) => pack.objects?.has(name) !== true),
    pack,
  );
  const held = new Set([...trees.values()].flatMap((entries) => entries.map(({ object }) => object)));
  // A tag can lead to a folder as well.
  for (const tree of trees.keys()) if (!held.has(tree)) roots.add(tree);
  const { files, isWhole } = await listFiles(roots, trees, { before, pack });
  const hasLooseFile = objects.some(([name, { type }]) => type === 'blob' && !held.has(name));
  return { files, before, secrets, hasLooseFile, isWhole: isWhole && room > 0 };
}
const PROBE = 8_000;

interface TreeEntry {
  readonly name: string;
  readonly object: string;
  readonly isFolder: boolean;
}
const SUBMODULE = '160000';
/** `MODE NAME`, a zero and the object, again and again. */
function parseTree({ name: own, content }: GitObject): readonly TreeEntry[] {
  const found: TreeEntry[] = [];
  const size = own.length / 2;
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at);
    const [mode = '', ...words] = content.toString('utf8', at, end).split(' ');
    at = end + 1 + size;
    if (end < 0) return found;
    if (mode !== SUBMODULE)
      found.push({ name: words.join(' '), object: content.toString('hex', end + 1, at), isFolder: mode === '40000' || mode === '040000' });
  }
  return found;
}

interface EarlierFiles {
  readonly pack: ReceivedPack;
  before(path: string): Promise<readonly string[]>;
}
/** A folder that is not in the pack is at the remote, though perhaps elsewhere: as one of templates that becomes one of CI. */
async function listFiles(roots: ReadonlySet<string>, trees: ReadonlyMap<string, readonly TreeEntry[]>, { before, pack }: EarlierFiles) {
  const files = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const open = [...roots].map((tree) => ({ tree, path: '' }));
  let isWhole = true;
  const readMoved = async (tree: string, path: string): Promise<readonly TreeEntry[]> => {
    if ((await before(path)).includes(tree)) return [];
    const found = await pack.readOther(tree);
    isWhole &&= found?.type === 'tree';
    return found?.type === 'tree' ? parseTree(found) : [];
  };
  for (let next = open.pop(); next !== undefined && files.size < MAX_PATHS; next = open.pop()) {
    const { tree, path } = next;
    if (seen.has(`${tree} ${path}`)) continue;
    seen.add(`${tree} ${path}`);
    for (const { name, object, isFolder } of trees.get(tree) ?? (await readMoved(tree, path.slice(0, -1)))) {
      if (isFolder) open.push({ tree: object, path: `${path}${name}/` });
      else files.set(path + name, (files.get(path + name) ?? new Set()).add(object));
    }
  }
  return { files, isWhole: isWhole && open.length === 0 };
}

/** What a file was in the commits before those of the pack. */
function createEarlierFiles(parents: readonly string[], pack: ReceivedPack): (path: string) => Promise<readonly string[]> {
  const known = new Map<string, Promise<GitObject | undefined>>();
  const read = (name: string): Promise<GitObject | undefined> => {
    const found = known.get(name) ?? pack.readOther(name);
    known.set(name, found);
    return found;
  };
  const find = async (commit: string, path: string): Promise<readonly string[]> => {
    let name = /^tree ([\da-f]+)$/m.exec((await read(commit))?.content.toString('latin1') ?? '')?.[1];
    for (const part of path.split('/')) {
      const tree = name === undefined ? undefined : await read(name);
      name = tree?.type === 'tree' ? parseTree(tree).find((entry) => entry.name === part)?.object : undefined;
    }
    return name === undefined ? [] : [name];
  };
  return async (path) => (await Promise.all(parents.map((commit) => find(commit, path)))).flat();
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

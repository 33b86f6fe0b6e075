import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { toErrorMessage, UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { isObject, parseJson } from '../../base/json.ts';
import {
  DEFAULT_PROFILE,
  describeUnknownProfile,
  isProfileName,
  listProfileNames,
  readActiveProfile,
  resolveProfileRoot,
  toActiveProfilePath,
  toProfileHome,
  toProfileName,
} from '../../base/profile.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { CreatedProfile, CreateProfileOptions, ProfileRow, ProfileService, ProfileView } from '../../contracts/services/profiles.ts';
import { packProfile, unpackProfile } from './archive.ts';
import type { CleanedText, ProfileDeps } from './deps.ts';
import { HOME_ITEMS, withoutChannelVariables } from './contents.ts';

/** Facts about a profile that stand beside its settings. */
const FACTS_FILE = 'profile.json';
const STORE_FILE = 'sessions.db';

export function createProfiles(deps: ProfileDeps): ProfileService {
  const root = resolveProfileRoot(deps.home);
  const current = toProfileName(deps.home);
  const homeOf = (name: string): string => {
    if (!listProfileNames(root).includes(name)) throw new UsageError(describeUnknownProfile(name, root));
    return toProfileHome(root, name);
  };
  const rowOf = async (name: string): Promise<ProfileRow> => {
    const home = homeOf(name);
    const { description } = readFacts(home);
    const { model } = await deps.readModel(join(home, 'config.yaml'));
    return {
      name,
      home,
      active: readActiveProfile(root) === name,
      current: name === current,
      ...(description !== undefined && { description }),
      ...(model !== undefined && { model }),
    };
  };
  /** Makes the home in one step: it is there whole or not at all. */
  async function make(name: string, fill: (folder: string) => Promise<Omit<CreatedProfile, 'profile'>>): Promise<CreatedProfile> {
    refuseTaken(name, root);
    const folder = join(root, 'profiles', `.new-${name}-${process.pid}`);
    makeFolder(folder);
    try {
      const done = await fill(folder);
      renameSync(folder, toProfileHome(root, name));
      return { profile: await rowOf(name), ...done };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return {
    current,
    list: () => Promise.all(listProfileNames(root).map(rowOf)),
    show: async (name) => viewOf(await rowOf(name), deps),
    create: (name, options) =>
      make(name, async (folder) => {
        const from = options.clone === undefined ? undefined : homeOf(options.from ?? current);
        writeFacts(folder, { createdAt: deps.now(), ...(options.description !== undefined && { description: options.description }) });
        return from === undefined ? { taken: [], left: [] } : copyHome(from, folder, options, deps);
      }),
    use: async (name) => {
      homeOf(name);
      if (name === DEFAULT_PROFILE) rmSync(toActiveProfilePath(root), { force: true });
      else replaceFile(toActiveProfilePath(root), `${name}\n`, 0o600);
      return rowOf(name);
    },
    rename: async (name, next) => {
      const home = await movable(name, homeOf(name), current, deps);
      refuseTaken(next, root);
      const active = readActiveProfile(root) === name;
      renameSync(home, toProfileHome(root, next));
      if (active) replaceFile(toActiveProfilePath(root), `${next}\n`, 0o600);
      return rowOf(next);
    },
    remove: async (name) => {
      const home = await movable(name, homeOf(name), current, deps);
      const trash = join(root, 'trash', 'profiles', `${name}-${new Date(deps.now()).toISOString().replace(/[:.]/g, '-')}`);
      makeFolder(join(root, 'trash', 'profiles'));
      if (readActiveProfile(root) === name) rmSync(toActiveProfilePath(root), { force: true });
      renameSync(home, trash);
      return { name, trash };
    },
    exportTo: async (name, file, options) => ({ name, file, ...(await packProfile(homeOf(name), file, { name, ...options }, deps)) }),
    importFrom: async (file, wanted) => {
      const name = wanted ?? toImportName(file);
      return make(name, (folder) => unpackProfile(file, folder));
    },
  };
}

function refuseTaken(name: string, root: string): void {
  if (name === DEFAULT_PROFILE) throw new UsageError('the default profile is always there; choose another name.');
  if (!isProfileName(name)) throw new UsageError(describeUnknownProfile(name, root));
  if (existsSync(toProfileHome(root, name)))
    throw new UsageError(`there is a profile ${name} already. Choose another name, or delete it first: hermes profile delete ${name}`);
}

/** The root itself cannot be moved away, nor a profile that a program works in, this one or another. */
async function movable(name: string, home: string, current: string, { findUser }: Pick<ProfileDeps, 'findUser'>): Promise<string> {
  if (name === DEFAULT_PROFILE) throw new UsageError('the default profile cannot be renamed or deleted; its folder holds all the others.');
  if (name === current)
    throw new UsageError(`this command runs in the profile ${name}. Run it in another one: hermes -p default profile …`);
  const user = await findUser(home);
  if (user !== undefined)
    throw new UsageError(`${user.who} works in the profile ${name}. Stop it first: ${user.stop.replace(/^hermes /, `hermes -p ${name} `)}`);
  return home;
}

/** A name for a file: `work-2026.tar.gz` is `work-2026`. */
const toImportName = (file: string): string =>
  basename(file)
    .replace(/\.(?:tar\.gz|tgz)$/i, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '');

async function copyHome(
  from: string,
  to: string,
  { clone }: Pick<CreateProfileOptions, 'clone'>,
  deps: ProfileDeps,
): Promise<Omit<CreatedProfile, 'profile'>> {
  const [taken, left]: [string[], string[]] = [[], []];
  for (const { name, clone: wish } of HOME_ITEMS) {
    const path = join(from, name);
    if (wish === undefined || (wish === 'all' && clone !== 'all') || lstatSync(path, { throwIfNoEntry: false }) === undefined) continue;
    const { removed } = await copyItem(name, path, join(to, name), deps);
    left.push(...removed);
    taken.push(name);
  }
  if (clone === 'all' && (await deps.copyStore(from, join(to, STORE_FILE)))) taken.push('sessions');
  return { taken, left };
}

/** Files that hold channels lose them on the way; folders are copied with what their links lead to. */
async function copyItem(name: string, from: string, to: string, deps: ProfileDeps): Promise<Pick<CleanedText, 'removed'>> {
  const text = statSync(from).isFile() ? readFileSync(from, 'utf8') : '';
  const cleaned =
    name === 'config.yaml'
      ? await deps.cleanSettings(text, { secrets: true })
      : name === '.env'
        ? withoutChannelVariables(text)
        : undefined;
  if (cleaned === undefined) cpSync(from, to, { recursive: true, dereference: true, mode: 0 });
  else writeFileSync(to, cleaned.text, { mode: 0o600 });
  return { removed: cleaned?.removed ?? [] };
}

interface ProfileFacts {
  readonly description?: string;
  readonly createdAt?: number;
}
const writeFacts = (home: string, facts: ProfileFacts): void =>
  writeFileSync(join(home, FACTS_FILE), `${JSON.stringify(facts, undefined, 2)}\n`, { mode: 0o600 });

function readFacts(home: string): ProfileFacts {
  try {
    const found = parseJson(readFileSync(join(home, FACTS_FILE), 'utf8'));
    if (!isObject(found)) return {};
    const { description, createdAt } = found;
    return { ...(typeof description === 'string' && { description }), ...(typeof createdAt === 'number' && { createdAt }) };
  } catch {
    return {};
  }
}

async function viewOf(row: ProfileRow, deps: ProfileDeps): Promise<ProfileView> {
  const { provider } = await deps.readModel(join(row.home, 'config.yaml'));
  const { createdAt } = readFacts(row.home);
  return {
    ...row,
    ...(provider !== undefined && { provider }),
    ...(createdAt !== undefined && { createdAt }),
    hasKeys: existsSync(join(row.home, '.env')),
    hasSoul: existsSync(join(row.home, 'SOUL.md')),
    skills: countSkills(join(row.home, 'skills')),
    hasSessions: existsSync(join(row.home, STORE_FILE)),
  };
}

function countSkills(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true }).filter((path) => basename(String(path)) === 'SKILL.md').length;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw new UsageError(`the skills in ${folder} could not be read: ${toErrorMessage(error)}`);
  }
}

import { graftConfigEntries, groupConfigEntries, parseGitConfig, type GitConfigEntry } from '../../../base/git-config.ts';
import { isHarmlessName, isHarmlessSetting, type GitConfigScope } from '../../../base/harmless-git-settings.ts';

/** What became of a config file: whether all of it may stay, or which keys are held and what is left without them. */
export interface ConfigChange {
  /** Keys whose values were changed and that could run or redirect something; empty when the file may stay as it is. */
  readonly held: ReadonlySet<string>;
  /** The file with the held keys as they were, and everything else as it is. Absent when the file goes as a whole. */
  readonly text?: string;
  readonly preview: readonly string[];
}

/** Compares a config file before and after a command, key by key. An absent file is an empty one. */
export function compareConfigs(before: string, after: string, scope: GitConfigScope): ConfigChange {
  const [old, now] = [parseGitConfig(before), parseGitConfig(after)];
  if (now === undefined) return { held: new Set(['*']), text: before, preview: ['+ (a config file that cannot be read)'] };
  const [was, is] = [groupConfigEntries(old ?? []), groupConfigEntries(now)];
  const known = new Set((old ?? []).flatMap(({ name, value }) => (/^(?:push)?url$/.test(name) ? [value] : [])));
  const held = withNewSections(
    new Set([...was.keys(), ...is.keys()].filter((key) => isHeld(was.get(key) ?? [], is.get(key) ?? [], { old: old ?? [], known, scope }))),
    old ?? [],
    now,
  );
  if (held.size === 0) return { held, preview: [] };
  const preview = [...held].flatMap((key) => [...linesOf('-', was.get(key)), ...linesOf('+', is.get(key))]);
  const isAllHeld = [...is].every(([key, settings]) => held.has(key) || isSame(settings, was.get(key) ?? []));
  const isNothingLost = [...was.keys()].every((key) => held.has(key) || is.has(key));
  // Nothing else has changed: then the file is what it was, to the byte.
  const text = isAllHeld && isNothingLost && old !== undefined ? before : graftConfigEntries(after, before, held);
  return { held, preview, text: text ?? before };
}

/** Half of a new remote is a broken one: of a named section that was not there, all goes with one key. */
function withNewSections(held: ReadonlySet<string>, old: readonly GitConfigEntry[], now: readonly GitConfigEntry[]): ReadonlySet<string> {
  const nameOf = ({ section, subsection }: GitConfigEntry) => (subsection === undefined ? undefined : `${section}.${subsection}`);
  const known = new Set(old.map(nameOf));
  const gone = new Set(now.flatMap((entry) => (held.has(entry.key) && !known.has(nameOf(entry)) ? [nameOf(entry)] : [])));
  gone.delete(undefined);
  return new Set([...held, ...now.flatMap((entry) => (gone.has(nameOf(entry)) ? [entry.key] : []))]);
}

/** A value that was there before may stay, and an address may be given to another remote: `git remote rename` does. */
const isHeld = (
  was: readonly GitConfigEntry[],
  is: readonly GitConfigEntry[],
  {
    old,
    known,
    scope,
  }: { readonly old: readonly GitConfigEntry[]; readonly known: ReadonlySet<string | undefined>; readonly scope: GitConfigScope },
): boolean => {
  const isFine = (setting: GitConfigEntry): boolean =>
    (isHarmlessSetting(setting, scope) && !leadsToNewHost(setting, known, scope) && !leadsPushesAway(setting, old, scope)) ||
    was.some(({ value }) => value === setting.value) ||
    (/^(?:push)?url$/.test(setting.name) && known.has(setting.value));
  return !isSame(was, is) && !(is.every(isFine) && was.every(isHarmlessName));
};

/** Where commits go that are pushed there is the owner's to say: a host that no remote had before is held. */
function leadsToNewHost(
  { name, value = '' }: GitConfigEntry,
  known: ReadonlySet<string | undefined>,
  { isNamedHost }: GitConfigScope,
): boolean {
  const host = /^(?:push)?(?:url|remote)$|^pushdefault$/.test(name) ? hostOf(value) : undefined;
  return host !== undefined && isNamedHost?.(host) === false && ![...known].some((url = '') => hostOf(url) === host);
}

/** A plain `git push` of the owner's would go to somebody else's repository, be it at the same host. Another remote has to be named. */
function leadsPushesAway(
  { section, subsection, name, value = '' }: GitConfigEntry,
  old: readonly GitConfigEntry[],
  { isOwnersRemote }: GitConfigScope,
): boolean {
  if (isOwnersRemote === undefined || hostOf(value) === undefined) return false;
  const urls = old.filter((each) => each.section === 'remote' && /^(?:push)?url$/.test(each.name));
  if (urls.some((each) => toRepository(each.value) === toRepository(value))) return false;
  if (/^(?:push)?remote$|^pushdefault$/.test(name)) return true;
  return section === 'remote' && /^(?:push)?url$/.test(name) && urls.some((each) => each.subsection === subsection && isOwnersRemote(each));
}
/** `git@example.org:a/b.git` is `https://example.org/a/b`. */
const toRepository = (url = ''): string =>
  url
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^/@]*@/, '')
    .replace(/^([^/:]+):(?:\d+\/)?/, '$1/')
    .replace(/(?:\.git)?\/*$/, '');

/** `https://me@Example.org:8443/x` and `git@example.org:x`; nothing for a folder or the name of a remote. */
const hostOf = (url: string): string | undefined =>
  (/^[a-z+]+:\/\/(?:[^/@]*@)?([^/]+)/i.exec(url) ?? /^(?:[^@/:]*@)?(\[[^\]]+\]|[^@/:]+):/.exec(url))?.[1]?.toLowerCase();

const isSame = (one: readonly GitConfigEntry[], other: readonly GitConfigEntry[]): boolean =>
  one.length === other.length && one.every(({ value }, at) => value === other[at]?.value);

const linesOf = (sign: string, settings: readonly GitConfigEntry[] = []): readonly string[] =>
  settings.map(({ key, value }) => `${sign} ${key} = ${value ?? 'true'}`);

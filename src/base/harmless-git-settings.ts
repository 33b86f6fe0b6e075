import { isAbsolute, resolve } from 'node:path';
import { isWithin } from './within.ts';
import type { GitConfigEntry } from './git-config.ts';

/** Where a config file counts. */
export interface GitConfigScope {
  /** Folder that relative work trees are meant from. */
  readonly gitFolder: string;
  /** Folders commands may write to. */
  readonly roots: readonly string[];
  /** The repository of the workspace itself: a remote that is a folder elsewhere would be opened for writing in a later session. */
  readonly isMain: boolean;
  /** Whether git may be told of a host that the repository did not name before. Absent for a repository that is new itself. */
  readonly isNamedHost?: (host: string) => boolean;
  /** Whether a remote was the owner's before. Absent where nothing is known of that. */
  readonly isOwnersRemote?: (setting: GitConfigEntry) => boolean;
}
type IsHarmlessValue = (value: string, scope: GitConfigScope) => boolean;

const any: IsHarmlessValue = () => true;
const isBoolean: IsHarmlessValue = (value) => /^(?:true|false|yes|no|on|off|0|1|)$/i.test(value);

/** A place git fetches from by itself: no helper program (`ext::…`), no option. A folder only where commands may write anyway. */
const isPlainUrl: IsHarmlessValue = (value, { gitFolder, roots, isMain }) => {
  if (value.startsWith('-') || value.includes('::') || /[\0\n]/.test(value)) return false;
  if (/^(?:https?|ssh|git|git\+ssh|ssh\+git|ftps?):\/\/[^-]/i.test(value)) return true;
  if (/^[^/:]+:(?!\/\/)/.test(value)) return !/^[^@/:]*@?-/.test(value);
  if (!isMain) return true;
  const path = value.replace(/^file:\/\//, '');
  return roots.some((root) => isWithin(root, isAbsolute(path) ? path : resolve(gitFolder, '..', path)));
};
/** The name of a remote may be an address as well. */
const isRemote: IsHarmlessValue = (value, scope) => /^[\w.][\w./-]*$/.test(value) || isPlainUrl(value, scope);
/** Submodules name their work tree. */
const isOwnTree: IsHarmlessValue = (value, { gitFolder, roots }) => roots.some((root) => isWithin(root, resolve(gitFolder, value)));

const rows = (value: IsHarmlessValue, text: string): readonly (readonly [string, IsHarmlessValue])[] =>
  text
    .trim()
    .split(/\s+/)
    .map((name) => [name, value] as const);

/**
 * Settings that run nothing and lead nowhere, in lower case; `*` is the part between. All others are held: which settings run
 * a program changes with every version of git.
 */
const HARMLESS: ReadonlyMap<string, IsHarmlessValue> = new Map([
  ...rows(
    any,
    `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks
     core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.compression core.loosecompression core.bigfilethreshold
     core.sparsecheckout core.sparsecheckoutcone core.untrackedcache core.preloadindex core.longpaths core.trustctime core.checkstat
     core.commentchar core.whitespace core.multipackindex core.commitgraph core.splitindex core.deltabasecachelimit core.packedgitlimit`,
  ),
  // The daemon of git itself; anything else is a program.
  ...rows(isBoolean, 'core.fsmonitor'),
  ...rows(isOwnTree, 'core.worktree'),
  ...rows(any, 'user.name user.email user.useconfigonly author.name author.email committer.name committer.email init.defaultbranch'),
  ...rows(isPlainUrl, 'remote.*.url remote.*.pushurl'),
  ...rows((value, scope) => isPlainUrl(value, { ...scope, isMain: false }), 'submodule.*.url'),
  ...rows(
    any,
    `remote.*.tagopt remote.*.prune remote.*.prunetags remote.*.skipdefaultupdate
     remote.*.skipfetchall remote.*.promisor remote.*.partialclonefilter remote.*.followremotehead remote.*.gh-resolved`,
  ),
  // What a plain `git fetch` then takes away: branches of the owner's that are ahead.
  ...rows((value, { isMain }) => !isMain || !/^\+.*:refs\/(?!remotes\/|tags\/|notes\/)/.test(value), 'remote.*.fetch'),
  // And any git command by its housekeeping: what was thrown away today.
  ...rows(
    (value) => /^(?:never|false|[1-9]\d*[. ](?:day|week|month|year)s?(?:[. ]ago)?)$/i.test(value),
    'gc.pruneexpire gc.reflogexpire gc.worktreepruneexpire',
  ),
  // Nothing that users of the machine besides those of a group may write to.
  ...rows((value) => /^(?:umask|group|true|false|yes|no|on|off|[012]|0?6[46]0)$/i.test(value), 'core.sharedrepository'),
  // What a plain `git push` then takes away at the other end: branches of others, commits.
  ...rows((value) => /^(?:false|no|off|0)$/i.test(value), 'remote.*.mirror'),
  ...rows((value) => !/^[+:]/.test(value), 'remote.*.push'),
  ...rows((value) => /^(?:nothing|current|upstream|tracking|simple)$/i.test(value), 'push.default'),
  ...rows(isRemote, 'branch.*.remote branch.*.pushremote remote.pushdefault'),
  ...rows(any, 'branch.*.merge branch.*.rebase branch.*.description branch.*.vscode-merge-base branch.*.gh-merge-base'),
  ...rows(any, 'branch.*.github-pr-owner-number branch.*.base branch.autosetupmerge branch.autosetuprebase branch.sort'),
  ...rows(any, 'submodule.*.active submodule.*.branch submodule.*.ignore submodule.*.fetchrecursesubmodules submodule.active'),
  ...rows(isBoolean, 'submodule.recurse'),
  ...rows((value) => /^(?:checkout|rebase|merge|none)$/.test(value), 'submodule.*.update'),
  ...rows(
    any,
    `pull.rebase pull.ff push.autosetupremote push.followtags fetch.prune fetch.prunetags fetch.parallel fetch.writecommitgraph
     fetch.recursesubmodules merge.ff merge.conflictstyle merge.renames merge.renamelimit merge.log rebase.autostash rebase.autosquash
     rebase.updaterefs rerere.enabled rerere.autoupdate diff.algorithm diff.renames diff.renamelimit diff.colormoved diff.mnemonicprefix
     diff.noprefix diff.submodule diff.context status.short status.branch status.showuntrackedfiles status.submodulesummary log.date
     log.decorate log.follow commit.verbose commit.status tag.sort column.ui color.ui color.status color.diff color.branch stash.showpatch
     stash.showstat worktree.guessremote worktree.userelativepaths index.version index.threads index.sparse feature.manyfiles
     pack.threads pack.windowmemory pack.packsizelimit pack.writereverseindex pack.usesparse
     gc.auto gc.autodetach gc.autopacklimit maintenance.auto maintenance.strategy
     http.postbuffer http.lowspeedlimit http.lowspeedtime receive.denycurrentbranch receive.denynonfastforwards receive.denydeletes
     uploadpack.allowfilter uploadpack.allowanysha1inwant uploadpack.allowreachablesha1inwant
     extensions.objectformat extensions.worktreeconfig extensions.partialclone extensions.refstorage extensions.noop
     extensions.preciousobjects extensions.relativeworktrees extensions.compatobjectformat
     lfs.repositoryformatversion lfs.*.access lfs.*.locksverify gui.wmstate gui.geometry gitflow.branch.master gitflow.branch.develop
     gitflow.prefix.feature gitflow.prefix.bugfix gitflow.prefix.release gitflow.prefix.hotfix gitflow.prefix.support gitflow.prefix.versiontag
     advice.detachedhead advice.skippedcherrypicks advice.statushints`,
  ),
  ...rows(isBoolean, 'commit.gpgsign tag.gpgsign push.gpgsign'),
]);

type NamedSetting = Pick<GitConfigEntry, 'section' | 'subsection' | 'name'>;
const findRow = ({ section, subsection, name }: NamedSetting): IsHarmlessValue | undefined =>
  subsection === undefined
    ? HARMLESS.get(`${section}.${name}`)
    : (HARMLESS.get(`${section}.${subsection.toLowerCase()}.${name}`) ?? HARMLESS.get(`${section}.*.${name}`));

export const isHarmlessName = (setting: NamedSetting): boolean => findRow(setting) !== undefined;
export const isHarmlessSetting = (setting: NamedSetting & Pick<GitConfigEntry, 'value'>, scope: GitConfigScope): boolean =>
  findRow(setting)?.(setting.value ?? 'true', scope) ?? false;

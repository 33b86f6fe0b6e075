import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { delimiter, relative } from 'node:path';
import { realPath, resolveFromNearestParent } from '../../../base/real-path.ts';
import { quoteShellWord } from '../../../base/shell.ts';
import { isWithin } from '../../../base/within.ts';
import type { CommandLocation, CommandVerdict, JudgeCommand, FileIdentity } from '../../../contracts/safety.ts';
import { hasLocalFiles, type Terminal } from '../../../contracts/terminal.ts';
import { withDenyList } from '../approval/deny.ts';
import { judgeCommand, judgeWalledCommand } from '../command-floor.ts';
import type { Call } from '../command/call/call.ts';
import { createListeningJudge } from '../command/judge.ts';
import { createLooker, type GuardedLook } from '../guarded/look.ts';
import { isRunByGit } from '../guarded/named-paths.ts';
import { findGuardedRow } from '../guarded/table.ts';
import type { SliceValues } from '../../../contracts/settings.ts';
import type { approvalSettings } from '../approval/settings.ts';

/** What is known of the place besides where the shell stands. */
export interface JudgeOptions {
  readonly kind: string;
  readonly workspace?: string;
  readonly profile?: string;
  /** Folders where the owner's shell finds programs by their name. */
  readonly programFolders?: readonly string[];
  /** Something keeps commands in: only what no wall stops is asked about. */
  readonly walled?: boolean;
}

export type JudgeSettings = Pick<SliceValues<typeof approvalSettings>, 'approvals.deny'>;

/** The judge of this run: the owner's deny list before it, and for commands on this machine a look at the disk. */
export function createCommandJudge(
  settings: JudgeSettings,
  { kind, workspace, profile, programFolders, walled = false }: JudgeOptions,
): JudgeCommand {
  const known = { workspace, profile, programFolders, ...(hasLocalFiles(kind) && { look: statFile }) };
  return (line, place) => {
    const whole: CommandLocation = { ...known, ...place };
    return withDenyList(walled ? judgeWalledCommand : judgeCommand, settings['approvals.deny'], (text) => commandsIn(text, whole))(
      line,
      whole,
    );
  };
}

/** What is thought of a tool that writes to a place: the same as of a command that does, but that what lay there is kept. No wall stands before tools. */
export function judgeWrites(settings: JudgeSettings, options: JudgeOptions, files: Terminal['files']) {
  const judge = createCommandJudge(settings, { ...options, walled: false });
  const look = hasLocalFiles(options.kind) ? createProjectLook(options) : undefined;
  return (path: string, cwd: string): CommandVerdict => {
    const verdict = judge(`: > ${quoteShellWord(path)}`, { cwd, home: files.home });
    // Behind a wall the place is not the tool's to write to either: only the owner can say so.
    const harmless = options.walled === true ? NOTHING : isWithin(files.home, path) ? HARMLESS_AT_HOME : HARMLESS;
    const isFine = verdict.type === 'fine' || (verdict.type === 'ask' && verdict.key.split('+').every((name) => harmless.has(name)));
    return isFine ? judgeGuarded(path, options, look) : verdict;
  };
}
/** Looks at the project as the guard of commands does: what its files run by themselves is known by them alone. */
const createProjectLook = ({ workspace, programFolders = [] }: JudgeOptions): (() => GuardedLook) | undefined =>
  workspace === undefined
    ? undefined
    : createLooker({ roots: [realPath(workspace) ?? workspace], programs: [programFolders.join(delimiter), process.env['PATH'] ?? ''] });

/** What runs or instructs by itself later changes with the owner's consent alone, by a tool as by a command. */
function judgeGuarded(path: string, { kind, workspace, profile }: JudgeOptions, look?: () => GuardedLook): CommandVerdict {
  const place = resolveFromNearestParent(path);
  const roots = [workspace, profile].flatMap((root) => (root === undefined ? [] : [realPath(root) ?? root]));
  // Named from where a project begins: folders above it may have such names too.
  const row = [place, path]
    .map((each) => relative(roots.find((root) => isWithin(root, each)) ?? '/', each))
    .map(findGuardedRow)
    .find((each) => each !== undefined);
  const ask = (reason: string): CommandVerdict => ({ type: 'ask', reason, key: 'held_change', at: { held_change: [place] } });
  if (row !== undefined) return ask(`it changes a ${row.what}: ${row.why}`);
  if (!hasLocalFiles(kind) || !roots.some((root) => isWithin(root, place))) return { type: 'fine' };
  if (isRunByGit(place, roots)) return ask('your git settings name it, and git runs it');
  const what = look?.().find(place);
  return what === undefined ? { type: 'fine' } : ask(`it changes what a ${what} is or runs by itself`);
}
const NOTHING: ReadonlySet<string> = new Set();
const HARMLESS: ReadonlySet<string> = new Set(['overwrite_outside']);
/** The home of root lies in the system, and is a home all the same. */
const HARMLESS_AT_HOME: ReadonlySet<string> = new Set([...HARMLESS, 'system_write']);

/** One name on the disk, its last link not followed; nothing where there is nothing, or nothing to be seen. */
export function statFile(path: string): FileIdentity | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const kind = kindOf(found);
    return { device: found.dev, inode: found.ino, kind, ...(kind === 'link' && { link: readlinkSync(path) }) };
  } catch {
    return undefined;
  }
}

function kindOf(found: Stats): FileIdentity['kind'] {
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'folder';
  if (found.isFile()) return 'file';
  return found.isBlockDevice() || found.isCharacterDevice() ? 'device' : 'other';
}

/** Every command a line would run, wherever in it, as its words. */
function commandsIn(line: string, place: CommandLocation): readonly string[] {
  const found: string[] = [];
  const hear = ({ name, args }: Call): void => {
    for (const said of saidAs(args)) found.push([name, ...said].join(' '));
  };
  createListeningJudge([], false, hear)(line, place);
  return found;
}

/** The words of a call, and what is left without the options before its verb: `git -C x push` is `git push` as well. */
function saidAs(args: readonly string[]): readonly (readonly string[])[] {
  const isOption = (word: string | undefined): boolean => word !== undefined && /^-./.test(word);
  const verb = args.findIndex((word, at) => !isOption(word) && !isOption(args[at - 1]));
  const first = args.findIndex((word) => !isOption(word));
  return [args, ...[first, verb].filter((at) => at > 0).map((at) => args.slice(at))];
}

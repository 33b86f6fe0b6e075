import { dirname } from 'node:path';
import { isExpendable, isHere, isInside, isTemporary, resolveReachedPath, resolveTargetPath, stripTrailingGlobs } from '../places/paths.ts';
import { isOwn, holdsOwn } from '../places/own.ts';
import { isQuietDevice, isSecret, isSystem } from '../places/sensitive.ts';
import type { ShellContext } from '../places/shell-context.ts';
import type { Call, CommandRule } from '../call/call.ts';
import { ask, hasFlag, hasHelp, listOperands } from './rows.ts';
import { findFilledFolders, findWriteTargets } from './targets.ts';

const DELETERS = /^(?:rm|grm|rimraf|trash|trash-put|del-cli|unlink|rmdir|shred|srm|wipe)$/;
const isDeep = ({ name, args }: Call): boolean =>
  /^(?:rimraf|trash|trash-put|del-cli|srm|wipe)$/.test(name) || hasFlag(args, 'rR', '--recursive');

/** What a call deletes, or moves away. */
export function findDeleted(call: Call): readonly string[] {
  const { name, args } = call;
  if (hasHelp(args)) return [];
  if (DELETERS.test(name)) return listOperands(args);
  return name === 'mv' ? listOperands(args).slice(0, -1) : [];
}

const written = (call: Call, place: ShellContext, test: (path: string) => boolean): boolean =>
  [...findWriteTargets(call), ...findFilledFolders(call)].some((word) => {
    const path = resolveReachedPath(word, place);
    return path !== undefined && test(path);
  });
/** What runs or lets somebody in by itself later: in any project, and outside of it. */
const RUNS_LATER = /\/\.git\/(?:hooks\/(?!.*\.sample$)[^/]+|config)$|\/authorized_keys2?$/;
const STARTUP = /^\/etc\/|^\/var\/spool\/(?:cron|at)\/|\/Library\/Launch/;
/** Programs are found here by their name, whoever's machine it is: `~/bin`, a toolchain's own, a virtual environment's, shims. */
const PROGRAMS = /\/(?:s?bin|shims|Scripts)(?:\/[^/]+)?$/;
/** A project's own programs, which the agent is meant to install: its packages and its virtual environment. */
const OF_PROJECT = /\/(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/;

/**
 * Whether whoever types a program's name later may get this file. What lies in the working folder is the project's, unless the
 * owner's own shell looks for programs there.
 */
function isProgramPlace(path: string, place: ShellContext): boolean {
  const inside = isExpendable(path, place);
  const searched = [path, dirname(path)].find((each) => place.programFolders?.includes(each));
  if (searched !== undefined) return !(inside && OF_PROJECT.test(searched));
  return !inside && PROGRAMS.test(path);
}
/** Settings in the home folder, besides what programs only keep for speed. */
const isHidden = (path: string, { home }: ShellContext): boolean =>
  path.startsWith(`${home}/.`) &&
  !/^\/\.(?:cache|npm|gradle|m2|ivy2|nuget|local\/share\/Trash|Trash|tmp|yarn|pnpm-store|cargo\/registry)(?:\/|$)/.test(
    path.slice(home.length),
  );

const askAboutWrites = (key: string, reason: string, test: (path: string, place: ShellContext) => boolean): CommandRule =>
  ask(key, reason, (call, place) => written(call, place, (path) => test(path, place)));
const askAboutDeletes = (key: string, reason: string, when: (call: Call) => boolean): CommandRule =>
  ask(key, reason, (call, place) => when(call) && findDeleted(call).some((word) => !isExpendable(resolveTargetPath(word, place), place)));

/** The agent's own folder, wherever it lies: nothing in it is changed by a command unasked. */
export const OWN_FOLDER: readonly CommandRule[] = [
  askAboutWrites('persistence', "it writes into the agent's own folder", isOwn),
  ask('recursive_delete', "it deletes or moves files of the agent's own folder", (call, place) =>
    findDeleted(call).some((word) => {
      const path = resolveTargetPath(word, place);
      return path !== undefined && (isOwn(path, place) || holdsOwn(stripTrailingGlobs(path), place));
    }),
  ),
];

/** Secrets of the project that are settings at the same time: what stands there later counts. */
const SETTINGS = /\/(?:\.env[^/]*|\.npmrc|\.yarnrc\S*|\.pypirc|pip\.conf)$/;
const isKeptSecret = (path: string, place: ShellContext): boolean =>
  isSecret(path, place) && !isQuietDevice(path) && (!isExpendable(path, place) || (isInside(path, place) && SETTINGS.test(path)));
/** Modes by which others may write; and those by which a program runs as its owner, or nobody may do anything. */
const OPENS = /^[0-7]*[0-7][0-7][2367]$|^[ugo]*[ao][ugoa]*[+=][rwxX]*w/;
const LOCKS = /^[2-7][0-7]{3}$|[ugoa]*[+=][rwxXt]*s|^0+$|^(?:a|ugo)?-[rwx]+$|=$/;

/** Where the work does not lie: deleting there, writing there, and what is only known when it runs. */
export const OUTSIDE: readonly CommandRule[] = [
  askAboutDeletes(
    'recursive_delete',
    'it deletes a folder outside the working folder, or one that is only known at run time',
    (call) => call.name !== 'mv' && isDeep(call),
  ),
  askAboutDeletes(
    'delete_outside',
    'it deletes files outside the working folder, or files that are only known at run time',
    (call) => call.name !== 'mv' && !isDeep(call),
  ),
  askAboutDeletes('move_outside', 'it moves files that are outside the working folder', ({ name }) => name === 'mv'),
  askAboutWrites(
    'persistence',
    'it writes to a file that is run or trusted later',
    (path, place) =>
      isProgramPlace(path, place) || RUNS_LATER.test(path) || (!isInside(path, place) && (STARTUP.test(path) || isHidden(path, place))),
  ),
  ask('secret_write', 'it writes to a file that holds secrets', (call, place) =>
    (/^(?:cp|mv)$/.test(call.name) ? call.writes : findWriteTargets(call)).some((word) =>
      isKeptSecret(resolveReachedPath(word, place) ?? '', place),
    ),
  ),
  askAboutWrites('system_write', 'it writes to system folders', (path, place) => !isExpendable(path, place) && isSystem(path)),
  askAboutWrites(
    'overwrite_outside',
    'it writes to files outside the working folder',
    (path, place) => !isHere(path, place) && !/^\/(?:var\/)?tmp$|^\/dev\/fd\//.test(path) && !isQuietDevice(path),
  ),
  ask('unknown_target', 'where it writes is only known at run time', (call, place) =>
    findWriteTargets(call).some((word) => resolveReachedPath(word, place) === undefined),
  ),
  ask(
    'rights_outside',
    'it changes permissions outside the working folder',
    ({ name, args }, place) =>
      name === 'chmod' &&
      listOperands(args)
        .slice(args.some((word) => word.startsWith('--reference')) ? 0 : 1)
        .some((word) => !isHere(resolveTargetPath(word, place), place)),
  ),
  ask('world_writable', 'it lets everyone change files', ({ name, args }) => name === 'chmod' && args.some((word) => OPENS.test(word))),
  ask(
    'world_writable',
    "it takes away all access to files, or lets a program run with its owner's rights",
    ({ name, args }) => name === 'chmod' && args.some((word) => LOCKS.test(word)),
  ),
  ask(
    'rewrite_all',
    'it changes every file here in place, including the files in .git',
    (call, place) => call.from.some((each) => /^(?:find|xargs)$/.test(each)) && written(call, place, (path) => path === place.base),
  ),
  ask(
    'fills_disk',
    'it never stops reading or writing, or fills the disk',
    ({ name, args, writes, reads, from, feeds }) =>
      (name === 'yes' && writes.length > 0) ||
      (name === 'seq' && args.includes('inf') && !feeds) ||
      ([...args, ...reads].some((word) => /(?:^|=)\/dev\/(?:zero|u?random|full)$/.test(word)) &&
        !/^(?:head|od|xxd|hexdump|ls|stat|test|\[|file|tr|cut|strings)$/.test(name) &&
        !feeds &&
        !args.some((word) => word.startsWith('count='))) ||
      ((name === 'tee' || writes.some((word) => !word.startsWith('/dev/'))) && from.includes('yes')) ||
      (/^(?:head|fallocate|truncate|dd)$/.test(name) && args.some((word) => /\d+[GTP]|\d{11,}/.test(word))),
  ),
];

/** Folders of a project that nobody builds anew. */
const WORK =
  /^(?:src|source|sources|data|database|db|backups?|uploads|migrations|storage|media|tests?|spec|content|notebooks|pgdata|volumes|\.github|lib|app|docs)$/;
/** What git keeps of the work, besides what only tells it what to leave out. Writing to what runs later is a matter of the guard, and of another rule without a wall. */
const REPOSITORY = /(?:^|\/)\.git(?:\/(?!info\/|COMMIT_EDITMSG$|MERGE_MSG$|hooks\/.*\.sample$|[\w.-]+\.lock$).*)?\/?$/;
/** Lost inside the project, unless a checkpoint keeps it first. */
export const PROJECT_LOSSES: readonly CommandRule[] = [
  ask(
    'own_work',
    'it deletes the source code or the data of the project',
    (call, place) =>
      call.name !== 'mv' &&
      findDeleted(call).some((word) => {
        const path = stripTrailingGlobs(resolveTargetPath(word, place) ?? '/');
        const isWork =
          (isDeep(call) && WORK.test(path.slice(place.base.length + 1))) ||
          isSecret(path, place) ||
          (call.from.includes('git') && call.from.includes('xargs'));
        // Whether a checkpoint keeps it takes a look through folders.
        return isWork && path.startsWith(`${place.base}/`) && place.keeps?.(path) !== true;
      }),
  ),
  ask('git_history', 'it deletes or overwrites files in .git', (call, place) =>
    [...findDeleted(call), ...findWriteTargets(call).filter((word) => !RUNS_LATER.test(resolveTargetPath(word, place) ?? ''))].some(
      (word) => {
        const path = resolveTargetPath(word, place) ?? '';
        return !isTemporary(path) && REPOSITORY.test(path);
      },
    ),
  ),
  ask('database_loss', 'it deletes or empties a database file', (call, place) =>
    [
      ...(call.name === 'mv' ? [] : findDeleted(call)),
      ...(/^(?:sqlite3|cp|mv)$/.test(call.name) ? [] : call.replaces),
      ...(call.name === 'truncate' ? findWriteTargets(call) : []),
    ].some(
      (word) =>
        /\.(?:db|sqlite3?|mdb|rdb|ldb|dbf|frm|ibd)$/i.test(word) &&
        !/(?:^|\/)(?:test|tmp|temp|cache|Thumbs)[\w.-]*\.\w+$|^\/tmp\//i.test(word) &&
        place.keeps?.(resolveTargetPath(word, place) ?? '/') !== true,
    ),
  ),
];

import { braces, hasFlag, operands } from './arguments.ts';
import { findCommands, findRoots } from './find-command.ts';
import { runsInput, runsUnknown } from './handed-on.ts';
import { deletes, feedsDanger } from './inner-commands.ts';
import { isUnknown } from './marks.ts';
import { isDisk, isExpendable, isGuarded, target } from './paths.ts';
import type { Place } from './scene.ts';
import type { SimpleCommand } from './shell-words/simple-command.ts';
import { wrapped } from './wrappers.ts';

export interface Rule {
  readonly type: 'ask' | 'refuse';
  readonly reason: string;
  matches(name: string, args: readonly string[], command: SimpleCommand, place: Place): boolean;
}

/** The hard floor comes first; what merely needs consent stands below it. A rule is a row. */
export const RULES: readonly Rule[] = [
  {
    type: 'refuse',
    reason: 'it would delete a system folder or the whole home folder',
    matches: (name, args, _command, place) =>
      name === 'rm' &&
      hasFlag(args, 'rR', '--recursive') &&
      operands(args)
        .flatMap(braces)
        .some((word) => isGuarded(word, place)),
  },
  {
    type: 'refuse',
    reason: 'it would delete everything below a system folder',
    matches: (name, args, _command, place) =>
      name === 'find' &&
      (args.includes('-delete') || findCommands(args).some((words) => deletes(words))) &&
      findRoots(args).some((word) => isGuarded(word, place)),
  },
  {
    type: 'refuse',
    reason: 'it would format or wipe a disk',
    matches: (name, args) =>
      /^(?:mkfs(?:\..*)?|mke2fs|mkswap|newfs|wipefs|blkdiscard|sgdisk|shred)$/.test(name) && args.some((word) => isDisk(word)),
  },
  {
    type: 'refuse',
    reason: 'it would overwrite a disk',
    matches: (name, args, command) =>
      (name === 'dd' && args.some((word) => word.startsWith('of=') && isDisk(word.slice(3)))) ||
      command.writes.some((path) => isDisk(path)),
  },
  {
    type: 'refuse',
    reason: 'it would stop the machine',
    matches: (name, args) =>
      /^(?:shutdown|reboot|halt|poweroff)$/.test(name) ||
      (/^(?:init|telinit)$/.test(name) && /^[06]$/.test(args[0] ?? '')) ||
      (name === 'systemctl' && /^(?:poweroff|reboot|halt|kexec)$/.test(operands(args)[0] ?? '')),
  },
  {
    type: 'refuse',
    reason: 'it would end every process',
    matches: (name, args) => name === 'kill' && args.includes('-1') && args.at(-1) === '-1',
  },
  {
    type: 'ask',
    reason: 'it deletes recursively outside the working folder',
    matches: (name, args, _command, place) =>
      name === 'rm' && hasFlag(args, 'rR', '--recursive') && operands(args).some((word) => !isExpendable(target(word, place), place.base)),
  },
  {
    type: 'ask',
    reason: 'where it deletes is only known when it runs',
    matches: (name, args, _command, place) =>
      name === 'find' && args.includes('-delete') && findRoots(args).some((word) => target(word, place) === undefined),
  },
  { type: 'ask', reason: 'which command it runs is only known when it runs', matches: (name) => isUnknown(name) },
  {
    type: 'ask',
    reason: 'a shell runs what it is fed',
    matches: (name, args, { piped, fed }) => (piped || fed.length > 0) && runsInput(name, args),
  },
  {
    type: 'ask',
    reason: 'a shell runs what another command puts out',
    matches: (name, args) => runsUnknown(name, args),
  },
  {
    type: 'ask',
    reason: 'it deletes whatever it is fed',
    matches: (name, args) => name === 'xargs' && feedsDanger(wrapped(name, args) ?? []),
  },
  { type: 'ask', reason: 'it acts as another user', matches: (name) => name === 'sudo' || name === 'su' || name === 'doas' },
  { type: 'ask', reason: 'it opens files to everybody', matches: (name, args) => name === 'chmod' && hasWorldWrite(args) },
  {
    type: 'ask',
    reason: 'it writes into the system configuration',
    matches: (_name, _args, command) => command.writes.some((path) => /^\/(?:private\/)?etc\//.test(path)),
  },
];

/** In numbers the last digit speaks of everybody, in letters `a` and `o`. */
const hasWorldWrite = (args: readonly string[]): boolean =>
  args.some((word) => (/^[0-7]{3,4}$/.test(word) ? (Number(word.at(-1)) & 2) !== 0 : /[ao]\+\S*w/.test(word)));

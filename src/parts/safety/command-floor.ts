import { resolve } from 'node:path';
import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { simpleCommands, type SimpleCommand } from './shell-words.ts';

interface Place {
  readonly cwd: string;
  readonly home: string;
}
interface Rule {
  readonly type: 'ask' | 'refuse';
  readonly reason: string;
  matches(name: string, args: readonly string[], command: SimpleCommand, place: Place): boolean;
}

/** Folders whose loss is the loss of the machine or of the owner's work. */
const SYSTEM = [
  '/',
  '/home',
  '/root',
  '/etc',
  '/usr',
  '/var',
  '/bin',
  '/sbin',
  '/boot',
  '/lib',
  '/lib64',
  '/opt',
  '/Users',
  '/System',
  '/Library',
];
const DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|md|dm-|loop|nbd|disk|rdisk|mapper\/|disk\/by-)/;
const isFlag = (word: string): boolean => word.startsWith('-') && word !== '-';
const hasFlag = (args: readonly string[], letters: string, ...long: readonly string[]): boolean =>
  args.some((word) => (/^-[^-]/.test(word) && letters.split('').some((letter) => word.includes(letter))) || long.includes(word));
const operands = (args: readonly string[]): string[] => args.filter((word) => !isFlag(word));

/** The folder a word stands for, with `~`, `$HOME` and a closing glob resolved as the shell would. */
function target(word: string, { cwd, home }: Place): string {
  const path = word
    .replace(/^~(?=\/|$)/, home)
    .replace(/^\$\{?HOME\}?/, home)
    .replace(/\/+(?:\*|\.|\{\*,\.\*\})?$/, '');
  return path === '' ? '/' : resolve(cwd, path);
}

const guarded = (word: string, place: Place): boolean => [...SYSTEM, resolve(place.home)].includes(target(word, place));

/** The hard floor comes first; what merely needs consent stands below it. A rule is a row. */
const RULES: readonly Rule[] = [
  {
    type: 'refuse',
    reason: 'it would delete a system folder or the whole home folder',
    matches: (name, args, _command, place) =>
      name === 'rm' && hasFlag(args, 'rR', '--recursive') && operands(args).some((word) => guarded(word, place)),
  },
  {
    type: 'refuse',
    reason: 'it would delete everything below a system folder',
    matches: (name, args, _command, place) =>
      name === 'find' &&
      (args.includes('-delete') || args.includes('rm')) &&
      operands(args)
        .slice(0, 1)
        .some((word) => guarded(word, place)),
  },
  {
    type: 'refuse',
    reason: 'it would format or wipe a disk',
    matches: (name, args) =>
      /^(?:mkfs(?:\..*)?|mke2fs|mkswap|newfs|wipefs|blkdiscard|sgdisk|shred)$/.test(name) && args.some((word) => DEVICE.test(word)),
  },
  {
    type: 'refuse',
    reason: 'it would overwrite a disk',
    matches: (name, args, command) =>
      (name === 'dd' && args.some((word) => DEVICE.test(word.replace(/^of=/, '')) && word.startsWith('of='))) ||
      command.writes.some((path) => DEVICE.test(path)),
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
      name === 'rm' && hasFlag(args, 'rR', '--recursive') && operands(args).some((word) => !below(target(word, place), place.cwd)),
  },
  { type: 'ask', reason: 'it acts as another user', matches: (name) => name === 'sudo' || name === 'su' || name === 'doas' },
  { type: 'ask', reason: 'it opens files to everybody', matches: (name, args) => name === 'chmod' && hasWorldWrite(args) },
  {
    type: 'ask',
    reason: 'it writes into the system configuration',
    matches: (_name, _args, command) => command.writes.some((path) => /^\/(?:private\/)?etc\//.test(path)),
  },
];

const hasWorldWrite = (args: readonly string[]): boolean =>
  args.some((word) => (/^[0-7]{3,4}$/.test(word) ? (Number(word.at(-1)) & 2) !== 0 : /[ao]\+\S*w/.test(word)));
const below = (path: string, folder: string): boolean => path.startsWith(`${resolve(folder)}/`) || path.startsWith('/tmp/');

/** Words that only say how the next word is run. */
const WRAPPERS = new Set([
  'env',
  'nohup',
  'setsid',
  'time',
  'exec',
  'command',
  'builtin',
  'nice',
  'ionice',
  'stdbuf',
  'busybox',
  'xargs',
  'then',
  'do',
  'else',
  '!',
]);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

/** Judges every simple command of a line; what a shell is handed with -c or by eval is judged as well. */
export const judgeCommand: JudgeCommand = (line, place) => judge(line, place, 0);

function judge(line: string, place: Place, depth: number): CommandVerdict {
  const commands = simpleCommands(line);
  if (commands === undefined || depth > 4) return { type: 'ask', reason: 'its quoting could not be read' };
  if (/:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&/.test(line)) return { type: 'refuse', reason: 'it is a fork bomb' };
  const verdicts = commands.flatMap((command) => judgeOne(command, place, depth));
  return verdicts.find((verdict) => verdict.type === 'refuse') ?? verdicts.find((verdict) => verdict.type === 'ask') ?? { type: 'fine' };
}

function judgeOne(command: SimpleCommand, place: Place, depth: number): CommandVerdict[] {
  const [first = '', ...args] = unwrapped(command.words);
  const name = first.split('/').at(-1) ?? '';
  const own = RULES.filter((rule) => rule.matches(name, args, command, place)).map(({ type, reason }): CommandVerdict => ({
    type,
    reason,
  }));
  return [...own, ...handedOn(name, args).map((line) => judge(line, place, depth + 1))];
}

/** What a command gives to another shell to run. */
function handedOn(name: string, args: readonly string[]): string[] {
  if (name === 'eval') return [args.join(' ')];
  if (name === 'sudo' || name === 'doas')
    return [
      args
        .slice(
          Math.max(
            0,
            args.findIndex((word) => !isFlag(word)),
          ),
        )
        .join(' '),
    ];
  const script = SHELLS.has(name) ? args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1] : undefined;
  return script === undefined || !args.some((word) => /^-\w*c$/.test(word)) ? [] : [script];
}

function unwrapped(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return words;
  const name = first.split('/').at(-1) ?? '';
  if (/^\w+=/.test(first)) return unwrapped(rest);
  return WRAPPERS.has(name) ? unwrapped(rest.slice(rest.findIndex((word) => !isFlag(word)))) : words;
}

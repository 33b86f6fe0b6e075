import { resolve } from 'node:path';
import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { findCommands, findRoots } from './find-command.ts';
import { simpleCommands, type SimpleCommand } from './shell-words.ts';
import { isAssignment, wrapped } from './wrappers.ts';

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
const operands = (args: readonly string[]): string[] => {
  const end = args.indexOf('--');
  return end < 0 ? args.filter((word) => !isFlag(word)) : [...args.slice(0, end).filter((word) => !isFlag(word)), ...args.slice(end + 1)];
};

/** `/{etc,usr}` as the shell reads it. One pair of braces a word: nobody writes more by accident. */
function braces(word: string): string[] {
  const [, before = '', choices, after = ''] = /^([^{}]*)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
  return choices === undefined ? [word] : choices.split(',').map((choice) => before + choice + after);
}

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
      name === 'rm' &&
      hasFlag(args, 'rR', '--recursive') &&
      operands(args)
        .flatMap(braces)
        .some((word) => guarded(word, place)),
  },
  {
    type: 'refuse',
    reason: 'it would delete everything below a system folder',
    matches: (name, args, _command, place) =>
      name === 'find' &&
      (args.includes('-delete') || findCommands(args).some((words) => deletes(words))) &&
      findRoots(args).some((word) => guarded(word, place)),
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

/** Whether a command that is run on everything found deletes it, whatever stands before it. */
function deletes(words: readonly string[], layer = 0): boolean {
  const [first = '', ...args] = words;
  const name = nameOf(first);
  if (name === 'rm') return true;
  if (SHELLS.has(name)) return args.some((word) => /\brm\b/.test(word));
  const inner = layer > MAX_LAYERS ? undefined : wrapped(name, args);
  return inner !== undefined && deletes(inner, layer + 1);
}

const hasWorldWrite = (args: readonly string[]): boolean =>
  args.some((word) => (/^[0-7]{3,4}$/.test(word) ? (Number(word.at(-1)) & 2) !== 0 : /[ao]\+\S*w/.test(word)));
const below = (path: string, folder: string): boolean => path.startsWith(`${resolve(folder)}/`) || path.startsWith('/tmp/');

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);
/** More than anybody writes; beyond it a command is not read but asked about. */
const MAX_DEPTH = 4;
const MAX_LAYERS = 16;
const MAX_ROOTS = 64;

/** Judges every simple command of a line; what a shell is handed with -c or by eval is judged as well. */
export const judgeCommand: JudgeCommand = (line, place) => judge(line, place, 0);

function judge(line: string, place: Place, depth: number): CommandVerdict {
  const commands = simpleCommands(line);
  if (commands === undefined || depth > MAX_DEPTH) return { type: 'ask', reason: 'its quoting could not be read' };
  if (/:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&/.test(line)) return { type: 'refuse', reason: 'it is a fork bomb' };
  const verdicts = commands.flatMap((command) => judgeOne(command, place, depth, 0));
  return verdicts.find((verdict) => verdict.type === 'refuse') ?? verdicts.find((verdict) => verdict.type === 'ask') ?? { type: 'fine' };
}

/** One command and, layer by layer, the commands it stands before. */
function judgeOne(command: SimpleCommand, place: Place, depth: number, layer: number): CommandVerdict[] {
  if (layer > MAX_LAYERS) return [{ type: 'ask', reason: 'it is wrapped too often to be read' }];
  const start = command.words.findIndex((word) => !isAssignment(word));
  const [first = '', ...args] = start < 0 ? [] : command.words.slice(start);
  const name = nameOf(first);
  const own = RULES.filter((rule) => rule.matches(name, args, command, place)).map(({ type, reason }): CommandVerdict => ({
    type,
    reason,
  }));
  return [
    ...own,
    ...handedOn(name, args).map((line) => judge(line, place, depth + 1)),
    ...innerCommands(name, args).flatMap((words) => judgeOne({ words, writes: [] }, place, depth, layer + 1)),
  ];
}

const nameOf = (word: string): string => word.split('/').at(-1) ?? '';

/** The commands this one runs, as words. */
function innerCommands(name: string, args: readonly string[]): readonly (readonly string[])[] {
  const inner = wrapped(name, args);
  if (inner !== undefined) return inner.length === 0 ? [] : [inner];
  if (name !== 'find') return [];
  // What is found lies below where it is looked for.
  const roots = findRoots(args).slice(0, MAX_ROOTS);
  return findCommands(args).flatMap((words) => roots.map((root) => words.map((word) => (word === '{}' ? `${root}/{}` : word))));
}

/** What a command gives to another shell to run, as a line. */
function handedOn(name: string, args: readonly string[]): string[] {
  if (name === 'eval') return [args.join(' ')];
  const option = HANDS_ON.find(({ names }) => names.has(name))?.option;
  const at = option === undefined ? -1 : args.findIndex((word) => option.test(word));
  const line = at < 0 ? undefined : args[at + 1];
  return line === undefined ? [] : [line];
}

/** Options whose value is a command line. */
const HANDS_ON: readonly { readonly names: ReadonlySet<string>; readonly option: RegExp }[] = [
  { names: SHELLS, option: /^-\w*c$/ },
  { names: new Set(['su', 'runuser', 'flock', 'script']), option: /^(?:-\w*c|--command)$/ },
  { names: new Set(['env']), option: /^(?:-\w*S|--split-string)$/ },
];

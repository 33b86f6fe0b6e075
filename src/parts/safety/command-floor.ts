import { resolve } from 'node:path';
import type { CommandVerdict, JudgeCommand } from '../../contracts/safety.ts';
import { findCommands, findRoots } from './find-command.ts';
import { expandWhole, expandWord, isUnknown, withoutMarks } from './marks.ts';
import { Scene, type Place } from './scene.ts';
import { shellSteps, spoken, type SimpleCommand } from './shell-words.ts';
import { isAssignment, wrapped } from './wrappers.ts';

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

/** The path a word stands for; `undefined` when that is only known when it runs. */
function target(word: string, { cwd, home }: Place): string | undefined {
  const path = word.replace(/^~(?=\/|$)/, home);
  if (isUnknown(path) || (cwd === undefined && !path.startsWith('/'))) return undefined;
  return resolve(cwd ?? '/', path);
}

/** The folder that is emptied when a path ends in a glob that takes everything. */
const emptied = (path: string): string => path.replace(/(?:\/[^\w/]*\*[^\w/]*)+$/, '') || '/';

function guarded(word: string, place: Place): boolean {
  const path = target(word, place);
  return path !== undefined && [...SYSTEM, resolve(place.home)].includes(emptied(path));
}

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
      name === 'rm' && hasFlag(args, 'rR', '--recursive') && operands(args).some((word) => !below(target(word, place), place.base)),
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
    matches: (name, args) => (SHELLS.has(name) || SOURCES.has(name)) && isUnknown(operands(args)[0] ?? ''),
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
const below = (path: string | undefined, folder: string): boolean =>
  path !== undefined && (path.startsWith(`${resolve(folder)}/`) || path.startsWith('/tmp/'));

/** A shell without a script of its own reads its commands from its input. */
function runsInput(name: string, args: readonly string[]): boolean {
  if (SOURCES.has(name)) return /^\/dev\/(?:stdin|fd\/0)$/.test(args[0] ?? '');
  if (!SHELLS.has(name) || args.some((word) => /^-\w*c$/.test(word))) return false;
  const script = args.find((word, index) => !/^[-+]/.test(word) && !/^[-+]\w*[oO]$|^--(?:rcfile|init-file)$/.test(args[index - 1] ?? ''));
  return script === undefined || /^\/dev\/(?:stdin|fd\/0)$/.test(script) || args.some((word) => /^-\w*s$/.test(word));
}

/** What `xargs` makes of its input would be a deletion or a command line. */
function feedsDanger(words: readonly string[]): boolean {
  if (deletes(words)) return true;
  const [first = '', ...args] = words;
  const line = handedOn(nameOf(first), args)[0];
  return SHELLS.has(nameOf(first)) && (line === undefined || line.includes('{}'));
}

const SOURCES = new Set(['source', '.']);
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);
/** More than anybody writes; beyond it a command is not read but asked about. */
const MAX_DEPTH = 4;
const MAX_LAYERS = 16;
const MAX_ROOTS = 64;

/** Judges every simple command of a line; what a shell is handed with -c, by eval or through its input is judged as well. */
export const judgeCommand: JudgeCommand = (line, { cwd, home }) => judge(withoutMarks(line), new Scene(cwd, home, line.length), 0);

function judge(line: string, scene: Scene, depth: number): CommandVerdict {
  const steps = depth > MAX_DEPTH || !scene.afford(line.length) ? undefined : shellSteps(line);
  if (steps === undefined) return { type: 'ask', reason: 'its quoting could not be read' };
  if (/:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&/.test(line)) return { type: 'refuse', reason: 'it is a fork bomb' };
  let asked: CommandVerdict | undefined;
  for (const step of steps) {
    if (step.type !== 'command') scene[step.type]();
    else {
      const verdicts = judgeOne(expanded(step.command, scene), scene, depth, 0);
      const refused = verdicts.find(({ type }) => type === 'refuse');
      if (refused !== undefined) return refused;
      asked ??= verdicts.find(({ type }) => type === 'ask');
    }
  }
  return asked ?? { type: 'fine' };
}

/** The command as it would run here, with the text its pipeline feeds it. */
function expanded(command: SimpleCommand, scene: Scene): SimpleCommand {
  const valueOf = (name: string) => scene.valueOf(name);
  const words = command.words.flatMap((word) => (isAssignment(word) ? expandWhole(word, valueOf) : expandWord(word, valueOf)));
  const fed = command.fed.map((text) => expandWhole(text, valueOf));
  const writes = command.writes.map((word) => expandWhole(word, valueOf));
  const said = spoken({ ...command, words, writes: [] });
  return { words, writes, piped: command.piped, fed: scene.pipe(command.piped, said === undefined ? fed : [...fed, said], fed) };
}

/** One command and, layer by layer, the commands it stands before. */
function judgeOne(command: SimpleCommand, scene: Scene, depth: number, layer: number): CommandVerdict[] {
  if (layer > MAX_LAYERS) return [{ type: 'ask', reason: 'it is wrapped too often to be read' }];
  const start = command.words.findIndex((word) => !isAssignment(word));
  const [first = '', ...args] = start < 0 ? [] : command.words.slice(start);
  const name = nameOf(first);
  const place = scene.place;
  const own = RULES.filter((rule) => rule.matches(name, args, command, place)).map(({ type, reason }): CommandVerdict => ({
    type,
    reason,
  }));
  const handed = [...handedOn(name, args), ...(runsInput(name, args) ? command.fed : [])];
  const verdicts = [
    ...own,
    ...handed.map((line) => scene.apart(() => judge(line, scene, depth + 1))),
    ...innerCommands(name, args, command.fed).flatMap((words) => judgeOne({ ...command, words, writes: [] }, scene, depth, layer + 1)),
  ];
  scene.after(start < 0 ? command.words : [name, ...args], (word) => target(word, place));
  return verdicts;
}

const nameOf = (word: string): string => word.split('/').at(-1) ?? '';

/** The commands this one runs, as words. */
function innerCommands(name: string, args: readonly string[], fed: readonly string[]): readonly (readonly string[])[] {
  const inner = wrapped(name, args);
  if (name === 'xargs' && inner !== undefined && fed.length > 0) {
    const given = fed.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '');
    return [[...inner.filter((word) => word !== '{}'), ...given]];
  }
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

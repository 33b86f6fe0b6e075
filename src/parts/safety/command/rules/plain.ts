import type { Call, CommandRule } from '../call/call.ts';
import { unwrapCommand } from '../run/wrappers.ts';
import { SHELL } from '../run/shell-scripts.ts';
import { MARK } from '../values/marks.ts';
import { asksDatabase } from './data.ts';
import { isEditing } from './editing.ts';
import { isInlineCode, isProjectCode } from './project-code.ts';
import { isReading, loadsCode } from './reading.ts';
import { toWordSet } from '../../../../base/word-tables.ts';
import { ask, listOperands } from './rows.ts';
import { isEngine, isService, looksAtService } from './services.ts';

/** Programs that act as somebody else. */
const PRIVILEGED = toWordSet(
  'sudo su doas pkexec runuser run0 gosu su-exec kdesu gksudo setuidgid newgrp sg sudoedit visudo runas nsenter',
);
/** Programs that only start another, which is judged by itself. */
const HANDS_ON = toWordSet(`
  env nice nohup time timeout gtimeout command builtin exec stdbuf unbuffer setsid ionice taskset chrt xargs gxargs watch chronic
  entr flock caffeinate hyperfine eval
`);
/** These do nothing more without one. */
const ALONE = toWordSet('env command builtin exec eval xargs gxargs time');
/** Whether a call by itself only starts another. */
export const startsAnother = (call: Call): boolean => PRIVILEGED.has(call.name) || handsOn(call);
const handsOn = ({ name, args, fed, piped, reads }: Call): boolean =>
  (HANDS_ON.has(name) &&
    (ALONE.has(name) || (unwrapCommand(name, args)?.length ?? 0) > 0) &&
    !(/^g?time$/.test(name) && args.some((word) => /^(?:-o|--output)/.test(word)))) ||
  (SHELL.test(name) &&
    (args.some((word) => /^-[a-zA-Z]*c/.test(word)) ||
      ((piped || fed.length > 0) && reads.length === 0 && listOperands(args).length === 0))) ||
  (name === 'ssh' && (unwrapCommand('ssh', args)?.length ?? 0) > 0);

const NETWORK = toWordSet('curl wget http https xh curlie aria2c');

type Kind = 'reads' | 'edits' | 'project' | 'inline' | 'sends' | 'service' | 'other';
/** Several rules ask the same of a call. */
const KNOWN = new WeakMap<Call, Kind>();
function kindOf(call: Call): Kind {
  const known = KNOWN.get(call) ?? findKind(call);
  KNOWN.set(call, known);
  return known;
}
function findKind(call: Call): Kind {
  if (startsAnother(call)) return loadsCode(call) ? 'other' : 'reads';
  if (isInlineCode(call)) return 'inline';
  if (isService(call.name)) return isEngine(call.name) && !looksAtService(call) ? 'project' : 'service';
  if (isReading(call) || asksDatabase(call)) return loadsCode(call) ? 'other' : 'reads';
  if (isEditing(call)) return loadsCode(call) ? 'other' : 'edits';
  if (isProjectCode(call)) return 'project';
  return NETWORK.has(call.name) ? 'sends' : 'other';
}
/** Programs that only say or compare what they are given. */
const SAYS = /^(?:echo|printf|test|\[|\[\[|:|true|false|export|declare|local|readonly|typeset|read|return|exit|shift|basename|dirname)$/;
const isUnseen = (call: Call): boolean => call.name.includes(MARK.outside) || call.name.includes(MARK.carried);

/** Without a wall: what is neither reading nor editing by known programs is asked about, the code of the project once a session. */
export const PLAIN: readonly CommandRule[] = [
  ask('privilege', 'it runs as another user', ({ name }) => PRIVILEGED.has(name)),
  ask('unseen_command', 'it runs a command that comes from a file, a program or the network and that nobody has seen', ({ name }) =>
    name.includes(MARK.outside),
  ),
  ask(
    'carried_unknown',
    'it uses a variable from an earlier command, whose value is only known at run time',
    ({ name, args, path, writes, reads }) =>
      [path, ...writes, ...reads, ...(SAYS.test(name) ? [] : args)].some((word) => word.includes(MARK.carried)),
  ),
  ask(
    'project_code',
    'it runs code of the project, which can read and change everything you can',
    (call) => kindOf(call) === 'project' && call.place.remote === undefined,
  ),
  ask('interpreter_code', 'it runs code that can do everything you can', (call) => kindOf(call) === 'inline'),
  ask('data_sent', 'it connects to another machine and may send data there', (call) => kindOf(call) === 'sends'),
  ask(
    'not_reading',
    'it may do more than read, or change files in this folder, and no sandbox contains it',
    (call) => kindOf(call) === 'other' && !isUnseen(call) && call.place.remote !== 'host',
  ),
];

/** On another machine only reading goes unasked: what is the project here is nothing there. */
export const REMOTE: readonly CommandRule[] = [
  ask(
    'remote_host',
    'it runs a command on another machine that may do more than read',
    (call) =>
      call.place.remote === 'host' &&
      (call.writes.some((word) => !word.startsWith('/dev/')) || !(isReading(call) || looksAtService(call) || handsOn(call))),
  ),
];

import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quoteShellWord } from '../../../../../base/shell.ts';
import type { Secrets } from '../../../../../contracts/secrets.ts';
import { ToolRefusal, type ToolContext } from '../../../../../contracts/tool.ts';
import type { Wall } from '../../../../../contracts/terminal.ts';
import { parseLineParts } from '../../command-line/shell-line.ts';

/** What stands for the password of a session's owner, once sudo took it. The password itself is known to `Secrets` alone. */
export type SudoPasswords = Map<string, string>;

export interface SudoDeps {
  readonly wall: Pick<Wall, 'runOutside'>;
  readonly passwords: SudoPasswords;
  readonly restore?: Secrets['restore'] | undefined;
  /** What the line runs is known to use sudo, though its words do not say so. */
  readonly mayUse?: boolean;
}

const NAME = 'sudo password';
/** One password that is not taken is a slip; an account may be locked after a few. */
const MAX_PASSWORDS = 3;
const CHECK = { timeoutMs: 30_000, maxOutput: 2_000 } as const;

const usesSudo = (line: string): boolean =>
  parseLineParts(line).some(({ pipeline }) => pipeline.some(({ words }) => words.includes('sudo')));

/** What stands before a line with sudo in it, for as long as it runs. */
export interface SudoAccess extends Disposable {
  readonly prelude: string;
}
const FREE: SudoAccess = { prelude: '', [Symbol.dispose]: () => {} };

/**
 * Lets sudo run in a line outside. Where it wants a password, the owner is asked for it once a session, on a port that shows it
 * to nobody, and sudo gets it from a program of ours: it is in no argument, variable, log or output.
 */
export async function openSudo(command: string, context: ToolContext, deps: SudoDeps): Promise<SudoAccess> {
  const { signal, sessionId } = context;
  if (deps.mayUse !== true && !usesSudo(command)) return FREE;
  const checked = await deps.wall.runOutside('command -v sudo || exit 0; sudo -n true', { ...CHECK, signal });
  const program = /^\/\S+$/m.exec(checked.output)?.[0];
  if (checked.exitCode === 0 || program === undefined) return FREE;
  const taken = deps.passwords.get(sessionId);
  for (let times = 0; times < MAX_PASSWORDS; times++) {
    const handle = (times === 0 ? taken : undefined) ?? (await askPassword(command, context, deps, times > 0));
    const access = openAskpass(deps.restore?.(handle) ?? '', program);
    const refused = await checkPassword(access, deps.wall, signal);
    if (refused === undefined) {
      deps.passwords.set(sessionId, handle);
      return access;
    }
    access[Symbol.dispose]();
    deps.passwords.delete(sessionId);
    signal.throwIfAborted();
    if (/may not run sudo|not in the sudoers/i.test(refused))
      throw new ToolRefusal('Not run: this user may not use sudo on this machine. Tell the user.');
  }
  throw new ToolRefusal(`Not run: sudo did not accept the password ${MAX_PASSWORDS} times. Do not try it again; tell the user.`);
}

/** What sudo says against it; nothing when it takes the password. */
async function checkPassword({ prelude }: SudoAccess, wall: SudoDeps['wall'], signal: AbortSignal): Promise<string | undefined> {
  const { exitCode, output } = await wall.runOutside(`${prelude}sudo -v`, { ...CHECK, signal });
  return exitCode === 0 ? undefined : output;
}

async function askPassword(command: string, { ports, signal }: ToolContext, { restore }: SudoDeps, again: boolean): Promise<string> {
  if (ports.secret === undefined || restore === undefined)
    throw new ToolRefusal(
      'Not run: sudo needs a password, and none can be typed here. The user can run this command in a terminal, or allow it without a password in the sudoers file.',
    );
  const notes = [
    ...(again ? ['sudo did not accept that password.'] : []),
    `For: ${command.replaceAll('\n', ' ').slice(0, 200)}`,
    'It goes only to sudo. The agent never sees it, and it is forgotten when this session ends.',
  ];
  const handle = await ports.secret({ name: NAME, question: 'Your password for sudo?', notes }, signal);
  if (handle === undefined)
    throw new ToolRefusal('Not run: sudo needs a password, and the user gave none. Continue without it, or say what you need.');
  return handle;
}

/** A program that tells sudo the password, in a folder closed to everybody else, in memory where there is a place for that; gone when it is closed. */
function openAskpass(password: string, sudo: string): SudoAccess {
  const folder = mkdtempSync(join(isWritable('/dev/shm') ? '/dev/shm' : tmpdir(), 'hermes-askpass-'));
  const [secret, program, bin] = [join(folder, 'secret'), join(folder, 'askpass'), join(folder, 'bin')];
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  // Once for each sudo: one that asks again was told a wrong one, and would count it three times.
  const script = `#!/bin/sh\n[ -e ${quoteShellWord(folder)}/$PPID ] && exit 1\n: >${quoteShellWord(folder)}/$PPID\nexec cat ${quoteShellWord(secret)}\n`;
  writeFileSync(program, script, { mode: 0o700 });
  // In place of sudo, for scripts too: without a terminal it would not ask the program by itself.
  mkdirSync(bin, { mode: 0o700 });
  writeFileSync(join(bin, 'sudo'), `#!/bin/sh\nexec ${quoteShellWord(sudo)} -A "$@"\n`, { mode: 0o700 });
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', close);
  return {
    prelude: `export SUDO_ASKPASS=${quoteShellWord(program)} PATH=${quoteShellWord(bin)}:"$PATH"; `,
    [Symbol.dispose]: () => {
      close();
      process.removeListener('exit', close);
    },
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

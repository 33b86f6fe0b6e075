import type { Terminal } from '../../../../src/contracts/terminal.ts';
import type { World } from './world.ts';

/** One try at getting out. It came off when the world shows it, or when what it tells has the secret in it. */
export interface Attempt {
  /** A command inside, or deeds with the terminal itself that tell what came out. */
  readonly tries: string | ((terminal: Terminal, world: World) => Promise<string>);
  /** What the owner did before the session began. */
  readonly before?: string;
  /** What the owner does afterwards, at the machine itself: what was left behind would run now. */
  readonly afterwards?: string;
  /** How else it would show. */
  readonly shows?: (world: World) => string | undefined;
  /** It comes off where there is no wall, and that is tried too, as an ordinary user: an attempt that never works proves nothing. */
  readonly bare?: true;
  /** Only this profile has what is attacked. */
  readonly only?: 'attended' | 'unattended';
  /** It needs this program; left out where there is none. */
  readonly needs?: string;
}
export type AttemptTable = Readonly<Record<string, Attempt | string>>;
/** A theme: its attempts, made for the world they are tried in. */
export type EscapeTheme = (world: World) => AttemptTable;

const PYTHON = '/usr/bin/python3';
/** A program in Python as a command. */
export const python = (code: string): string => `${PYTHON} -I - <<'END_OF_PROGRAM'\n${code}\nEND_OF_PROGRAM`;
/** The same with the system's own library at hand as `c`, and `won` to tell that it came off. */
export const inC = (code: string): string =>
  python(
    `import ctypes,os,sys,socket,struct,time\nc=ctypes.CDLL(None,use_errno=True)\ndef won(what="it came off"): print("canary-"+"7f3a91c2",what)\n${code}`,
  );

import { existsSync } from 'node:fs';
import { lazy } from '../../../base/lazy.ts';
import { listIfThere, readIfThere } from '../../../base/peek.ts';

/**
 * Words before a program that goes into a sandbox. Whoever started us may have left descriptors open, and all our children
 * have them too: a folder among them would lead out. Node shuts the lowest; the rest a shell shuts before the program.
 */
export const withoutInherited = lazy((): readonly string[] => {
  const open = listInherited();
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync);
  // Privileged, it reads nothing that a variable names; and a socket as its input makes it no login of somebody's.
  return open.length === 0 || bash === undefined
    ? []
    : [bash, '--norc', '-p', '-c', `exec ${open.map((each) => `${each}>&-`).join(' ')}; exec "$@"`, 'bash'];
});

const CLOSED_AT_START = 0o2000000;
/** The last of those we give a program ourselves. */
const GIVEN = 3;

/** Descriptors of ours that stay open when another program is started. */
function listInherited(): readonly number[] {
  return listIfThere('/proc/self/fdinfo').flatMap(({ name }) => {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readIfThere(`/proc/self/fdinfo/${name}`))?.[1];
    const staysOpen = flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_AT_START) === 0;
    return Number(name) > GIVEN && staysOpen ? [Number(name)] : [];
  });
}

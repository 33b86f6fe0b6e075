import { dirname, resolve } from 'node:path';
import type { LookAtFile } from './shell-context.ts';

/** Links followed in one path; the same bound as most systems have. */
const MAX_LINKS = 40;
const PROC = /^\/proc\/(?:self|thread-self|\d+)\/(root|cwd)(?=\/|$)/;

/** Follows the links in a path: those the line itself makes, those a peek at the disk shows, and those the system always has. */
export function followLinks(
  path: string,
  cwd: string | undefined,
  made: ReadonlyMap<string, string>,
  look: LookAtFile | undefined,
): string {
  let [left, links, parts] = [path, 0, [] as string[]];
  for (let rest = segments(left); rest.length > 0;) {
    const [next = '', ...more] = rest;
    const here = `/${[...parts, next].join('/')}`;
    const to = links < MAX_LINKS ? targetOf(here, cwd, made, look) : undefined;
    if (to === undefined) {
      parts = [...parts, next];
      rest = more;
    } else {
      links++;
      left = resolve(dirname(here), to, ...more);
      [parts, rest] = [[], segments(left)];
    }
  }
  return `/${parts.join('/')}`;
}

const segments = (path: string): string[] => path.split('/').filter((part) => part !== '');

function targetOf(
  path: string,
  cwd: string | undefined,
  made: ReadonlyMap<string, string>,
  look: LookAtFile | undefined,
): string | undefined {
  const proc = PROC.exec(path)?.[1];
  if (proc !== undefined) return proc === 'root' ? '/' : (cwd ?? '/');
  return made.get(path) ?? look?.(path)?.link;
}

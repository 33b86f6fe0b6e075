import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { SkillOrigin, SkillProblem } from '../../../contracts/skills.ts';

/** A folder skills are looked for in. */
export interface Root {
  readonly origin: SkillOrigin;
  readonly path: string;
}
export interface RootOptions {
  /** `HERMES_HOME/skills`. */
  readonly userDir: string;
  readonly bundledDir?: string | undefined;
  /** As the owner wrote them: `~` and `${NAME}` are filled in here. */
  readonly externalDirs?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The roots in the order of their right: a name found in an earlier one wins. */
export function resolveRoots(options: RootOptions): { readonly roots: readonly Root[]; readonly problems: readonly SkillProblem[] } {
  const roots: Root[] = [{ origin: 'user', path: resolve(options.userDir) }];
  const problems: SkillProblem[] = [];
  if (options.bundledDir !== undefined) roots.push({ origin: 'bundled', path: resolve(options.bundledDir) });
  for (const written of options.externalDirs ?? []) {
    const { path, unset } = filledIn(written.trim(), options.env ?? {});
    if (unset !== undefined)
      problems.push({ path: written, words: `skills.external_dirs names \${${unset}}, which is not set; set it or remove the line` });
    else if (path !== '') roots.push({ origin: 'external', path: resolve(dirname(options.userDir), path) });
  }
  return { roots, problems };
}

function filledIn(written: string, env: Readonly<Record<string, string | undefined>>): { readonly path: string; readonly unset?: string } {
  let unset: string | undefined;
  const path = written
    .replace(/^~(?=[\\/]|$)/, () => env['HOME'] || homedir())
    .replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = env[name] ?? '';
      if (value === '') unset ??= name;
      return value;
    });
  return { path, ...(unset !== undefined && { unset }) };
}

import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { ProgramSettings } from '../../../contracts/safety.ts';

const MAX_BYTES = 1024 * 1024;

/** The settings of programs that run on this machine with these variables. */
export const createProgramSettings = (env: Readonly<Record<string, string | undefined>>): ProgramSettings => ({
  home: env['HOME'] ?? homedir(),
  variable: (name) => (env[name] === '' ? undefined : env[name]),
  text: (path) => {
    try {
      const found = statSync(path);
      return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  },
});

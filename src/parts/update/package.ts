import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson, readStringAt } from '../../base/json.ts';
import type { Installation } from './contract.ts';
import { runProgram } from './run-program.ts';

/** A package that npm installed: globally, or for a project. */
export function createPackage(root: string, target: readonly string[], env: NodeJS.ProcessEnv): Installation {
  const options = { cwd: root, env };
  const facts = parseJson(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = readStringAt(facts, 'name') ?? '';
  const install = async (version: string): Promise<void> =>
    void (await runProgram('npm', ['install', '--no-audit', '--no-fund', ...target, `${name}@${version}`], { ...options, cwd: '/' }));
  return {
    installation: 'package',
    keepsRunning: false,
    root,
    look: async () => {
      const from = readStringAt(facts, 'version') ?? '';
      const newest = await runProgram('npm', ['view', name, 'version'], options);
      return newest === from ? { from, changes: [] } : { from, to: newest, changes: [] };
    },
    install,
    putBack: install,
  };
}

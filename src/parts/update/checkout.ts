import { UsageError } from '../../base/errors.ts';
import type { Installation } from './contract.ts';
import { runProgram } from './run-program.ts';

const MAX_CHANGES = 20;

/** A checkout of the sources: git brings the new ones, npm what they need, and builds them. Changes of one's own are never touched. */
export function createCheckout(root: string, env: NodeJS.ProcessEnv): Installation {
  const options = { cwd: root, env: { ...env, GIT_TERMINAL_PROMPT: '0' } };
  const git = (...args: readonly string[]): Promise<string> => runProgram('git', args, options);
  const build = (): Promise<string> => runProgram('npm', ['ci', '--no-audit', '--no-fund'], options);
  return {
    installation: 'checkout',
    root,
    look: async () => {
      const upstream = await git('rev-parse', '--abbrev-ref', '@{upstream}').catch(() => {
        throw new UsageError(
          `the branch of ${root} follows no other, so there is nothing to update from. Set one: git branch --set-upstream-to`,
        );
      });
      await git('fetch', '--quiet');
      const from = await git('rev-parse', '--short', 'HEAD');
      const changes = await git('log', '--format=%s', `--max-count=${MAX_CHANGES}`, `HEAD..${upstream}`);
      if (changes === '') return { from, changes: [] };
      return { from, to: await git('rev-parse', '--short', upstream), changes: changes.split('\n') };
    },
    install: async (to) => {
      if ((await git('status', '--porcelain', '--untracked-files=no')) !== '')
        throw new UsageError(`${root} has changes that are not committed, and was left as it is. Commit or stash them first.`);
      await git('merge', '--ff-only', to);
      await build();
    },
    putBack: async (from) => {
      if ((await git('rev-parse', '--short', 'HEAD')) === from) return;
      await git('reset', '--keep', from);
      await build();
    },
  };
}

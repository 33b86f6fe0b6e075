import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { Installation } from './contract.ts';
import { runProgram } from './run-program.ts';

const MAX_CHANGES = 20;

/**
 * A checkout of the sources: git brings the new ones, npm what they need, and builds them. Changes of one's own are never touched.
 * Until the new build is whole, the former one is what runs. A note in the git folder says from which version an update began: one
 * that was killed is known by it and done again.
 */
export function createCheckout(root: string, env: NodeJS.ProcessEnv): Installation {
  const options = { cwd: root, env: { ...env, GIT_TERMINAL_PROMPT: '0' } };
  const git = (...args: readonly string[]): Promise<string> => runProgram('git', args, options);
  const findHead = (): Promise<string> => git('rev-parse', '--short', 'HEAD');
  const findNote = async (): Promise<string> => resolve(root, await git('rev-parse', '--git-path', 'hermes-update'));
  const build = async (): Promise<void> => {
    await runProgram('npm', ['ci', '--no-audit', '--no-fund'], options);
    rmSync(await findNote(), { force: true });
  };
  return {
    installation: 'checkout',
    root,
    keepsRunning: true,
    look: async () => {
      const upstream = await git('rev-parse', '--abbrev-ref', '@{upstream}').catch(() => {
        throw new UsageError(
          `the branch of ${root} follows no other, so there is nothing to update from. Set one: git branch --set-upstream-to`,
        );
      });
      await git('fetch', '--quiet');
      const begun = readNote(await findNote());
      const from = begun ?? (await findHead());
      const changes = await git('log', '--format=%s', `--max-count=${MAX_CHANGES}`, `${from}..${upstream}`);
      if (changes === '' && begun === undefined) return { from, changes: [] };
      return { from, to: await git('rev-parse', '--short', upstream), changes: changes === '' ? [] : changes.split('\n') };
    },
    install: async (to) => {
      const note = await findNote();
      if ((await git('status', '--porcelain', '--untracked-files=no')) !== '')
        throw new UsageError(describeChanges(root, existsSync(note)));
      if (!existsSync(note)) replaceFile(note, `${await findHead()}\n`);
      await git('merge', '--ff-only', to);
      await build();
    },
    putBack: async (from) => {
      if ((await findHead()) === from && !existsSync(await findNote())) return;
      await git('reset', '--keep', from);
      await build();
    },
  };
}

function readNote(path: string): string | undefined {
  const commit = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  return /^[0-9a-f]+$/.test(commit) ? commit : undefined;
}

const describeChanges = (root: string, wasInterrupted: boolean): string =>
  `${root} has changes that are not committed, and was left as it is. ${
    wasInterrupted
      ? `An update was interrupted here: if none of them are yours, drop them with git -C ${root} reset --hard, then run hermes update again.`
      : 'Commit or stash them first.'
  }`;

import { existsSync } from 'node:fs';
import type { Env } from '../base/env.ts';
import { resolveHome } from '../base/home.ts';
import { listProfileNames, resolveProfileRoot, selectProfile } from '../base/profile.ts';
import type { ShellWord } from '../commands/complete-shell.ts';
import type { CompletionShell } from '../commands/completion.ts';
import { listCompletions, type ShellLists } from '../faces/cli/completion.ts';
import { toPrintable } from '../base/printable.ts';
import type { AnyCommand } from '../contracts/command.ts';
import { mentionsWord } from '../parts/config/mentions.ts';

/** How many of the latest sessions are offered. */
const MAX_SESSIONS = 50;

/** What a completion script is answered: `[shell, line, word]`. Whatever goes wrong, nothing is offered and nothing is said. */
export async function answerCompletion([shell = '', ...asked]: readonly string[], env: Env): Promise<string> {
  if (!isShell(shell)) return '';
  return listCompletions(shell, asked, {
    complete: async (words, typed) => {
      const [{ createBuiltinRegistry }, { completeShellLine }] = await Promise.all([
        import('../commands/builtin.ts'),
        import('../commands/complete-shell.ts'),
      ]);
      const { argv, home } = selectProfile(words, env);
      const own = home === undefined ? env : { ...env, HERMES_HOME: home };
      return completeShellLine(argv, typed, createBuiltinRegistry(await listProviderCommands(own)));
    },
    lists: listsFor(env),
  }).catch(() => '');
}
/** Somebody waits while typing: settings are read only where they may name a provider. */
async function listProviderCommands(env: Env): Promise<readonly AnyCommand[]> {
  if (!mentionsWord(resolveHome(env).config, 'memory')) return [];
  const { findProviderInUse } = await import('./provider-commands.ts');
  return (await findProviderInUse(env, undefined)).commands;
}
/** Not by the scripts: they come with the commands, which not every answer needs. */
const isShell = (name: string): name is CompletionShell => ['bash', 'zsh', 'fish'].includes(name);

function listsFor(env: Env): ShellLists {
  const homeOf = (words: readonly string[]) => {
    const { home } = selectProfile(words, env);
    return resolveHome(home === undefined ? env : { HERMES_HOME: home });
  };
  const named = (words: readonly string[], summary = ''): ShellWord[] => words.map((word) => ({ word, summary }));
  return {
    profile: async () => named(listProfileNames(resolveProfileRoot(resolveHome(env).root))),
    session: async (typed, words) => {
      const home = homeOf(words);
      if (!existsSync(home.store)) return [];
      const { openHomeStore } = await import('../parts/store/home-store.ts');
      await using store = await openHomeStore(home);
      const found = await store.list({ limit: MAX_SESSIONS });
      const titles =
        typed === '' ? [] : found.flatMap(({ id, title }) => (title === undefined ? [] : [{ word: toPrintable(title), summary: id }]));
      return [...found.map(({ id, title = '' }) => ({ word: id, summary: title })), ...titles];
    },
    model: async (typed, words) => {
      const { listModelNames } = await import('../parts/providers/models.ts');
      const provider = words[words.indexOf('--provider') + 1];
      const all = listModelNames(words.includes('--provider') ? provider : undefined);
      // All of them would fill the screen: somebody who has typed nothing is shown those of the named provider.
      return typed === '' && !words.includes('--provider') ? [] : named(all);
    },
    provider: async () => named((await import('../parts/providers/models.ts')).listModelProviders()),
    setting: async () => {
      const { SETTINGS } = await import('./config/config.ts');
      return Object.entries(SETTINGS).map(([word, { describe }]) => ({ word, summary: describe.split('. ')[0] ?? '' }));
    },
    skill: async (_typed, words) => {
      const { openServices } = await import('./services/services.ts');
      await using services = openServices({ processEnv: { ...env, HERMES_HOME: homeOf(words).root }, notice: () => {} });
      const { rows } = await (await services.openers.skills()).survey();
      return rows.map(({ skill }) => ({ word: skill.name, summary: skill.description }));
    },
  };
}

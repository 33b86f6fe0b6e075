import { resolve } from 'node:path';
import { noteClone } from './arrivals.ts';
import type { Call } from '../call/call.ts';
import { withScripts } from './package-scripts.ts';
import type { Shell } from './shell.ts';

/** What git leaves half done when it cannot go on, by the verb that began it. */
const BEGUN: ReadonlyMap<string, readonly string[]> = new Map([
  ['cherry-pick', ['cherry-pick']],
  ['revert', ['revert']],
  ['merge', ['merge']],
  ['rebase', ['rebase']],
  ['am', ['am']],
  ['pull', ['merge', 'rebase']],
]);
/** A place this very line has named is none the work is usually sent to. */
export function noteRemotes(shell: Shell, call: Call): undefined {
  const { args } = call;
  noteClone(shell, call);
  const verbs = args.filter((word) => !word.startsWith('-'));
  const [verb = ''] = verbs;
  if (BEGUN.has(verb) && !args.includes('--abort')) for (const begun of BEGUN.get(verb) ?? []) shell.made.add(`git ${begun}`);
  if (verbs[0] === 'remote' && /^(?:add|set-url)$/.test(verbs[1] ?? '')) shell.namesRemote = true;
  if (shell.strict && shell.namesRemote && verbs.includes('push')) shell.note('ask', 'data_sent', 'it pushes to a place it has just named');
}

/** Scripts that are put into the package run with the next call of them. */
export function notePackageScripts(shell: Shell, call: Call): undefined {
  if (call.place.cwd === undefined) return undefined;
  const path = resolve(call.place.cwd, 'package.json');
  const text = call.args.includes('set') ? withScripts(shell.textsOf(path, call.place.cwd)?.[0], call.args) : undefined;
  if (text !== undefined) shell.remember(path, [text]);
  return undefined;
}

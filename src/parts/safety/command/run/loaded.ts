import { resolveTargetPath } from '../places/paths.ts';
import { isSecret } from '../places/sensitive.ts';
import { MARK } from '../values/marks.ts';
import type { Call } from '../call/call.ts';
import type { Shell } from './shell.ts';

/** Secrets a line takes into its variables are shown by whatever shows those. */
export function noteLoadedSecrets(shell: Shell, { args, place }: Call): undefined {
  if (isSecret(resolveTargetPath(args[0] ?? '', place) ?? '', place)) shell.holdsSecrets = true;
}
export function noteShownVariables(shell: Shell, { args }: Call): undefined {
  if (shell.strict && shell.holdsSecrets && args.every((word) => /^-|^\w+$/.test(word)))
    shell.note('ask', 'secret_read', 'it shows secrets it has just loaded');
}

export function noteShownEnvironment(shell: Shell, call: Call): undefined {
  if (/process\.env\b|environ|\bENV\b|%ENV|getenv/.test(call.args.join(' '))) noteShownVariables(shell, { ...call, args: [] });
}
/** After secrets were loaded, a variable nobody else has set is one of them. */
export function notePrintedVariables(shell: Shell, { args, feeds, writes }: Call): undefined {
  if (shell.strict && shell.holdsSecrets && !feeds && writes.length === 0 && args.some((word) => word.includes(MARK.unknown)))
    shell.note('ask', 'secret_read', 'it shows secrets it has just loaded');
}

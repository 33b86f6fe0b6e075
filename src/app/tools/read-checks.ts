import type { CommandVerdict } from '../../contracts/safety.ts';
import { isSecret } from '../../parts/safety/command/places/sensitive.ts';
import type { FileGuard } from '../../parts/tools/builtin/files/guarded.ts';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import { resolveCanonicalPath } from '../../parts/tools/builtin/files/locate.ts';
import { createCredentialLookup } from '../../parts/safety/secrets/credential-names.ts';
import { createGuardCheck } from '../../parts/tools/builtin/files/guard-check.ts';
import type { JudgeOptions } from '../../parts/safety/judge/judge.ts';

/** What is thought of a tool that reads a place: the same as of a command that shows it. */
export type JudgeRead = (path: string) => CommandVerdict;

export interface ReadCheckOptions {
  readonly judging: Required<Omit<JudgeOptions, 'programFolders' | 'walled'>>;
  /** The home folder of the place commands run in. */
  readonly home: string;
  readonly guard: Pick<FileGuard, 'hides' | 'keeps'>;
}

/** By its name, and on this machine by what it is: a credential has other names where hard links lead to it. */
export function judgeReads({ judging, home, guard }: ReadCheckOptions): JudgeRead {
  const here = hasLocalFiles(judging.kind);
  const real = (path: string): string => (here ? resolveCanonicalPath(path) : path);
  const [base, profile] = [real(judging.workspace), real(judging.profile)];
  const homes = [...new Set([home, real(home)])];
  const holdsSecrets = remembered((path) => homes.some((each) => isSecret(path, { cwd: base, home: each, base, profile })));
  const otherName = here ? createCredentialLookup(home, judging.profile) : () => undefined;
  const refusal = createGuardCheck({ guard, kind: judging.kind, home }, 'read');
  return (path) => {
    if (holdsSecrets(path)) return refusal(path) ?? ASK;
    const name = otherName(path);
    if (name === undefined) return { type: 'fine' };
    if (guard.hides(name, { homes })) return { type: 'refuse', reason: `it is another name of ${name}, which tools do not read`, key: KEY };
    return holdsSecrets(name) ? ASK : { type: 'fine' };
  };
}

/** As for commands, so that who allowed one allowed the other. */
const KEY = 'secret_read';
const ASK: CommandVerdict = { type: 'ask', reason: 'it shows a file that holds secrets', key: KEY };

/** A session reads the same files again and again, and what a name means does not change. */
function remembered(judge: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path) ?? judge(path);
    if (known.size >= MAX_NAMES) known.clear();
    known.set(path, found);
    return found;
  };
}
const MAX_NAMES = 5_000;

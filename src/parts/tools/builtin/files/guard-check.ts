import type { CommandVerdict } from '../../../../contracts/safety.ts';
import type { FileGuard } from './guarded.ts';
import { resolveCanonicalPath } from './locate.ts';
import { hasLocalFiles } from '../../../../contracts/terminal.ts';

export interface GuardCheckOptions {
  readonly guard: Pick<FileGuard, 'keeps'>;
  /** The kind of place commands run in, and its home folder. */
  readonly kind: string;
  readonly home: string;
}
type FileIntent = 'read' | 'write';

/** What the guard of the file tools refuses whoever allows it: nobody is asked for a yes that would lift nothing. */
export function createGuardCheck(
  { guard, kind, home }: GuardCheckOptions,
  intent: FileIntent,
): (path: string) => CommandVerdict | undefined {
  const namesOf = (path: string): readonly string[] => [...new Set([path, hasLocalFiles(kind) ? resolveCanonicalPath(path) : path])];
  const homes = namesOf(home);
  return (path) => {
    const what = guard.keeps(namesOf(path), { homes }, intent);
    return what === undefined ? undefined : { type: 'refuse', reason: `it is ${what}, which tools do not ${intent}`, key: KEYS[intent] };
  };
}

const KEYS: Readonly<Record<FileIntent, string>> = { read: 'secret_read', write: 'secret_write' };

type JudgeFile = (path: string, cwd: string) => Promise<CommandVerdict>;

/** A judge of writing that asks for nothing the guard would refuse afterwards. */
export function withGuard(judge: JudgeFile, options: () => GuardCheckOptions): JudgeFile {
  return async (path, cwd) => {
    const verdict = await judge(path, cwd);
    return verdict.type === 'ask' ? (createGuardCheck(options(), 'write')(path) ?? verdict) : verdict;
  };
}

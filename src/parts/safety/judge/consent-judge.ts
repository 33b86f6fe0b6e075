import { sha256 } from '../../../base/sha256.ts';
import { sharesFiles } from '../../../contracts/terminal.ts';
import type { CommandLocation, JudgeCommand, ReadScript } from '../../../contracts/safety.ts';
import { placesOf } from './danger-places.ts';
import { peek, type JudgeOptions } from './judge.ts';
import { agentScripts } from './agent-scripts.ts';
import { rememberingJudge } from './remembering-judge.ts';

/**
 * A judge whose questions say all that a consent is good for: where the dangers lie, and which files stand behind the words.
 * A place that the judge tells itself stands.
 */
export function consentJudge(judge: JudgeCommand, { kind, workspace, profile }: JudgeOptions): JudgeCommand {
  const remembering = rememberingJudge(judge);
  return (line, place) => {
    const here = sharesFiles(kind);
    const files = here ? keeping(agentScripts({ workspace: workspace ?? place.cwd, shared: kind === 'local' })) : undefined;
    const whole: CommandLocation = {
      workspace,
      profile,
      ...(here && { look: peek }),
      ...(files !== undefined && { read: files.read }),
      ...place,
    };
    const verdict = remembering(line, whole);
    if (verdict.type !== 'ask') return verdict;
    const read = files?.seen() ?? [];
    const at = verdict.at ?? placesOf(line, whole, verdict.key.split('+'));
    return { ...verdict, ...(at !== undefined && { at }), ...(read.length > 0 && { read }) };
  };
}

/** Keeps what was read, as it was then. */
function keeping(read: (path: string) => string | undefined) {
  const seen = new Map<string, ReadScript>();
  return {
    read: (path: string): string | undefined => {
      const text = read(path);
      if (text !== undefined) seen.set(path, { path, hash: sha256(text) });
      return text;
    },
    seen: (): readonly ReadScript[] => [...seen.values()],
  };
}

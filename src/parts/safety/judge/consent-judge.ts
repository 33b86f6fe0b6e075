import { sha256 } from '../../../base/sha256.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';
import type { CommandLocation, JudgeCommand, HashedFile } from '../../../contracts/safety.ts';
import { findDangerPlaces } from './danger-places.ts';
import { statFile, type JudgeOptions } from './judge.ts';
import { createAgentScriptReader } from './agent-scripts.ts';
import { createRememberingJudge } from './remembering-judge.ts';

/**
 * A judge whose questions say all that a consent is good for: where the dangers lie, and which files stand behind the words.
 * A place that the judge tells itself stands.
 */
export function createConsentJudge(judge: JudgeCommand, { kind, workspace, profile, programFolders }: JudgeOptions): JudgeCommand {
  const remembering = createRememberingJudge(judge);
  return (line, place) => {
    const here = hasLocalFiles(kind);
    const files = here ? keeping(createAgentScriptReader({ workspace: workspace ?? place.cwd, shared: kind === 'local' })) : undefined;
    const whole: CommandLocation = {
      workspace,
      profile,
      programFolders,
      ...(here && { look: statFile }),
      ...(files !== undefined && { read: files.read }),
      ...place,
    };
    const verdict = remembering(line, whole);
    if (verdict.type !== 'ask') return verdict;
    const read = files?.seen() ?? [];
    const at = verdict.at ?? findDangerPlaces(line, whole, verdict.key.split('+'));
    return { ...verdict, ...(Object.keys(at).length > 0 && { at }), ...(read.length > 0 && { read }) };
  };
}

/** Keeps what was read, as it was then. */
function keeping(read: (path: string) => string | undefined) {
  const seen = new Map<string, HashedFile>();
  return {
    read: (path: string): string | undefined => {
      const text = read(path);
      if (text !== undefined) seen.set(path, { path, hash: sha256(text) });
      return text;
    },
    seen: (): readonly HashedFile[] => [...seen.values()],
  };
}

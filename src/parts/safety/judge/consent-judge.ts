import { basename } from 'node:path';
import { sha256 } from '../../../base/sha256.ts';
import { hasLocalFiles } from '../../../contracts/terminal.ts';
import type { CommandLocation, JudgeCommand, HashedFile } from '../../../contracts/safety.ts';
import { findDangerPlaces } from './danger-places.ts';
import { statFile, type JudgeOptions } from './judge.ts';
import { createAgentScriptReader } from './agent-scripts.ts';
import { createListeningJudge } from '../command/judge.ts';
import { findRunFiles } from '../command/rules/project-code.ts';
import { createKeptLookup, type KeptOptions } from './kept.ts';
import { showsAsIs } from './shown-as-is.ts';
import { createRememberingJudge } from './remembering-judge.ts';

export type ConsentJudgeOptions = JudgeOptions & Pick<KeptOptions, 'maxKeptBytes'> & Pick<CommandLocation, 'masks' | 'settings'>;

/**
 * A judge whose questions say all that a consent is good for: where the dangers lie, and which files stand behind the words.
 * A place that the judge tells itself stands.
 */
export function createConsentJudge(
  judge: JudgeCommand,
  { kind, workspace, profile, programFolders, maxKeptBytes, masks, settings }: ConsentJudgeOptions,
): JudgeCommand {
  const remembering = createRememberingJudge(judge);
  return (line, place) => {
    const here = hasLocalFiles(kind);
    const keeps =
      here && workspace !== undefined
        ? createKeptLookup(place.cwd, { workspace, ...(maxKeptBytes !== undefined && { maxKeptBytes }) })
        : undefined;
    const shown = masks && ((path: string): boolean => showsAsIs(line, basename(path)) && masks(path));
    const whole: CommandLocation = {
      workspace,
      profile,
      programFolders,
      ...(here && { look: statFile, keeps, masks: shown, settings }),
      ...place,
    };
    const verdict = remembering(line, whole);
    if (verdict.type !== 'ask') return verdict;
    const read = here
      ? hashRunFiles(line, whole, createAgentScriptReader({ workspace: workspace ?? place.cwd, shared: kind === 'local' }))
      : [];
    const at = verdict.at ?? findDangerPlaces(line, whole, verdict.key.split('+'));
    return { ...verdict, ...(Object.keys(at).length > 0 && { at }), ...(read.length > 0 && { read }) };
  };
}

/** Files a line runs by their names, as far as the agent may have written them, as they are now: no verdict hangs on them, but consent does. */
function hashRunFiles(line: string, place: CommandLocation, read: (path: string) => string | undefined): readonly HashedFile[] {
  const paths = new Set<string>();
  createListeningJudge([], false, (call) => {
    for (const path of findRunFiles(call)) paths.add(path);
  })(line, place);
  return [...paths].flatMap((path) => {
    const text = read(path);
    return text === undefined ? [] : [{ path, hash: sha256(text) }];
  });
}

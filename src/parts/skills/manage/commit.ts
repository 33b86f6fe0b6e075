import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../../base/replace-file.ts';
import { sha256 } from '../../../base/sha256.ts';
import { hashSkillFiles, hashSkillState, type FileHashes } from '../view/files.ts';
import { locate } from '../view/inside.ts';
import { copySkill, moveIn, moveToTrash, makeStage, tidy } from './skill-folders.ts';
import type { SkillFileChange, ManagePlan } from './plan.ts';

/** The state the skill's folder will have; `undefined` when it is too large to be told. */
export function computeStateAfter({ skill, change }: ManagePlan): string | undefined {
  const hashes = skill === undefined ? {} : hashSkillFiles(skill.folder);
  return hashes && change && hashSkillState(withChange(hashes, change));
}

function withChange(hashes: FileHashes, { path, after }: SkillFileChange): FileHashes {
  const others = Object.entries(hashes).filter(([name]) => name !== path);
  return Object.fromEntries(after === undefined ? others : [...others, [path, sha256(after.toWellFormed())]]);
}

/** Does what was planned, so that a kill leaves the skill as it was or as it is to be. Only while alone. Gives the place of what was removed. */
export function commit(userDir: string, { skill, target, change }: ManagePlan): string | undefined {
  if (change === undefined) return moveToTrash(userDir, skill?.name ?? '', target);
  if (skill?.folder === target) {
    tidy(target);
    return apply(userDir, skill.name, target, change);
  }
  const staged = makeStage(userDir);
  if (skill !== undefined) copySkill(skill.folder, staged);
  const removed = apply(userDir, skill?.name ?? '', staged, change);
  moveIn(staged, target);
  return removed;
}

function apply(userDir: string, name: string, folder: string, { path, after }: SkillFileChange): string | undefined {
  const place = locate(folder, path);
  if (!place.ok) throw new Error(place.words);
  if (after === undefined) return moveToTrash(userDir, name, join(folder, path), path);
  // A script that says how to run it can be run.
  const mode = !existsSync(place.path) && after.startsWith('#!') ? 0o700 : undefined;
  replaceFile(place.path, after.toWellFormed(), mode);
  return undefined;
}

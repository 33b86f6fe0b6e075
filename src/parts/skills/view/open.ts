import { join } from 'node:path';
import { readTextFile } from '../../../base/text-file.ts';
import type { TextAdmission, AdmitText } from '../../../contracts/scan.ts';
import type { Skill } from '../../../contracts/skills.ts';
import { SKILL_FILE } from '../catalog/discover.ts';
import { listSupportFiles, type LinkedFile } from './files.ts';
import { locate } from './inside.ts';
import { readPage, type SkillPage } from './page.ts';
import { listMissingSetup, type MissingSetup, type SetupOptions } from './setup.ts';

/** A skill with all that can be said about it, before anybody decided who may see it. */
export interface OpenSkill {
  readonly skill: Skill;
  readonly page: SkillPage;
  readonly files: readonly LinkedFile[];
  readonly missing: readonly MissingSetup[];
  readonly admission: TextAdmission;
}
export interface OpenFile {
  readonly path: string;
  readonly text: string;
  readonly admission: TextAdmission;
}
export interface SkillReading {
  readonly admit: AdmitText;
  readonly setup: SetupOptions;
}
export type OpenResult<What> = { readonly ok: true; readonly opened: What } | { readonly ok: false; readonly words: string };

/** Bundled skills come with the program; only a folder somebody else fills is not the owner's. */
export const isOwned = ({ origin }: Skill): boolean => origin !== 'external';

export async function openSkill(skill: Skill, { admit, setup }: SkillReading): Promise<OpenResult<OpenSkill>> {
  const read = await readPage(skill.folder);
  if (!read.ok) return read;
  const admission = admit(read.page.text, {
    kind: 'skill',
    name: `skill ${skill.name}`,
    owned: isOwned(skill),
    path: join(skill.folder, SKILL_FILE),
  });
  return {
    ok: true,
    opened: { skill, page: read.page, files: filesIn(skill.folder), missing: listMissingSetup(read.page.fields, setup), admission },
  };
}

/** A folder that vanished meanwhile has no files. */
function filesIn(folder: string): readonly LinkedFile[] {
  try {
    return listSupportFiles(folder).files;
  } catch {
    return [];
  }
}

/** Far above what is shown: only what is no text for a model is larger. */
const MAX_BYTES = 8 * 1024 * 1024;

export function openFile(skill: Skill, path: string, admit: AdmitText): OpenResult<OpenFile> {
  const place = locate(skill.folder, path);
  if (!place.ok) return place;
  const file = readTextFile(place.path, MAX_BYTES);
  if (!file.ok && file.missing) return { ok: false, words: `${place.name} is not in the skill ${skill.name}. ${listed(skill.folder)}` };
  if (!file.ok)
    return { ok: false, words: `${place.name} of the skill ${skill.name} cannot be shown: ${file.why}. It lies at ${place.path}.` };
  const admission = admit(file.text, {
    kind: 'skill',
    name: `skill ${skill.name}, ${place.name}`,
    owned: isOwned(skill),
    path: place.path,
  });
  return { ok: true, opened: { path: place.name, text: file.text, admission } };
}

const MAX_LISTED = 30;
function listed(folder: string): string {
  const files = filesIn(folder).map(({ path }) => path);
  if (files.length === 0) return 'It has no linked files.';
  const more = files.length > MAX_LISTED ? ` and ${files.length - MAX_LISTED} more` : '';
  return `It has: ${files.slice(0, MAX_LISTED).join(', ')}${more}.`;
}

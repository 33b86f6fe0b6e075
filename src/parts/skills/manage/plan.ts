import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readTextFile } from '../../../base/text-file.ts';
import type { ScanText } from '../../../contracts/scan.ts';
import type { Skill, SkillCatalog } from '../../../contracts/skills.ts';
import { SKILL_FILE } from '../catalog/discover.ts';
import { describeUnknownSkill } from '../view/near-names.ts';
import { findEnclosingSkill, isInsideSkillsFolder } from './skill-folders.ts';
import { checkCategory, checkFile, checkName, checkPage, checkSupportPath, refuse } from './rules.ts';

export interface ManageInput {
  readonly action: 'create' | 'patch' | 'edit' | 'delete' | 'write_file' | 'remove_file';
  readonly name: string;
  readonly content?: string;
  readonly category?: string;
  readonly old_string?: string;
  readonly new_string?: string;
  readonly replace_all?: boolean;
  readonly file_path?: string;
  readonly file_content?: string;
}
export type ReplaceTextResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly words: string };
export type ReplaceText = (text: string, oldString: string, newString: string, replaceAll: boolean) => ReplaceTextResult;

export interface SkillManageDeps {
  /** `HERMES_HOME/skills`: nothing is ever written anywhere else. */
  readonly userDir: string;
  readonly catalog: SkillCatalog;
  readonly scan: ScanText;
  readonly replaceIn: ReplaceText;
}

/** What is to become of one file; without `after` it goes. */
export interface SkillFileChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}
export interface ManagePlan {
  /** Absent for a skill that is new. */
  readonly skill?: Skill;
  /** The folder it will have. */
  readonly target: string;
  /** Absent: the whole skill goes. */
  readonly change?: SkillFileChange;
  /** Of a skill that is new. */
  readonly description?: string;
}

type PlanAction = (input: ManageInput, skill: Skill, keeping: SkillManageDeps) => Promise<ManagePlan>;

/** A new action is a row here. */
const CHANGES: Readonly<Record<Exclude<ManageInput['action'], 'create'>, PlanAction>> = {
  edit: async ({ content = '' }, skill, { userDir }) => {
    await checkPage(content, skill.name);
    return changed(skill, userDir, { path: SKILL_FILE, ...before(skill, SKILL_FILE), after: content });
  },
  patch: async (input, skill, keeping) => {
    const path = isPage(input.file_path) ? SKILL_FILE : checkSupportPath(skill.folder, input.file_path);
    const old = before(skill, path).before ?? refuse(`${path} is not in the skill ${skill.name}; write_file makes it.`);
    if ((input.old_string ?? '') === '') refuse('old_string is missing: the text to replace, with enough around it to be found once.');
    const replaced = keeping.replaceIn(old, input.old_string ?? '', input.new_string ?? '', input.replace_all ?? false);
    if (!replaced.ok) refuse(`${path} of ${skill.name} was not changed: ${replaced.words}`);
    if (path === SKILL_FILE) await checkPage(replaced.text, skill.name);
    else checkFile(path, replaced.text);
    return changed(skill, keeping.userDir, { path, before: old, after: replaced.text });
  },
  write_file: async ({ file_path, file_content }, skill, { userDir }) => {
    const path = checkSupportPath(skill.folder, file_path);
    if (file_content === undefined) refuse('file_content is missing: the whole text of the file.');
    checkFile(path, file_content);
    return changed(skill, userDir, { path, ...before(skill, path), after: file_content });
  },
  remove_file: async ({ file_path }, skill, { userDir }) => {
    const path = checkSupportPath(skill.folder, file_path);
    if (!existsSync(join(skill.folder, path))) refuse(`${path} is not in the skill ${skill.name}; nothing was removed.`);
    return changed(skill, userDir, { path, ...before(skill, path) });
  },
  delete: async (_input, skill) => {
    if (skill.origin !== 'user')
      refuse(`${skill.name} is ${ORIGINS[skill.origin]} and cannot be deleted. The owner can hide it: add its name to skills.disabled.`);
    return { skill, target: skill.folder };
  },
};
export const ORIGINS = { user: "the owner's", bundled: 'a bundled skill', external: 'a skill of an external folder' } as const;

export async function planChange(input: ManageInput, keeping: SkillManageDeps): Promise<ManagePlan> {
  const name = input.name.trim();
  if (input.action === 'create') return newSkill({ ...input, name }, keeping);
  const skill = await keeping.catalog.find(name);
  if (skill === undefined)
    refuse(
      describeUnknownSkill(
        name,
        (await keeping.catalog.all()).skills.map((each) => each.name),
      ),
    );
  if (skill.origin === 'user' && !isInsideSkillsFolder(keeping.userDir, skill.folder))
    refuse(`${skill.folder} is a link that leads out of ${keeping.userDir}; only the owner changes what lies there.`);
  return CHANGES[input.action](input, skill, keeping);
}

async function newSkill({ name, content = '', category }: ManageInput, { userDir, catalog }: SkillManageDeps): Promise<ManagePlan> {
  checkName(name);
  const taken = await catalog.find(name);
  if (taken !== undefined)
    refuse(`The name ${name} is taken by ${taken.folder} (${taken.description}). Use patch or edit on it, or another name.`);
  const head = await checkPage(content, name);
  const target = resolveSkillFolder(userDir, category?.trim() || head.category || GENERAL, name);
  if (existsSync(target)) refuse(`${target} is already there, though it holds no usable skill of that name; the owner has to look at it.`);
  return { target, change: { path: SKILL_FILE, after: content }, description: head.description };
}
const GENERAL = 'general';

/** Where a skill of the user's own goes. */
export function resolveSkillFolder(userDir: string, category: string, name: string): string {
  checkCategory(category);
  const target = join(userDir, ...category.split('/'), name);
  const covering = findEnclosingSkill(userDir, target);
  if (covering !== undefined) refuse(`The category ${category} lies inside of the skill ${covering}; choose another.`);
  if (!isInsideSkillsFolder(userDir, target)) refuse(`The category ${category} is a link that leads out of ${userDir}; choose another.`);
  return target;
}

/** Others' skills are never changed where they lie: the change goes into a copy of the user's own, which wins by its place. */
const changed = (skill: Skill, userDir: string, change: SkillFileChange): ManagePlan => ({
  skill,
  target: skill.origin === 'user' ? skill.folder : resolveSkillFolder(userDir, ownCategory(skill.category), skill.name),
  change,
});
const ownCategory = (category: string): string => (/^[a-z0-9_-]{1,64}(?:\/[a-z0-9_-]{1,64}){0,2}$/.test(category) ? category : GENERAL);

const MAX_BYTES = 8 * 1024 * 1024;
function before(skill: Skill, path: string): { readonly before?: string } {
  const file = readTextFile(join(skill.folder, path), MAX_BYTES);
  return file.ok ? { before: file.text } : {};
}
const isPage = (path: string | undefined): boolean => path === undefined || ['', SKILL_FILE].includes(path.trim());

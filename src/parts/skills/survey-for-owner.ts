import { dirname } from 'node:path';
import type { SkillRowView, SkillSurveyView } from '../../contracts/services/skills.ts';
import type { SkillCatalog, SkillContext } from '../../contracts/skills.ts';
import type { CatalogConditions } from './catalog/conditions.ts';
import { readLockEntries } from './install/lock-file.ts';
import { findAgentSkillRecord } from './manage/provenance.ts';
import { describeUnknownSkill } from './view/near-names.ts';
import { openSkill, type OpenResult, type OpenSkill, type SkillReading } from './view/open.ts';
import { explainHidden } from './why-hidden.ts';

export interface SurveyOptions {
  readonly catalog: SkillCatalog;
  readonly userDir: string;
  readonly context: SkillContext;
  readonly standing: CatalogConditions;
}

export async function surveyForOwner({ catalog, userDir, context, standing }: SurveyOptions): Promise<SkillSurveyView> {
  const { skills, problems } = await catalog.all();
  const sources = new Map(readLockEntries(userDir).map(({ name, source }) => [name, source]));
  const rows = skills.map((skill): SkillRowView => {
    const hidden = explainHidden(skill, context, standing);
    const source = skill.origin === 'user' ? sources.get(skill.name) : undefined;
    return {
      skill,
      ...(hidden !== undefined && { hidden }),
      ...(source !== undefined && { source }),
      madeByAgent: skill.origin === 'user' && findAgentSkillRecord(userDir, skill.name) !== undefined,
      problems: problems.filter(({ path }) => dirname(path) === skill.folder).map(({ words }) => words),
    };
  });
  const used = new Set(skills.map(({ folder }) => folder));
  return { rows, problems: problems.filter(({ path }) => !used.has(dirname(path))) };
}

/** One skill for the owner: also what the model may not see. */
export async function openForOwner(name: string, catalog: SkillCatalog, reading: SkillReading): Promise<OpenResult<OpenSkill>> {
  const { skills } = await catalog.all();
  const skill = skills.find((each) => each.name === name);
  if (skill === undefined)
    return {
      ok: false,
      words: describeUnknownSkill(
        name,
        skills.map((each) => each.name),
      ).replace('skills_list', 'hermes skills list'),
    };
  return openSkill(skill, reading);
}

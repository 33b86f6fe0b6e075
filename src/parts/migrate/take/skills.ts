import type { ForeignHome, ForeignSkill } from '../foreign/foreign-home.ts';
import { have, type MigrationTarget, type PlannedItem } from './target.ts';

/** Skills come by the way all skills come: looked through first, and refused where that finds something severe. */
export async function planSkills({ skills: theirs }: ForeignHome, { skills, shared }: MigrationTarget): Promise<readonly PlannedItem[]> {
  return Promise.all(theirs.map((skill) => planSkill(skill)));

  async function planSkill(skill: ForeignSkill): Promise<PlannedItem> {
    const found = skills.inspect(skill.folder);
    const findings = found.length === 0 ? {} : { findings: found };
    if (shared) return { ...have('skills', skill.name, 'both programs use this folder'), ...findings };
    const preview = await skills.preview(skill);
    const item = { kind: 'skills', name: skill.name, ...findings, ...preview } as const;
    if (preview.state !== 'take') return item;
    const take = async () => {
      const refusal = await skills.install(skill);
      return refusal === undefined ? undefined : ({ state: 'left', why: refusal } as const);
    };
    return { ...item, take };
  }
}

import type { Skill, SkillListing, SkillProblem } from '../../../contracts/skills.ts';
import type { Head } from './head.ts';
import type { SurveyRecord, SurveyedFile } from './survey.ts';

/** Category of a skill that lies directly below a root and names none. */
const GENERAL = 'general';

/** Skills in the order of category and name; of two with one name the one found first stays. Places come in the order of right. */
export function createListing(
  places: readonly SurveyedFile[],
  files: SurveyRecord['files'],
  problems: readonly SkillProblem[],
): SkillListing {
  const skills = new Map<string, { readonly skill: Skill; readonly place: SurveyedFile }>();
  const categories = new Map<string, string>();
  const told: SkillProblem[] = [...problems];
  for (const place of places) {
    const { head, description, problem } = files.get(place.path)?.content ?? {};
    const tell = (words: string) => told.push({ path: place.path, words });
    if (place.kind === 'skill' && place.names.length === 0) {
      tell('it is directly in the skills folder; move it into its own subfolder');
      continue;
    }
    if (problem !== undefined) tell(problem);
    if (description) categories.set(categoryAt(place.names), categories.get(categoryAt(place.names)) ?? description);
    if (head === undefined) continue;
    const holder = skills.get(head.name)?.place;
    if (holder === undefined) skills.set(head.name, { skill: skillOf(place, head), place });
    else if (holder.root === place.root) tell(`the name "${head.name}" already belongs to ${holder.path}; rename this one to use it`);
  }
  return {
    skills: [...skills.values()].map(({ skill }) => skill).toSorted(byCategoryAndName),
    categories: Object.fromEntries(categories),
    problems: told,
  };
}

/** Where the folder lies decides; what the head says only fills the gap. */
const skillOf = ({ root, folder, names }: SurveyedFile, head: Head): Skill => ({
  name: head.name,
  description: head.description,
  category: names.length === 1 ? (head.category ?? GENERAL) : categoryAt(names.slice(0, -1)),
  folder,
  origin: root.origin,
  platforms: head.platforms,
  conditions: head.conditions,
  tags: head.tags,
  related: head.related,
  ...(head.version !== undefined && { version: head.version }),
});
const categoryAt = (names: readonly string[]): string => (names.length === 0 ? GENERAL : names.join('/'));

const byCategoryAndName = (a: Skill, b: Skill): number => byCodeUnit(a.category, b.category) || byCodeUnit(a.name, b.name);
const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

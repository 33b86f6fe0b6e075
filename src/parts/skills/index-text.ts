import { safeHead } from '../../base/text.ts';
import type { Skill, SkillListing } from '../../contracts/skills.ts';

const INSTRUCTION = `## Skills
Look through this list before you answer. When a skill fits the task, even in part, load it with skill_view(name) and follow it. If a skill you loaded turns out wrong or incomplete and skill_manage is among your tools, mend it before you finish. The lines below only say what each skill is about.`;

/** House rule of the skill format for a line of the index. */
const MOST_SKILL = 60;
const MOST_CATEGORY = 100;

/** The skills section of the system prompt; empty when no skill is shown. The same listing always gives the same bytes. */
export function indexText(listing: SkillListing): string {
  if (listing.skills.length === 0) return '';
  const text = rendered.get(listing) ?? render(listing);
  rendered.set(listing, text);
  return text;
}
/** A catalog gives the same listing until something changes. */
const rendered = new WeakMap<SkillListing, string>();

function render({ skills, categories }: SkillListing): string {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) groups.set(skill.category, [...(groups.get(skill.category) ?? []), skill]);
  const lines = [...groups.keys()]
    .toSorted()
    .flatMap((category) => [
      line(
        `${plain(category, MOST_CATEGORY)}:`,
        plain(Object.hasOwn(categories, category) ? (categories[category] ?? '') : '', MOST_CATEGORY),
      ),
      ...(groups.get(category) ?? []).toSorted(byName).map(skillLine),
    ]);
  return [INSTRUCTION, '<available_skills>', ...lines, '</available_skills>'].join('\n');
}

const byName = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : Number(a.name > b.name));
const skillLine = ({ name, description }: Skill): string => {
  const words = plain(description, MOST_SKILL);
  return line(`  - ${plain(name, MOST_CATEGORY)}${words === '' ? '' : ':'}`, words);
};
const line = (label: string, words: string): string => (words === '' ? label : `${label} ${words}`);

/** Foreign words on one line: nothing unseen in them, and nothing that could open or close a tag. */
function plain(text: string, most: number): string {
  const words = HARMLESS.test(text) ? text : neutral(text);
  return words.length <= most ? words : `${safeHead(words, most - 3).trimEnd()}...`;
}

/** Almost every line; the tables of Unicode classes need not be built for it. */
const HARMLESS = /^(?:[!-;=?-~]+(?: (?=[!-~])|$))*$/;
const neutral = (text: string): string =>
  text
    .replaceAll(/[<\uFF1C\uFE64]/g, '(')
    .replaceAll(/[>\uFF1E\uFE65]/g, ')')
    .replaceAll(/[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Z}]+/gu, ' ')
    .trim();

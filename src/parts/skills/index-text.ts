import { takeStart } from '../../base/text.ts';
import type { Skill, SkillListing } from '../../contracts/skills.ts';

const INSTRUCTION = `# Skills (mandatory)
Check this list before you start. If a skill matches the task, even partly, you must load it with skill_view(name) and follow it.`;

/** Characters of a skill's description: the most with which the section stays within `ROOMY`, else the last, the house rule of the skill format. */
const MIN_SKILL = 60;
const MAX_SKILL = [200, 160, 120, 90, MIN_SKILL] as const;
const ROOMY = 8_000;
const MAX_CATEGORY = 100;
/** Of the whole section. A cut from outside would lose the closing tag, so it keeps within its bound by itself. */
const MAX_TEXT = 60_000;

/** The skills section of the system prompt; empty when no skill is shown. The same listing always gives the same bytes. */
export function renderSkillIndex(listing: SkillListing): string {
  if (listing.skills.length === 0) return '';
  const text = rendered.get(listing) ?? render(listing);
  rendered.set(listing, text);
  return text;
}
/** A catalog gives the same listing until something changes. */
const rendered = new WeakMap<SkillListing, string>();

function render(listing: SkillListing): string {
  for (const most of MAX_SKILL.filter((each) => estimateLength(listing, each) <= ROOMY)) {
    const roomy = renderIndex(groupsOf(listing, most), '');
    if (roomy.length <= ROOMY) return roomy;
  }
  const groups = groupsOf(listing, MIN_SKILL);
  const described = renderIndex(groups, '');
  return described.length <= MAX_TEXT ? described : shortened(groups, described.length);
}

/** Without rendering: thousands of skills would be rendered five times. */
const estimateLength = ({ skills }: SkillListing, most: number): number =>
  skills.reduce((sum, { name, description }) => sum + name.length + Math.min(description.length, most), 0);

/** One category: its line, and one for each of its skills. */
interface SkillCategory {
  readonly label: string;
  readonly members: readonly Skill[];
  readonly lines: readonly string[];
}

function groupsOf({ skills, categories }: SkillListing, most: number): readonly SkillCategory[] {
  const byCategory = Map.groupBy(skills, ({ category }) => category);
  return [...byCategory.keys()].toSorted().map((category) => {
    const words = Object.hasOwn(categories, category) ? (categories[category] ?? '') : '';
    const members = (byCategory.get(category) ?? []).toSorted(byName);
    return {
      label: line(`${plain(category, MAX_CATEGORY)}:`, plain(words, MAX_CATEGORY)),
      members,
      lines: members.map((skill) => skillLine(skill, most)),
    };
  });
}

const renderIndex = (groups: readonly SkillCategory[], note: string): string =>
  [
    INSTRUCTION,
    '<available_skills>',
    ...groups.flatMap(({ label, lines }) => [label, ...lines]),
    ...(note === '' ? [] : [note]),
    '</available_skills>',
  ].join('\n');

const byName = (a: Skill, b: Skill): number => (a.name < b.name ? -1 : Number(a.name > b.name));
const nameLine = ({ name }: Skill): string => `  - ${plain(name, MAX_CATEGORY)}`;
const skillLine = (skill: Skill, most: number): string => {
  const words = plain(skill.description, most);
  return words === '' ? nameLine(skill) : `${nameLine(skill)}: ${words}`;
};
const line = (label: string, words: string): string => (words === '' ? label : `${label} ${words}`);

/** The largest categories lose their descriptions first; when names alone are too many, every category keeps its first ones. */
function shortened(groups: readonly SkillCategory[], length: number): string {
  const named = new Map<SkillCategory, SkillCategory>();
  let left = length + MAX_NOTE;
  for (const group of groups.toSorted((a, b) => b.lines.length - a.lines.length)) {
    if (left <= MAX_TEXT) break;
    const lines = group.members.map(nameLine);
    named.set(group, { ...group, lines });
    left -= lengthOf(group.lines) - lengthOf(lines);
  }
  const all = groups.map((group) => named.get(group) ?? group);
  const kept = left <= MAX_TEXT ? all : firstOfEach(all, MAX_TEXT - MAX_NOTE - renderIndex([], '').length);
  return renderIndex(kept, note(count(all) - count(kept)));
}
const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, { length }) => sum + length + 1, 0);
const count = (groups: readonly SkillCategory[]): number => groups.reduce((sum, { lines }) => sum + lines.length, 0);

/** In turns, one skill of each category, until there is no more room. */
function firstOfEach(groups: readonly SkillCategory[], room: number): readonly SkillCategory[] {
  const taken = new Map<SkillCategory, number>();
  let left = room;
  for (let turn = 0; groups.some(({ lines }) => turn < lines.length); turn++)
    for (const group of groups.filter(({ lines }) => turn < lines.length)) {
      left -= lengthOf([group.lines[turn] ?? '', ...(turn === 0 ? [group.label] : [])]);
      if (left < 0) return cutTo(groups, taken);
      taken.set(group, turn + 1);
    }
  return groups;
}
const cutTo = (groups: readonly SkillCategory[], taken: ReadonlyMap<SkillCategory, number>): readonly SkillCategory[] =>
  groups.flatMap((group) => (taken.has(group) ? [{ ...group, lines: group.lines.slice(0, taken.get(group)) }] : []));

const note = (out: number): string =>
  `(${out === 0 ? '' : `Left out for want of room: ${out}. `}skills_list shows every skill with its description.)`;
/** Room for the note and its line end. */
const MAX_NOTE = 120;

/** Foreign words on one line: nothing unseen in them, and nothing that could open or close a tag. */
function plain(text: string, most: number): string {
  const words = HARMLESS.test(text) ? text : neutral(text);
  return words.length <= most ? words : `${takeStart(words, most - 3).trimEnd()}...`;
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

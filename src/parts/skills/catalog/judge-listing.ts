import type { AdmitText } from '../../../contracts/scan.ts';
import type { Skill, SkillListing } from '../../../contracts/skills.ts';

const BLOCKED = '(description blocked)';

/** A listing whose words may reach the model, and what its owner should know of those that may not. */
export interface JudgedListing {
  readonly listing: SkillListing;
  readonly notices: readonly string[];
}

/** All words of a listing that are judged, in one text: the same listing is the same text. */
export const joinTextToJudge = ({ skills, categories }: SkillListing): string =>
  JSON.stringify([
    skills.flatMap(({ origin, name, description }) => (origin === 'bundled' ? [] : [[origin, name, description]])),
    categories,
  ]);

/** Names and descriptions speak to the model too. What came with the program is ours; a category's words may be anybody's. */
export function judgeListing(listing: SkillListing, admit: AdmitText): JudgedListing {
  const notices: string[] = [];
  const judged = (words: string, name: string, owned: boolean): string => {
    const admission = admit(words, { kind: 'skill', name, owned });
    notices.push(...(admission.allow ? admission.notices : [admission.notice]));
    return admission.allow ? words : BLOCKED;
  };
  const skills = listing.skills.map((skill: Skill) =>
    skill.origin === 'bundled'
      ? skill
      : { ...skill, description: judged(skill.description, `the description of skill ${skill.name}`, skill.origin === 'user') },
  );
  const ours = new Set(listing.skills.filter(({ origin }) => origin !== 'bundled').map(({ category }) => category));
  const categories = Object.fromEntries(
    Object.entries(listing.categories).map(([name, words]) => [
      name,
      ours.has(name) ? judged(words, `the description of category ${name}`, false) : words,
    ]),
  );
  return { listing: { ...listing, skills, categories }, notices };
}

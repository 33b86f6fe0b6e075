import { editDistance } from '../../../base/text.ts';

const MOST = 3;

/** Names that may have been meant: nearly the same letters, or one within the other. */
function nearNames(word: string, names: readonly string[]): readonly string[] {
  const wanted = word
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
    .slice(0, 64);
  const reach = Math.max(2, Math.floor(wanted.length * 0.3));
  return names
    .map((name) => ({ name, off: name.includes(wanted) || (name.length > 3 && wanted.includes(name)) ? 1 : editDistance(wanted, name) }))
    .filter(({ off }) => off <= reach)
    .toSorted((a, b) => a.off - b.off || (a.name < b.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ name }) => name);
}

export function describeUnknownSkill(word: string, names: readonly string[]): string {
  const near = nearNames(word, names);
  const hint = near.length === 0 ? 'skills_list shows all of them.' : `Did you mean ${near.join(' or ')}?`;
  return `There is no skill ${JSON.stringify(word.slice(0, 100))}. ${hint}`;
}

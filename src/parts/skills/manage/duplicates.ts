import { splitFrontmatter } from '../../../base/frontmatter.ts';
import type { Skill } from '../../../contracts/skills.ts';
import { readPage } from '../view/page.ts';

/** Share of common words from which two descriptions say the same, and of common word pairs for two bodies. */
const ALIKE = { description: 0.6, body: 0.5 } as const;
/** Descriptions of fewer words are alike by chance. */
const LEAST_WORDS = 3;
/** Bodies that are compared; the list grows, patience does not. */
const MAX_BODIES = 300;
const MAX_TOLD = 3;

/** Names of skills that say nearly the same as a new one. */
export async function findSimilarSkills(content: string, description: string, others: readonly Skill[]): Promise<readonly string[]> {
  const [words, pairs] = [wordsOf(description), pairsOf(splitFrontmatter(content).body)];
  const found: string[] = [];
  for (const [index, skill] of others.entries()) {
    if (found.length === MAX_TOLD) break;
    const byDescription = words.size >= LEAST_WORDS && share(words, wordsOf(skill.description)) >= ALIKE.description;
    if (byDescription || (index < MAX_BODIES && (await sameBody(pairs, skill)))) found.push(skill.name);
  }
  return found;
}

async function sameBody(pairs: ReadonlySet<string>, { folder }: Skill): Promise<boolean> {
  const read = await readPage(folder);
  return read.ok && share(pairs, pairsOf(read.page.body)) >= ALIKE.body;
}

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
const wordsOf = (text: string): ReadonlySet<string> => new Set(tokens(text));
const pairsOf = (text: string): ReadonlySet<string> => {
  const all = tokens(text);
  return new Set(all.slice(1).map((word, index) => `${all[index]} ${word}`));
};

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

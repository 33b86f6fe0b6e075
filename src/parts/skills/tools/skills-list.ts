import { toOneLine } from '../../../base/printable.ts';
import { takeStart } from '../../../base/text.ts';
import { createTextBlock } from '../../../contracts/message.ts';
import type { AdmitText } from '../../../contracts/scan.ts';
import type { SkillCatalog, SkillListing, SkillContext } from '../../../contracts/skills.ts';
import { ToolFailure, type Tool, type ToolOutput } from '../../../contracts/tool.ts';
import { judgeListing } from '../catalog/judge-listing.ts';

export interface SkillsListInput {
  readonly category?: string;
}
export interface SkillsListOptions {
  readonly catalog: SkillCatalog;
  readonly skillContext: () => SkillContext;
  readonly admit: AdmitText;
}

export const skillsListTool = (options: SkillsListOptions): Tool<SkillsListInput> => ({
  name: 'skills_list',
  description: 'List skills with descriptions, by category.',
  input: { type: 'object', properties: { category: { type: 'string' } }, additionalProperties: false },
  effects: () => ({ kind: 'read', resources: ['skills'] }),
  replay: 'safe',
  idempotent: true,
  offTerminal: true,
  trust: 'tool',
  timeoutMs: 30_000,
  maxResult: 50_000,
  run: async ({ category }, { report }) => {
    const { listing, notices } = judgeListing(await options.catalog.shown(options.skillContext()), options.admit);
    for (const words of notices) report(words);
    return answer(listing, category?.trim() ?? '');
  },
});

function answer({ skills, categories }: SkillListing, category: string): ToolOutput {
  const wanted =
    category === '' ? skills : skills.filter((skill) => skill.category === category || skill.category.startsWith(`${category}/`));
  const names = [...new Set(skills.map((skill) => skill.category))];
  if (skills.length > 0 && wanted.length === 0)
    throw new ToolFailure(`There is no category ${JSON.stringify(category.slice(0, 100))}. There are: ${names.join(', ')}.`);
  const rows = wanted.map((skill) => ({ name: skill.name, description: short(skill.description), category: skill.category }));
  const lines = names.flatMap((name) => {
    const members = rows.filter((row) => row.category === name);
    const about = Object.hasOwn(categories, name) ? ` (${short(categories[name] ?? '')})` : '';
    return members.length === 0 ? [] : [`${name}${about}:`, ...members.map((row) => `- ${row.name}: ${row.description}`)];
  });
  const words = lines.length === 0 ? 'There are no skills here.' : lines.join('\n');
  return { content: [createTextBlock(words, 'tool')], details: { kind: 'data', data: rows } };
}

const MAX_DESCRIPTION = 200;
const short = (words: string): string => takeStart(toOneLine(words), MAX_DESCRIPTION);

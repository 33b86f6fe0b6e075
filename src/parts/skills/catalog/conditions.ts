import type { Skill, SkillListing, SkillContext } from '../../../contracts/skills.ts';

/** What is the same for every session of one catalog. */
export interface CatalogConditions {
  readonly os: string;
  readonly disabled: readonly string[];
  /** By platform (`telegram`, `cron` …). */
  readonly platformDisabled: Readonly<Record<string, readonly string[]>>;
}

/** The operating system in the words of the skill format. */
export const toSystemName = (platform: string): string => NAMES[platform] ?? 'linux';
const NAMES: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

export const listDisabledSkills = ({ disabled, platformDisabled }: CatalogConditions, platform: string): readonly string[] => [
  ...disabled,
  ...(Object.hasOwn(platformDisabled, platform) ? (platformDisabled[platform] ?? []) : []),
];

/** The skills of a listing that are shown in this context, and the descriptions of their categories. */
export function filterListing(listing: SkillListing, context: SkillContext, standing: CatalogConditions): SkillListing {
  const off = new Set(listDisabledSkills(standing, context.platform));
  const tools = new Set(context.tools);
  const toolsets = new Set(context.toolsets);
  const skills = listing.skills.filter((skill) => !off.has(skill.name) && runsOn(skill, standing.os) && fits(skill, tools, toolsets));
  const used = new Set(skills.map(({ category }) => category));
  const categories = Object.fromEntries(Object.entries(listing.categories).filter(([category]) => used.has(category)));
  return { skills, categories, problems: listing.problems };
}

const runsOn = ({ platforms }: Skill, os: string): boolean => platforms.length === 0 || platforms.includes(os);

/** Needs all of what it requires, and none of what it stands in for. */
const fits = ({ conditions }: Skill, tools: ReadonlySet<string>, toolsets: ReadonlySet<string>): boolean =>
  conditions.requiresTools.every((tool) => tools.has(tool)) &&
  conditions.requiresToolsets.every((toolset) => toolsets.has(toolset)) &&
  !conditions.fallbackForTools.some((tool) => tools.has(tool)) &&
  !conditions.fallbackForToolsets.some((toolset) => toolsets.has(toolset));

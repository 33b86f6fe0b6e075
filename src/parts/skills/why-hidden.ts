import type { Skill, SkillContext } from '../../contracts/skills.ts';
import { listDisabledSkills, type CatalogConditions } from './catalog/conditions.ts';

/** One row for each rule that can hide a skill: its words, or nothing when it does not apply. */
const RULES: readonly ((skill: Skill, context: SkillContext, standing: CatalogConditions) => string | undefined)[] = [
  ({ name }, _context, { disabled }) => (disabled.includes(name) ? 'disabled in skills.disabled' : undefined),
  ({ name }, { platform }, standing) =>
    listDisabledSkills(standing, platform).includes(name) ? `disabled for ${platform} in skills.platform_disabled` : undefined,
  ({ platforms }, _context, { os }) =>
    platforms.length > 0 && !platforms.includes(os) ? `for ${platforms.join(', ')}, and this is ${os}` : undefined,
  ({ conditions }, { tools }) => lacking('tool', conditions.requiresTools, tools),
  ({ conditions }, { toolsets }) => lacking('toolset', conditions.requiresToolsets, toolsets),
  ({ conditions }, { tools }) => replaced('tool', conditions.fallbackForTools, tools),
  ({ conditions }, { toolsets }) => replaced('toolset', conditions.fallbackForToolsets, toolsets),
];

/** The first reason why a skill is not shown in a session; `undefined` when it is shown. */
export function explainHidden(skill: Skill, context: SkillContext, standing: CatalogConditions): string | undefined {
  for (const rule of RULES) {
    const words = rule(skill, context, standing);
    if (words !== undefined) return words;
  }
  return undefined;
}

function lacking(kind: string, wanted: readonly string[], there: readonly string[]): string | undefined {
  const missing = wanted.filter((name) => !there.includes(name));
  return missing.length === 0 ? undefined : `needs the ${kind} ${missing.join(', ')}`;
}
function replaced(kind: string, stoodInFor: readonly string[], there: readonly string[]): string | undefined {
  const present = stoodInFor.filter((name) => there.includes(name));
  return present.length === 0 ? undefined : `only needed without the ${kind} ${present.join(', ')}`;
}

/** What a new prompt needs of the skills, loaded together: one file of the bundle instead of several. */
export { createSkillCatalog } from './catalog/catalog.ts';
export { renderSkillIndex } from './index-text.ts';
export { judgeListing, joinTextToJudge } from './catalog/judge-listing.ts';
export { parsePlatformDisabled } from './settings.ts';

/** What a new prompt needs of the skills, loaded together: one file of the bundle instead of several. */
export { skillCatalog } from '../parts/skills/catalog.ts';
export { indexText } from '../parts/skills/index-text.ts';
export { judgedListing } from '../parts/skills/judged.ts';
export { platformDisabled } from '../parts/skills/settings.ts';

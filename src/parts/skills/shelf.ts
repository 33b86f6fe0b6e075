/** What a new prompt needs of the skills, loaded together: one file of the bundle instead of several. */
export { skillCatalog } from './catalog/catalog.ts';
export { indexText } from './index-text.ts';
export { judgedListing, wordsToJudge } from './catalog/judged.ts';
export { platformDisabled } from './settings.ts';

/** The scanner and its list, loaded together: one file of the bundle instead of several. */
export { createAdmission } from './admission.ts';
export { createAllowList } from './allow-list.ts';
export { scanText } from './scan.ts';

/** The scanner and its list, loaded together: one file of the bundle instead of several. */
export { admission } from '../parts/safety/scan/admission.ts';
export { allowedHashes } from '../parts/safety/scan/allow-list.ts';
export { scanText } from '../parts/safety/scan/scan.ts';

export { target } from './command/places/paths.ts';

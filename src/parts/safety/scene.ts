export type { Place } from './command/places/place.ts';

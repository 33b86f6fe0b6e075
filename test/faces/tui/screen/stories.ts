import { tellSession } from './session-story.ts';
import { tellStory, type Story } from './story.ts';

/** The kinds of stories, which take turns by their seed. */
export const STORY_KINDS = [
  { name: 'lines', tell: (seed) => tellStory(seed) },
  { name: 'lines, late', tell: (seed) => tellStory(seed, { late: true }) },
  { name: 'session', tell: (seed) => tellSession(seed) },
  { name: 'session, dragged', tell: (seed) => tellSession(seed, { dragged: true }) },
] as const satisfies readonly { readonly name: string; tell(seed: number): Story }[];

export const kindOf = (seed: number): (typeof STORY_KINDS)[number] => STORY_KINDS[seed % STORY_KINDS.length] ?? STORY_KINDS[0];

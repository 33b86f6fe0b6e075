import { readPath, readStringAt } from '../../../../../base/json.ts';
import type { Json } from '../../../../../base/json-types.ts';
import type { WebHit } from './backend.ts';

/** Where in an item of a list the words of a hit stand; the first that is there counts. */
export interface HitShape {
  readonly title: readonly string[];
  readonly description: readonly string[];
}

/** A list of hits below a path; `undefined` when there is no list. What has no address is no hit. */
export function parseHits(answer: Json, path: readonly string[], shape: HitShape): readonly WebHit[] | undefined {
  const items = readPath(answer, ...path);
  if (!Array.isArray(items)) return undefined;
  return items.flatMap((item: Json) => {
    const url = readStringAt(item, 'url');
    return url === undefined ? [] : [{ url, title: pickText(item, shape.title), description: pickText(item, shape.description) }];
  });
}

/** The first of these members that holds words, be it a text or a list of texts. */
export function pickText(item: Json, names: readonly string[]): string {
  for (const name of names) {
    const value = readPath(item, name);
    const words = Array.isArray(value) ? value.filter((part: Json) => typeof part === 'string').join(' … ') : value;
    if (typeof words === 'string' && words.trim() !== '') return words;
  }
  return '';
}

/** The first item of a list below a path. */
export const pickFirstItem = (answer: Json, ...path: readonly string[]): Json | undefined => readPath(answer, ...path, 0);

import { isObject } from '../../../base/json.ts';
import type { Json } from '../../../base/json-types.ts';

/** JSON as Python's `json.dumps` spaces it: models were trained on calls in that form. */
export function toSpacedJson(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => toSpacedJson(item)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${toSpacedJson(member)}`).join(', ')}}`;
}

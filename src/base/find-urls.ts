import type { Json } from './json-types.ts';

/** Addresses anywhere in a value. */
export const findUrls = (value: Json | undefined): string[] =>
  typeof value === 'string'
    ? (value.match(/https?:\/\/[^\s"'<>)\]}]+/gi) ?? [])
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((each) => findUrls(each))
      : [];

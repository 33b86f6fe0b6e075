import { isObject, parseJson } from '../../../../base/json.ts';
import type { Json, JsonObject } from '../../../../base/json-types.ts';
import type { HttpRequest } from '../../../../base/http-server/contract.ts';
import { createBadRequest } from '../http/errors.ts';

/** The JSON object of a request. */
export function readBody({ body }: Pick<HttpRequest, 'body'>): JsonObject {
  const parsed = body.length === 0 ? {} : parseJson(body.toString('utf8'));
  if (parsed === undefined) throw createBadRequest('invalid_json', 'The body is not valid JSON.');
  if (!isObject(parsed)) throw createBadRequest('invalid_json', 'The body must be a JSON object.');
  return parsed;
}

export function readText(body: JsonObject, name: string, maxLength = 1_000_000): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw createBadRequest('invalid_value', `"${name}" must be a string.`, name);
  if (value.length > maxLength) throw createBadRequest('value_too_large', `"${name}" is longer than ${maxLength} characters.`, name);
  return value;
}

export function readFlag(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw createBadRequest('invalid_value', `"${name}" must be true or false.`, name);
  return value;
}

export function readList(body: JsonObject, name: string, maxLength = Infinity): readonly Json[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw createBadRequest('invalid_value', `"${name}" must be an array.`, name);
  if (value.length > maxLength) throw createBadRequest('value_too_large', `"${name}" has more than ${maxLength} elements.`, name);
  return value;
}

/** A whole number in the query. */
export function readQueryNumber({ query }: Pick<HttpRequest, 'query'>, name: string, fallback: number, max: number): number {
  const value = query.get(name);
  if (value === null) return fallback;
  if (!/^\d{1,15}$/.test(value)) throw createBadRequest('invalid_value', `"${name}" must be a whole number.`, name);
  return Math.min(Number(value), max);
}

/** A header with words of the caller's own: short, and of characters that can be seen. */
export function readHeader({ headers }: Pick<HttpRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/.test(value))
    throw createBadRequest('invalid_header', `The header ${name} must be 1 to 256 visible characters.`);
  return value;
}

import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/json-types.ts';
import { takeStart } from '../../base/text.ts';

/** A template with the values of one event. */
export interface FilledTemplate {
  /** In one piece, for people. */
  readonly text: string;
  /** The values that it names, each once, with their names. */
  readonly values: readonly TemplateValue[];
}
export interface TemplateValue {
  readonly name: string;
  readonly value: string;
}

/** The whole body, as it came. */
const RAW = '__raw__';
const MAX_RAW = 4_000;
/** Of an object or a list; whoever wants one member names it. */
const MAX_NESTED = 2_000;
const MAX_STRING = 20_000;
const MAX_ALL = 60_000;
const PLACEHOLDER = /\{([\w-]+(?:\.[\w-]+)*)\}/g;

/** Puts members of a body into a template: `{pull_request.title}`, `{commits.0.message}`. A name that is not there stays as it stands. */
export function fillTemplate(template: string, body: Json, raw: string): FilledTemplate {
  const values = new Map<string, string>();
  const text = template.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(name) ?? readValue(name, body, raw);
    if (value === undefined) return whole;
    values.set(name, value);
    return value;
  });
  return { text: cut(text, MAX_ALL), values: [...values].map(([name, value]) => ({ name, value })) };
}

function readValue(name: string, body: Json, raw: string): string | undefined {
  if (name === RAW) return cut(raw, MAX_RAW);
  const found = name.split('.').reduce<Json | undefined>(readMember, body);
  if (found === undefined) return undefined;
  return typeof found === 'string' ? cut(found, MAX_STRING) : cut(JSON.stringify(found, undefined, isNested(found) ? 2 : 0), MAX_NESTED);
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;
/** Members of its own alone: every object has others. */
function readMember(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${takeStart(text, most)}… (cut: ${text.length - most} more characters)`;

/** The values line by line. A value of several lines is set in, so that none can pass for the next one. */
export const listValues = (values: readonly TemplateValue[]): string =>
  cut(
    values
      .map(({ name, value }) => (/[\n\r\u2028\u2029]/.test(value) ? `${name}:\n${value.replaceAll(/^/gm, '  ')}` : `${name}: ${value}`))
      .join('\n'),
    MAX_ALL,
  );

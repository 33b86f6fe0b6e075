import { toErrorMessage } from '../../../base/errors.ts';
import { splitFrontmatter, type Frontmatter } from '../../../base/frontmatter.ts';
import { readPath, isObject, readStringAt } from '../../../base/json.ts';
import { takeStart } from '../../../base/text.ts';
import type { SkillConditions } from '../../../contracts/skills.ts';
import { parsePlainHead } from './plain-head.ts';

/** What a SKILL.md says about itself. */
export interface Head {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly category?: string;
  readonly platforms: readonly string[];
  readonly conditions: SkillConditions;
  readonly tags: readonly string[];
  readonly related: readonly string[];
}
/** What was read from one file. A skill can be usable and still have a word for its owner. */
export interface HeadResult {
  readonly head?: Head;
  /** Of a category. */
  readonly description?: string;
  readonly problem?: string;
}
/** Reads YAML with every scalar as a string; throws on malformed text. */
export type ParseYaml = (text: string) => unknown;

const NAME = /^[a-z0-9_-]{1,64}$/;
/** Ceiling of the agentskills.io format. */
const MAX_DESCRIPTION = 1_024;
/** No honest head comes near; a longer one would hold up the start while it is parsed. */
const MAX_HEAD = 64 * 1024;

/** Whether this file has a head that only the `yaml` package can read. */
export function needsYaml(text: string): boolean {
  const { head = '' } = headAndBody(text);
  return head.trim() !== '' && head.length <= MAX_HEAD && parsePlainHead(head) === undefined;
}

export function parseSkillHead(text: string, folderName: string, parse: ParseYaml): HeadResult {
  if (text.trim() === '') return { problem: 'it is empty; write a head with name and description, or remove the folder' };
  const read = readHead(text, parse);
  if (read.problem !== undefined) return { problem: `${read.problem}; the skill is not available until you fix this` };
  const given = scalar(read.fields, 'name');
  const name = [given, folderName].find((candidate) => candidate !== undefined && NAME.test(candidate));
  if (name === undefined)
    return { problem: `neither its name (${quoted(given)}) nor its folder name (${quoted(folderName)}) is valid: ${NAME_RULE}` };
  const head = headOf(name, read.fields, read.body);
  return given === undefined || name === given
    ? { head }
    : { head, problem: `its name ${quoted(given)} is not valid: ${NAME_RULE}. It is listed under the name of its folder, "${name}"` };
}
const NAME_RULE = 'a name has at most 64 lowercase letters, digits, - and _';
const quoted = (text: string | undefined): string => (text === undefined ? 'none' : JSON.stringify(takeStart(text, 80)));

export function parseCategoryHead(text: string, parse: ParseYaml): HeadResult {
  const read = readHead(text, parse);
  if (read.problem !== undefined) return { problem: `${read.problem}; the category has no description until you fix this` };
  return { description: describe(read.fields, read.body) };
}

function headOf(name: string, fields: unknown, body: string): Head {
  const hermes = readPath(fields, 'metadata', 'hermes');
  const version = scalar(fields, 'version');
  const category = scalar(hermes, 'category');
  return {
    name,
    description: describe(fields, body),
    ...(version !== undefined && { version }),
    ...(category !== undefined && { category }),
    platforms: strings(readPath(fields, 'platforms')).map(systemOf),
    conditions: {
      requiresTools: strings(readPath(hermes, 'requires_tools')),
      requiresToolsets: strings(readPath(hermes, 'requires_toolsets')),
      fallbackForTools: strings(readPath(hermes, 'fallback_for_tools')),
      fallbackForToolsets: strings(readPath(hermes, 'fallback_for_toolsets')),
    },
    tags: strings(readPath(hermes, 'tags')),
    related: strings(readPath(hermes, 'related_skills')),
  };
}
/** Other words for the systems the format knows. */
const SYSTEMS = new Map([
  ['darwin', 'macos'],
  ['mac', 'macos'],
  ['osx', 'macos'],
  ['win', 'windows'],
  ['win32', 'windows'],
]);
const systemOf = (word: string): string => SYSTEMS.get(word.toLowerCase()) ?? word.toLowerCase();

type ParsedHead = { readonly fields: unknown; readonly body: string; readonly problem?: undefined } | { readonly problem: string };

function readHead(text: string, parse: ParseYaml): ParsedHead {
  const { head, body } = headAndBody(text);
  if (head === undefined) return OPENING.test(text) ? { problem: 'its head begins with --- but has no closing ---' } : { fields: {}, body };
  if (head.length > MAX_HEAD) return { problem: `its head has ${head.length} characters; ${MAX_HEAD} are the most that is read` };
  if (head.trim() === '') return { fields: {}, body };
  try {
    // The empty line stands for the opening one, so that a mistake is told with its line in the file.
    const fields = parsePlainHead(head) ?? parse(`\n${head}`);
    return isObject(fields) ? { fields, body } : { problem: 'its head is not a table of "field: value" lines' };
  } catch (error) {
    return { problem: `its head is not valid YAML (${firstLine(toErrorMessage(error))})` };
  }
}
const OPENING = /^---[ \t]*\r?\n/;

function headAndBody(text: string): Frontmatter {
  const { head, body } = splitFrontmatter(text);
  // On Windows the last line of a head keeps half of its end, which YAML would take for a part of the value.
  return head === undefined ? { body } : { head: head.replace(/\r$/, ''), body };
}
const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').replace(/:$/, '');

/** YAML's ways to say nothing are nothing. */
function scalar(fields: unknown, key: string): string | undefined {
  const text = readStringAt(fields, key)?.trim();
  return text === undefined || text === '' || text === '~' || text.toLowerCase() === 'null' ? undefined : text;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A list, or a string with commas. */
function strings(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return items.flatMap((item: unknown) => (typeof item === 'string' && item.trim() !== '' ? [oneLine(item)] : []));
}

const describe = (fields: unknown, body: string): string =>
  takeStart(oneLine(scalar(fields, 'description') ?? firstProse(body)), MAX_DESCRIPTION);

/** The first line that is neither blank nor heading, rule, table, comment, picture or code. */
function firstProse(body: string): string {
  const text = body.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').replaceAll(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1.*$|(?![\s\S]))/gm, '');
  const line = text.split('\n').find((candidate) => /[\p{L}\p{N}]/u.test(candidate) && !/^\s*(?:#|\||!\[|={3}|-{3})/.test(candidate));
  return (line ?? '').trim().replace(/^(?:[-*+>]|\d+\.)\s+/, '');
}

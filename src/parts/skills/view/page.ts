import { join } from 'node:path';
import { splitFrontmatter } from '../../../base/frontmatter.ts';
import { readTextFile } from '../../../base/text-file.ts';
import { SKILL_FILE } from '../catalog/discover.ts';
import type { ParseYaml } from '../catalog/head.ts';

/** A SKILL.md as it is on disk now. */
export interface SkillPage {
  readonly text: string;
  /** What stands in its head; an empty table when that cannot be read. */
  readonly fields: unknown;
  readonly body: string;
}
export type SkillPageResult = { readonly ok: true; readonly page: SkillPage } | { readonly ok: false; readonly words: string };

/** The catalog reads no larger ones either. */
const MAX_BYTES = 1024 * 1024;
const MAX_HEAD = 64 * 1024;

export async function readPage(folder: string): Promise<SkillPageResult> {
  const path = join(folder, SKILL_FILE);
  const file = readTextFile(path, MAX_BYTES);
  if (!file.ok) return { ok: false, words: `${path} could not be read: ${file.why}.` };
  return { ok: true, page: await parsePage(file.text) };
}

export async function parsePage(text: string): Promise<SkillPage> {
  const { head, body } = splitFrontmatter(text);
  const parse = await importYaml();
  try {
    return { text, fields: head === undefined || head.length > MAX_HEAD ? {} : parse(head.replace(/\r$/, '')), body };
  } catch {
    return { text, fields: {}, body };
  }
}

/** Every scalar stays a string, as the catalog has it. */
export async function importYaml(): Promise<ParseYaml> {
  const { parse } = await import('yaml');
  return (text) => parse(text, { schema: 'failsafe', logLevel: 'error' });
}

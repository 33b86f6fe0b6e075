import { readStringAt } from '../../../base/json.ts';
import type { ScanText, ThreatFinding } from '../../../contracts/scan.ts';
import { ToolFailure } from '../../../contracts/tool.ts';
import { parseSkillHead, type Head } from '../catalog/head.ts';
import { isSupport, locate, SUPPORT } from '../view/inside.ts';
import { parsePage, importYaml } from '../view/page.ts';

/** Characters of a SKILL.md; all of it is read by the model at once. */
const MAX_PAGE = 100_000;
/** Bytes of a linked file. */
const MAX_FILE = 1024 * 1024;
const MAX_LEVELS = 3;
const NAME = /^[a-z0-9_-]{1,64}$/;

export const isName = (name: string): boolean => NAME.test(name);

export function checkName(name: string): void {
  if (!isName(name))
    refuse(`The name ${JSON.stringify(name.slice(0, 80))} will not do: at most 64 small letters, digits, - and _. Choose another.`);
}

export function checkCategory(category: string): void {
  const parts = category.split('/');
  if (parts.length > MAX_LEVELS || !parts.every((part) => NAME.test(part)))
    refuse(
      `The category ${JSON.stringify(category.slice(0, 80))} will not do: one to ${MAX_LEVELS} names of small letters, digits, - and _ with / between.`,
    );
}

/** A whole SKILL.md as one may write it: the catalog takes it under this name and has nothing to say about it. */
export async function checkPage(text: string, name: string): Promise<Head> {
  const { fields } = await parsePage(text);
  const own = readStringAt(fields, 'name')?.trim();
  if (own !== undefined && own !== name && text.trim() !== '')
    refuse(`The head says name: ${JSON.stringify(own.slice(0, 80))}, the skill is ${name}. Both must be the same.`);
  return checkUsablePage(text, name);
}

/** A whole SKILL.md that the catalog takes under this name. */
export async function checkUsablePage(text: string, name: string): Promise<Head> {
  if (text.trim() === '') refuse('content is empty: give the whole SKILL.md, its head between --- lines and the instructions below.');
  if (text.length > MAX_PAGE)
    refuse(`SKILL.md would have ${text.length} characters; ${MAX_PAGE} are the most. Move detail into files below references/.`);
  const { head, problem } = parseSkillHead(text, name, await importYaml());
  const { fields, body } = await parsePage(text);
  if (head === undefined) refuse(`SKILL.md cannot be read: ${problem}.`);
  if (body === text) refuse('SKILL.md needs a head: a line ---, then name: and description:, then a line ---.');
  if (head.name !== name) refuse(`The skill calls itself ${head.name}, not ${name}, and is known by that name only.`);
  if ((readStringAt(fields, 'description') ?? '').trim() === '')
    refuse('The head needs a description: one line that says when to use the skill.');
  if (body.trim() === '') refuse('Below the head there are no instructions.');
  return head;
}

/** The place of a linked file, as one may write it. */
export function checkSupportPath(folder: string, given: string | undefined): string {
  if (given === undefined || given.trim() === '') refuse('file_path is missing.');
  const place = locate(folder, given);
  if (!place.ok) refuse(place.words);
  if (!isSupport(place.name))
    refuse(`${JSON.stringify(place.name)} is refused: files go below ${SUPPORT.map((name) => `${name}/`).join(', ')}.`);
  return place.name;
}

export function checkFile(path: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE) refuse(`${path} would have ${bytes} bytes; ${MAX_FILE} are the most.`);
}

/** Skills are read as trusted words by every later session: the least sign of a threat is too much. */
export function checkWords(path: string, text: string, scan: ScanText): void {
  const [first] = scan(text, 'skill');
  if (first !== undefined)
    refuse(
      `${path} was not saved: it looks like ${describeFinding(first)}. Write it in plain words, without hidden characters, secrets or orders against the owner.`,
    );
}

export const describeFinding = ({ threat, line, excerpt }: ThreatFinding): string => `${threat} (line ${line}: ${excerpt})`;

export function refuse(words: string): never {
  throw new ToolFailure(words);
}

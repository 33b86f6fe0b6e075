import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { MigrationItem } from '../../../contracts/services/migration.ts';
import { listSkillFolders, type HomeReader } from '../foreign/files.ts';
import type { ForeignSkill } from '../foreign/foreign-home.ts';

/** How deep below `skills/` a skill lies at most: category, subcategory, skill. */
const LEVELS = 3;
const MANIFEST = join('skills', '.bundled_manifest');

/** The owner's skills. Those the program brought along and nobody changed since are not. */
export function readSkills({ folder, read }: HomeReader): {
  readonly skills: readonly ForeignSkill[];
  readonly left: readonly MigrationItem[];
} {
  const root = join(folder, 'skills');
  const bundled = readManifest(read('skills', MANIFEST)?.text ?? '');
  const found = listSkillFolders(root, LEVELS).map((path): ForeignSkill => {
    const [name = '', ...above] = path.toReversed();
    return { name, folder: join(root, ...path), ...(above.length > 0 && { category: above.toReversed().join('/') }) };
  });
  const isUnchanged = ({ name, folder: place }: ForeignSkill) => bundled.get(name) === hashFolder(place);
  return {
    skills: found.filter((skill) => !isUnchanged(skill)),
    left: found
      .filter(isUnchanged)
      .map(({ name }) => ({ kind: 'skills', name, state: 'left', why: 'it came with the other program and was not changed' })),
  };
}

/** Names and hashes of what the program brought along, as it had them. */
function readManifest(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('\n')
      .flatMap((line) =>
        line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const] : [],
      ),
  );
}

/** As that program adds up a folder, to tell whether it was changed. */
function hashFolder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((a, b) => comparePaths(relative(folder, a), relative(folder, b)));
  const hash = createHash('md5');
  for (const file of files) hash.update(relative(folder, file)).update(readFileSync(file));
  return hash.digest('hex');
}

/** Paths are compared name by name there. */
function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (const [index, name] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (name !== other) return name < other ? -1 : 1;
  }
  return left.length - right.length;
}

import { globSync, lutimesSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { createSkillCatalog, type SkillCatalogOptions } from '../../../src/parts/skills/catalog/catalog.ts';
import type { SkillCatalog, SkillListing, SkillContext } from '../../../src/contracts/skills.ts';

/** A home of its own, gone when the file's tests are through. */
export function tempHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-skills-')));
  after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export function put(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export const skillText = (fields: string, body = 'Do it.'): string => `---\n${fields}\n---\n\n${body}\n`;
export const named = (name: string, description = `about ${name}`): string => skillText(`name: ${name}\ndescription: ${description}`);

/** Makes everything older than a moment, as files in a home mostly are: younger ones are never taken on trust. */
export function age(folder: string, seconds = 3_600): void {
  const old = Math.floor(Date.now() / 1000) - seconds;
  for (const path of [...globSync('**/*', { cwd: folder }), '.']) lutimesSync(join(folder, path), old, old);
}

export const CONTEXT: SkillContext = { tools: [], toolsets: [], platform: 'cli' };
export const snapshotIn = (home: string): string => join(home, '.skills_prompt_snapshot.json');
export const catalogIn = (home: string, options: Partial<SkillCatalogOptions> = {}): SkillCatalog =>
  createSkillCatalog({ userDir: join(home, 'skills'), snapshotFile: snapshotIn(home), os: 'linux', ...options });

/** A listing in short: `category/name: description`. */
export const lines = ({ skills }: SkillListing): string[] => skills.map((skill) => `${skill.category}/${skill.name}: ${skill.description}`);
export const names = ({ skills }: SkillListing): string[] => skills.map((skill) => skill.name);
/** Problems with their paths cut to what lies below a folder. */
export const problemsIn = (folder: string, { problems }: SkillListing): string[] =>
  problems.map(({ path, words }) => `${path.replace(`${folder}/`, '')}: ${words.replaceAll(`${folder}/`, '')}`);

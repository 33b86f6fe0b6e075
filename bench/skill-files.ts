import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PER_CATEGORY = 10;

/** Files as a person has them: a head with the usual fields, a body of a page, and older than a moment. */
export function writeSkills(root: string, skills: number, describe: (n: number) => string = PLAIN): void {
  const old = Date.now() / 1000 - 86_400;
  for (let n = 0; n < skills; n++) {
    const category = join(root, `category-${String(Math.floor(n / PER_CATEGORY)).padStart(2, '0')}`);
    const folder = join(category, `skill-${String(n).padStart(3, '0')}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), skillText(n, describe(n)));
    writeFileSync(join(category, 'DESCRIPTION.md'), '---\ndescription: Work of one kind and how it is done well\n---\n');
    for (const path of [join(folder, 'SKILL.md'), join(category, 'DESCRIPTION.md'), folder, category, root]) utimesSync(path, old, old);
  }
}

export const PLAIN = (n: number): string => `Use when step ${n} of the work has to be done with care and checked`;
export const FOLDED = (n: number): string => `>\n  ${PLAIN(n)}`;
const skillText = (n: number, description: string): string => `---
name: skill-${String(n).padStart(3, '0')}
description: ${description}
version: 1.${n}.0
author: the bench
license: MIT
platforms: [linux, macos, windows]
metadata:
  hermes:
    tags: [work, step, check]
    related_skills: [skill-000]
    requires_tools: [terminal]
---

# Step ${n}

${'Do the next thing, look at what came of it, and write down what you saw.\n'.repeat(40)}`;

/** The program that `bench/skills.ts` bundles and starts afresh for every figure: node FILE MEASURE HOME. Tells its time in milliseconds. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SkillCatalog } from '../src/contracts/skills.ts';
import { createSkillCatalog } from '../src/parts/skills/catalog/catalog.ts';
import { renderSkillIndex } from '../src/parts/skills/index-text.ts';
import { median } from './statistics.ts';

const SCENE = { tools: ['terminal', 'skill_view'], toolsets: ['hermes-cli'], platform: 'cli' };
const WARM_CALLS = 100;

type Measure = (home: string) => Promise<number>;
const MEASURES: Readonly<Record<string, Measure>> = {
  'cold-floor': async (home) => timed(() => bareWalk(join(home, 'skills'), readFileSync)),
  cold: async (home) => {
    rmSync(snapshotIn(home), { force: true });
    return timed(() => section(catalogIn(home)));
  },
  'warm-floor': async (home) => timed(() => bareWalk(join(home, 'skills'), statSync)),
  warm: async (home) => timed(() => section(catalogIn(home))),
  'again-floor': async (home) => middle(() => bareWalk(join(home, 'skills'), statSync)),
  again: async (home) => {
    const catalog = catalogIn(home);
    return middle(() => section(catalog));
  },
};

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function middle(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < WARM_CALLS; call++) times.push(await timed(work));
  return median(times);
}

const snapshotIn = (home: string): string => join(home, '.skills_prompt_snapshot.json');
const catalogIn = (home: string): SkillCatalog => createSkillCatalog({ userDir: join(home, 'skills'), snapshotFile: snapshotIn(home) });

async function section(catalog: SkillCatalog): Promise<void> {
  const text = renderSkillIndex(await catalog.shown(SCENE));
  if (!text.includes('skill-000')) throw new Error('the section lacks its skills; the figure would mean nothing');
}

function bareWalk(folder: string, touch: (path: string) => unknown): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bareWalk(path, touch);
    else {
      statSync(path);
      if (touch !== statSync) touch(path);
    }
  }
}

const [, , measure = '', home = ''] = process.argv;
void MEASURES[measure]?.(home).then((ms) => console.log(ms));

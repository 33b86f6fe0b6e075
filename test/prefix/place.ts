import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import { page, words } from './words.ts';

/** Where one session is held: a home and a project, both made up. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  /** Another project, with rules of its own. */
  readonly elsewhere: string;
}

/** Folders of a project; some have rules. */
export const FOLDERS = ['web', 'web/src', 'docs/漢字', 'deep/er/and/deeper'] as const;
/** In every folder. */
export const FILES = ['a.txt', 'long.txt'] as const;

export function furnish(chance: SeededRandom, root: string): Place {
  const place = { root, home: join(root, 'home'), cwd: join(root, 'work'), elsewhere: join(root, 'elsewhere') };
  for (const folder of [place.home, place.cwd, place.elsewhere]) mkdirSync(folder, { recursive: true });
  furnishHome(chance.fork('home'), place);
  furnishProject(chance.fork('project'), place.cwd, FOLDERS);
  furnishProject(chance.fork('other project'), place.elsewhere, FOLDERS.slice(0, 1));
  return place;
}

function furnishHome(chance: SeededRandom, place: Place): void {
  writeConfig(chance, place);
  if (chance.hits(0.7)) soul(chance, place);
  if (chance.hits(0.7)) memory(chance, place);
  if (chance.hits(0.5)) profile(chance, place);
  for (const each of chance.list(0, 3, (index) => index)) skill(chance.fork(`skill ${each}`), place);
  prefill(chance, place);
}

function furnishProject(chance: SeededRandom, cwd: string, folders: readonly string[]): void {
  if (chance.hits(0.7)) put(join(cwd, 'AGENTS.md'), page(chance, 9));
  for (const folder of folders) {
    if (chance.hits(0.5)) put(join(cwd, folder, chance.pick(['AGENTS.md', 'CLAUDE.md', '.cursorrules'])), page(chance, 5));
    put(join(cwd, folder, 'a.txt'), page(chance, 4));
    put(join(cwd, folder, 'long.txt'), `${words(chance)}\n`.repeat(120));
  }
}

/** Settings as their owner may have them. `memory.provider` and the prefill are in every second home or so. */
export function writeConfig(chance: SeededRandom, { home }: Place): void {
  const lines = [
    'database:\n  durability: process',
    // Its compactions ask no model: every request the server sees belongs to the session.
    'context:\n  engine: window',
    // A wall for one in ten: what a command says is the same behind it, and making one is most of what a session costs.
    `terminal:\n  backend: ${chance.fork('terminal').hits(0.1) ? 'auto' : 'local'}`,
    `prompt_caching:\n  cache_ttl: ${chance.pick(['5m', '1h', 'off'])}`,
    `agent:\n  max_turns: ${chance.pick([4, 8, 90])}\n  api_max_retries: ${chance.int(0, 3)}\n  parallel_tools: ${chance.pick([1, 8])}`,
    `tool_output:\n  max_result_chars: ${chance.pick([1_000, 4_000, 100_000])}\n  max_turn_chars: ${chance.pick([2_000, 200_000])}`,
    ...(chance.hits(0.5) ? ['memory:\n  provider: session_log'] : []),
    ...(chance.hits(0.4) ? ['prefill_messages_file: prefill.json'] : []),
  ];
  put(join(home, 'config.yaml'), `${lines.join('\n')}\n`);
}

/** What changes on disk while a session goes on. None of it may reach the prefix. */
export const DISTURBANCES = {
  soul,
  memory,
  profile,
  skill,
  prefill,
  config: writeConfig,
  rules: (chance: SeededRandom, { cwd }: Place) => put(join(cwd, 'AGENTS.md'), page(chance, 9)),
  'nested rules': (chance: SeededRandom, { cwd }: Place) => put(join(cwd, chance.pick(FOLDERS), 'AGENTS.md'), page(chance, 5)),
  'no rules': (_chance: SeededRandom, { cwd }: Place) => rmSync(join(cwd, 'AGENTS.md'), { force: true }),
  'no memory': (_chance: SeededRandom, { home }: Place) => rmSync(join(home, 'memories'), { recursive: true, force: true }),
} as const satisfies Record<string, (chance: SeededRandom, place: Place) => void>;
export type Disturbance = keyof typeof DISTURBANCES;

function soul(chance: SeededRandom, { home }: Place): void {
  put(join(home, 'SOUL.md'), `You are ${words(chance, 1, 3)}.\n${page(chance, 3)}\n`);
}

export function memory(chance: SeededRandom, { home }: Place): void {
  put(join(home, 'memories', 'MEMORY.md'), `${entries(chance)}\n`);
}
function profile(chance: SeededRandom, { home }: Place): void {
  put(join(home, 'memories', 'USER.md'), `${entries(chance)}\n`);
}
const entries = (chance: SeededRandom): string => chance.list(1, 4, (index) => `Fact ${index}: ${words(chance)}`).join('\n§\n');

export function skill(chance: SeededRandom, { home }: Place): void {
  const name = `own-${chance.int(1, 10_000)}`;
  const text = `---\nname: ${name}\ndescription: Use it for number ${chance.int(1, 99)}\n---\n${page(chance, 4)}\n`;
  put(join(home, 'skills', 'own', name, 'SKILL.md'), text);
}

function prefill(chance: SeededRandom, { home }: Place): void {
  const rows = [
    { role: 'user', content: `ping ${words(chance)}` },
    { role: 'assistant', content: `pong ${words(chance)}` },
  ];
  put(join(home, 'prefill.json'), JSON.stringify(rows));
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  // A file with a zero byte is none of text and would not be looked at.
  writeFileSync(path, text.replaceAll('\0', ''));
}

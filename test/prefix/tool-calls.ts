import type { Json } from '../../src/contracts/message.ts';
import type { SeededRandom } from '../../src/testing/seeded-random.ts';
import { FILES, FOLDERS } from './place.ts';
import { words } from './words.ts';

export interface PlannedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly malformed?: string;
}
type Asked = Pick<PlannedCall, 'name' | 'input'>;

/** What a model asks for, by likelihood. Commands are dear: each is a process. */
const WISHES = {
  read: 24,
  command: 5,
  write: 6,
  search: 2,
  memory: 10,
  skill: 4,
  skills: 3,
  todo: 8,
  sessions: 6,
  odd: 4,
  unknown: 4,
} as const;

export function plannedCall(chance: SeededRandom, index: number, place: number): PlannedCall {
  const id = chance.hits(0.8) ? `call_${index}_${place}` : chance.pick(['call_0', 'same', '', 'weird id/é"', 'x'.repeat(70)]);
  return { id, ...ASK[chance.weighed(WISHES)](chance) };
}

const file = (chance: SeededRandom): string => `${chance.pick(FOLDERS)}/${chance.pick(FILES)}`;
const ASK: Readonly<Record<keyof typeof WISHES, (chance: SeededRandom) => Asked>> = {
  read: (chance) => ({
    name: 'read_file',
    input: { path: chance.hits(0.9) ? file(chance) : 'not/there.txt', ...(chance.hits(0.3) && { offset: chance.int(1, 9) }) },
  }),
  command: (chance) => ({ name: 'terminal', input: { command: command(chance) } }),
  write: (chance) => ({
    name: 'write_file',
    input: { path: `${chance.pick(FOLDERS)}/new-${chance.int(1, 9)}.txt`, content: words(chance) },
  }),
  search: (chance) => ({ name: 'search_files', input: { pattern: chance.pick(['orchard', '*.txt', 'half']), path: chance.pick(FOLDERS) } }),
  memory: (chance) => ({ name: 'memory', input: remembering(chance) }),
  skill: (chance) => ({ name: 'skill_manage', input: keepingSkill(chance) }),
  skills: (chance) =>
    chance.pick<Asked>([
      { name: 'skills_list', input: {} },
      { name: 'skill_view', input: { name: 'made-1' } },
    ]),
  todo: (chance) => ({ name: 'todo', input: chance.hits(0.3) ? {} : { todos: tasks(chance), merge: chance.hits(0.5) } }),
  sessions: (chance) => ({
    name: 'session_search',
    input: chance.hits(0.3) ? {} : { query: chance.pick(['orchard', 'lantern OR copper']) },
  }),
  odd: (chance) => ({ name: 'read_file', input: oddInput(chance) }),
  unknown: (chance) => ({
    name: chance.pick(['no_such_tool', '', '__proto__', 'Read_File', 'n'.repeat(90), '漢字']),
    input: oddInput(chance),
  }),
};

const command = (chance: SeededRandom): string =>
  chance.pick([
    `cat ${file(chance)}`,
    `cd ${chance.pick(FOLDERS)} && ls`,
    'seq 1 3000',
    'printf "\\377\\000é漢"',
    'false',
    `echo ${chance.int(1, 99)} >> log.txt`,
  ]);

function remembering(chance: SeededRandom): Json {
  const target = chance.pick(['memory', 'user']);
  const content = `Note ${chance.int(1, 99)}: ${words(chance)}`;
  return chance.pick<Json>([
    { target, action: 'add', content },
    { target, action: 'replace', old_text: `Fact ${chance.int(0, 2)}`, content },
    { target, action: 'remove', old_text: 'Fact 1' },
  ]);
}

function keepingSkill(chance: SeededRandom): Json {
  const name = `made-${chance.int(1, 4)}`;
  const content = `---\nname: ${name}\ndescription: Use it when asked\n---\nStep one: ${words(chance)}\n`;
  return chance.hits(0.8) ? { action: 'create', name, content } : { action: 'delete', name };
}

const tasks = (chance: SeededRandom): Json =>
  chance.list(1, 4, (index) => ({
    id: String(index),
    content: words(chance),
    status: chance.pick(['pending', 'in_progress', 'completed']),
  }));

/** Arguments in any order of keys, numbers that look like indexes among them. */
function oddInput(chance: SeededRandom): Json {
  const keys = chance.shuffled(['path', '10', '2', 'z', 'ключ', 'half \ud800']).slice(0, chance.int(0, 5));
  return Object.fromEntries(keys.map((key) => [key, chance.pick<Json>([1, -0, 1e21, words(chance), null, [1, { b: 1, a: 2 }], {}])]));
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelRequest } from '../../../src/contracts/provider.ts';
import type { TelegramChat, TelegramPerson } from '../../../src/testing/platforms/telegram/index.ts';
import { openScene, type GatewayScene } from './scene.ts';

/** What each of them says in one session, and which words of it a question in the next would find. */
const QUESTION = 'what is the word for the gate?';
const lastOf = ({ messages }: ModelRequest): string => JSON.stringify(messages.at(-1));

/** A gateway whose memory is `journal`, and four chats: the owner's, two guests', and a group of all three. */
async function openChats(config: string) {
  const asked: string[] = [];
  const scene = await openScene({
    script: (request) => (asked.push(lastOf(request)), { text: 'Noted.' }),
    config: ({ ann }) => `    allow_all_users: true\n    owners: ["${ann.id}"]\nmemory:\n  provider: journal\n${config}`,
    isUnlimited: true,
  });
  const { server, bot, ann, dm } = scene.stage;
  const [bob, eve] = [server.people.addUser('Bob'), server.people.addUser('Eve')];
  const group = server.people.openGroup('group', 'Garden', [ann, bob, eve, bot]);
  const chats = {
    owner: [dm, ann],
    bob: [server.people.openPrivate(bot, bob), bob],
    eve: [server.people.openPrivate(bot, eve), eve],
    group: [group, bob],
  } as const;
  const answers = (chat: TelegramChat) => server.log.visible(chat).filter(({ from }) => from === bot.id).length;
  const say = async (chat: TelegramChat, person: TelegramPerson, text: string): Promise<string> => {
    const before = [answers(chat), asked.length] as const;
    server.people.say(chat, person, text);
    await scene.until(() => answers(chat) > before[0]);
    return asked.slice(before[1]).join('\n');
  };
  return { scene, chats, say };
}

/** The memory has heard of every turn. */
const settled = (scene: GatewayScene): Promise<void> =>
  scene.until(async () => (await scene.host().store.memory.backlog('journal')).sessions === 0);

const WORDS = { owner: 'heron', bob: 'otter', eve: 'badger', group: 'quince' } as const;
type Place = keyof typeof WORDS;
const PLACES = ['owner', 'bob', 'eve', 'group'] as const;

async function tellAndAsk(config: string): Promise<Readonly<Record<Place, readonly string[]>>> {
  const { scene, chats, say } = await openChats(config);
  await using _closed = scene;
  for (const place of PLACES) await say(...chats[place], `The word for the gate is ${WORDS[place]}.`);
  // A session has its own words before it: the memory is asked in the next one.
  for (const place of PLACES) await say(...chats[place], '/new');
  await settled(scene);
  const found: [Place, readonly string[]][] = [];
  for (const place of PLACES) {
    const request = await say(...chats[place], QUESTION);
    found.push([place, Object.values(WORDS).filter((word) => request.includes(word))]);
  }
  return Object.fromEntries(found) as Record<Place, readonly string[]>;
}

test('through a gateway everybody recalls what they said there, and nothing that anybody else said elsewhere', async () => {
  assert.deepEqual(await tellAndAsk('  guests: true\n'), { owner: ['heron'], bob: ['otter'], eve: ['badger'], group: ['quince'] });
});

test('without the owner’s word for guests the memory serves the owner alone, and learns nothing from the others', async () => {
  assert.deepEqual(await tellAndAsk(''), { owner: ['heron'], bob: [], eve: [], group: [] });
});

import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, stageJournal } from './setup.ts';

const GROUP = { sessionId: 's-group', platform: 'telegram', chatId: 'g1', isGroup: true, isOwner: false } as const;

test('a fact is recalled with its day and who said it', async () => {
  await using stage = stageJournal();
  await stage.tell('The spare key hangs in the shed, behind the paint.', 'Noted.');
  deepEqual(await stage.ask('Where is the spare key?'), [
    '2026-03-15, owner: The spare key hangs in the shed, behind the paint. | agent: Noted.',
  ]);
});

test('where nothing is known, nothing is recalled', async () => {
  await using stage = stageJournal();
  await stage.tell('The seed order came to 34.50.');
  deepEqual(
    [await stage.ask('What did the lawn mower cost?'), await stage.ask('Who is the mayor of Graz?'), await stage.ask('')],
    [[], [], []],
  );
});

test('what was changed later is not recalled, and the rest of its sentence is', async () => {
  await using stage = stageJournal();
  await stage.tell('Rent is due on the 3rd, goes to Mr. Vogt.');
  await stage.tell('The rent is due on the 1st from now on.');
  deepEqual(await stage.ask('When is the rent due?'), [
    '2026-03-16, owner: The rent is due on the 1st from now on. | agent: All right.',
    '2026-03-15, owner: Rent is due on [changed later], goes to Mr. Vogt.',
  ]);
});

test('a change is found by the words of what it replaced', async () => {
  await using stage = stageJournal();
  await stage.tell('The door code of the rehearsal bunker is 4471 hash.');
  await stage.tell('They changed the lock: 9026 hash.');
  const found = (await stage.ask('What is the code of the bunker?')).join('\n');
  deepEqual([found.includes('9026'), found.includes('4471')], [true, false]);
});

test('the words of the agent with foreign text in view are kept back, those of the person are not', async () => {
  await using stage = stageJournal();
  await stage.tell('Read the notice, please. I park in garage 12.', 'The notice says that the garage fee is 900.', { foreign: ['photo'] });
  deepEqual(
    (await stage.ask('What is the garage fee?')).filter((line) => line.includes('900')),
    [],
  );
  deepEqual(await stage.ask('In which garage do I park?'), ['2026-03-15, owner: Read the notice, please. I park in garage 12.']);
});

test('a limit is recalled for whatever is to be done', async () => {
  await using stage = stageJournal();
  await stage.tell("I can't stand coriander, so nothing with it please.");
  deepEqual(await stage.ask('Suggest a soup for tonight.'), [
    "2026-03-15, owner: I can't stand coriander, so nothing with it please. | agent: All right.",
  ]);
  deepEqual(await stage.ask('When does the library open?'), []);
});

test('days that were named from the day of the message have their date', async () => {
  await using stage = stageJournal();
  await stage.tell('The vaccination of the dog was yesterday.');
  deepEqual(await stage.ask('When was the vaccination of the dog?'), [
    '2026-03-15, owner: The vaccination of the dog was yesterday (2026-03-14). | agent: All right.',
  ]);
});

test('signs without spaces are found', async () => {
  await using stage = stageJournal();
  await stage.tell('房租每人三千二，每月五号交。', '好的。');
  deepEqual(await stage.ask('房租每人多少？'), ['2026-03-15, owner: 房租每人三千二，每月五号交。 | agent: 好的。']);
});

test('a guest is told what they said in that chat, a group what was said in it, and the owner nothing of guests', async () => {
  await using stage = stageJournal();
  const anna = { sessionId: 's-anna', platform: 'telegram', userId: 'anna', chatId: 'p1', isOwner: false } as const;
  await stage.tell('My delivery address is 2 Orchard Row.', 'Saved.', anna);
  await stage.tell('The barbecue is on 20 June.', 'Noted.', { ...GROUP, userId: 'ben' });
  const asks = async (query: string, scope = OWNER): Promise<number> => (await stage.ask(query, scope)).length;
  const later = { ...anna, sessionId: 's-later' };
  const group = { ...GROUP, sessionId: 's-later', userId: 'anna' };
  deepEqual(
    [
      await asks('What is my delivery address?', later),
      await asks('What is my delivery address?', group),
      await asks('What is the delivery address?'),
    ],
    [1, 0, 0],
  );
  deepEqual(
    [await asks('When is the barbecue?', group), await asks('When is the barbecue?', later), await asks('When is the barbecue?')],
    [1, 0, 0],
  );
});

test('what another person said of themselves is no answer about the one who asks', async () => {
  await using stage = stageJournal();
  await stage.tell('My shoe size is 38.', 'Noted.', { ...GROUP, userId: 'carla' });
  deepEqual(await stage.ask('What is my shoe size?', { ...GROUP, sessionId: 's-later', userId: 'ben' }), []);
});

test('what somebody says ends nothing that the same ids said on another platform, alone or in a group', async () => {
  const alone = { sessionId: 's-first', platform: 'telegram', userId: '42', chatId: 'main/42', isOwner: false } as const;
  for (const scope of [alone, { ...GROUP, sessionId: 's-first' }])
    for (const platform of ['discord', 'telegram']) {
      await using stage = stageJournal();
      await stage.tell('The rent is due on the 1st.', 'Noted.', scope);
      await stage.tell('The rent is due on the 5th from now on.', 'Noted.', { ...scope, sessionId: 's-second', platform });
      const told = await stage.ask('When is the rent due?', { ...scope, sessionId: 's-later' });
      deepEqual([told.join().includes('the 1st'), told.join().includes('the 5th')], platform === 'discord' ? [true, false] : [false, true]);
    }
});

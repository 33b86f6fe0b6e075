import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { CompleteText } from '../../../../src/contracts/complete.ts';
import { NO_USAGE } from '../../../../src/contracts/message.ts';
import type { ExportedFact, MemoryScope } from '../../../../src/contracts/memory-provider.ts';
import { openJournalDatabase } from '../../../../src/parts/memory/journal/database.ts';
import { MIGRATIONS } from '../../../../src/parts/memory/journal/migrations.ts';
import { OWNER, SIGNAL, START, stageJournal, type JournalStage } from './setup.ts';

const exported = async ({ journal }: JournalStage): Promise<ExportedFact[]> => Array.fromAsync(journal.exportFacts?.() ?? []);

async function* oneByOne(facts: readonly ExportedFact[]): AsyncGenerator<ExportedFact> {
  yield* facts;
}

test('the file is for the owner alone, and a backup holds it', async () => {
  await using stage = stageJournal();
  await stage.tell('The boiler was serviced by Gwen.');
  equal(statSync(join(stage.folder, 'journal.db')).mode & 0o777, 0o600);
  deepEqual(stage.journal.backupPaths?.(), ['journal.db']);
});

test('a file of a newer version is left alone', async () => {
  await using stage = stageJournal();
  const path = join(stage.folder, 'newer.db');
  {
    using db = openJournalDatabase(path);
    db.run('PRAGMA user_version = 99');
  }
  throws(() => openJournalDatabase(path), /newer version of hermes/);
});

test('what is told twice is kept once, also at the end of the session', async () => {
  await using stage = stageJournal();
  const turn = await stage.tell('The boiler was serviced by Gwen.');
  await stage.journal.syncTurn?.(turn, SIGNAL);
  await stage.journal.sessionEnd?.({ ...OWNER, sessionId: turn.sessionId, key: 'end', reason: 'exit', turns: [turn] }, SIGNAL);
  equal((await exported(stage)).length, 2);
});

test('a session of one turn that only its end tells of is kept', async () => {
  await using stage = stageJournal();
  const turn = {
    ...OWNER,
    sessionId: 'short',
    key: 'only',
    turnId: 'only',
    at: START,
    userMessage: 'My blood type is A negative.',
    assistantResponse: 'Noted.',
    foreign: [],
  };
  await stage.journal.sessionEnd?.({ ...OWNER, sessionId: 'short', key: 'end', reason: 'exit', turns: [turn] }, SIGNAL);
  equal((await stage.ask('What is my blood type?')).length, 1);
});

test('a model words facts once, and they are found by its words', async () => {
  const asked: string[] = [];
  const complete: CompleteText = async ({ text }) => {
    asked.push(text);
    return {
      ok: true,
      text: '{"turn": 1, "fact": "The dentist is Dr. Farouk.", "words": "teeth orthodontist"}\nno JSON',
      usage: NO_USAGE,
      model: 'small',
    };
  };
  await using stage = stageJournal({ complete });
  const turn = await stage.tell('Dr. Farouk, as always.');
  const end = { ...OWNER, sessionId: turn.sessionId, key: 'end', reason: 'exit', turns: [turn] } as const;
  await stage.journal.sessionEnd?.(end, SIGNAL);
  await stage.journal.sessionEnd?.(end, SIGNAL);
  equal(asked.length, 1);
  match((await stage.ask('Which orthodontist?')).join(), /The dentist is Dr\. Farouk\./);
  match((await stage.journal.status?.(SIGNAL)) ?? '', /by rules and by a model \(1 fact\)/);
});

test('where an endpoint tells likeness of meaning, a fact that stands out by it is found without a shared word; a small journal goes by words', async () => {
  const embed = async (texts: readonly string[]) =>
    ({ ok: true, vectors: texts.map((text) => (/canary|songster/u.test(text) ? [1, 0] : [0, 1])) }) as const;
  const canary = '2026-03-15, owner: The canary in the kitchen is called Bobo. | agent: All right.';
  for (const [options, found] of [
    [{ embed }, [canary]],
    [{}, []],
  ] as const) {
    await using stage = stageJournal(options);
    await stage.tell('The canary in the kitchen is called Bobo.');
    deepEqual(await stage.ask('Who is our songster?'), []);
    for (let gate = 0; gate < 40; gate++) await stage.tell(`The gate number ${gate} squeaks.`);
    deepEqual(await stage.ask('Who is our songster?'), found);
    deepEqual(await stage.ask('Which songster is in the kitchen?'), [canary], 'a near miss by words is shown');
  }
});

test('of many turns that fit, three are shown', async () => {
  await using stage = stageJournal();
  for (let gate = 0; gate < 9; gate++) await stage.tell(`The gate number ${gate} of the orchard squeaks.`);
  equal((await stage.ask('Which gate of the orchard squeaks?')).length, 3);
});

test('notes of the owner are mirrored: added, replaced and removed', async () => {
  await using stage = stageJournal();
  const wrote = async (key: string, operation: Parameters<NonNullable<typeof stage.journal.wrote>>[0]['operation']): Promise<void> =>
    stage.journal.wrote?.({ key, operation, target: 'user' }, SIGNAL);
  await wrote('w1', { action: 'add', content: 'The sailboat is called Petrel.' });
  await wrote('w1', { action: 'add', content: 'The sailboat is called Petrel.' });
  match((await stage.ask('What is the sailboat called?')).join(), /note: The sailboat is called Petrel\.$/);
  await wrote('w2', { action: 'replace', oldText: 'Petrel', content: 'The sailboat is called Fulmar.' });
  match((await stage.ask('What is the sailboat called?')).join(), /Fulmar/);
  await wrote('w3', { action: 'remove', oldText: 'Fulmar' });
  deepEqual(await stage.ask('What is the sailboat called?'), []);
});

test('what is exported comes back the same in another journal', async () => {
  await using stage = stageJournal();
  await stage.tell('The clinic is on Elm Street.');
  await stage.tell('What does the page say?', 'The page says 12 things.', { foreign: ['page'] });
  await using other = stageJournal();
  const facts = await exported(stage);
  equal(await other.journal.importFacts?.(oneByOne(facts)), facts.length);
  equal(await other.journal.importFacts?.(oneByOne(facts)), 0);
  ok((await other.ask('On which street is the clinic?')).join().includes('Elm Street'));
  deepEqual(await other.ask('How many things are on the page?'), []);
});

test('what a person wrote before foreign text was in view has no label; what the agent said, and what was written later, has', async () => {
  await using stage = stageJournal();
  const foreign = ['plugin dice'];
  await stage.tell('The picnic with Mia is in Boston.', 'The dice say 12.', { foreign, foreignWhenAsked: [] });
  await stage.tell('The ferry leaves pier 7 at 08:20.', 'Pier 7.', { foreign, foreignWhenAsked: foreign });
  const request = { ...OWNER, signal: SIGNAL, maxChars: 6_000 };
  const recall = async (query: string) => (await stage.journal.recall?.(query, request))?.map(({ text, foreign: label }) => [text, label]);
  deepEqual(await recall('Where is the picnic with Mia?'), [['2026-03-15, owner: The picnic with Mia is in Boston.', undefined]]);
  deepEqual(await recall('When does the ferry leave?'), [['2026-03-16, owner: The ferry leaves pier 7 at 08:20.', 'plugin dice']]);
  deepEqual(
    (await exported(stage)).map(({ text, foreign: label }) => [text, label]),
    [
      ['The picnic with Mia is in Boston.', undefined],
      ['The dice say 12.', 'plugin dice'],
      ['The ferry leaves pier 7 at 08:20.', 'plugin dice'],
      ['Pier 7.', 'plugin dice'],
    ],
  );
});

test('what still holds of a labelled sentence is recalled with its label', async () => {
  await using stage = stageJournal();
  await stage.tell('The rent is due on the 1st, 950 euros, to the Harbor Bank.', 'All right.', {
    foreign: ['page'],
    foreignWhenAsked: ['page'],
  });
  await stage.tell('From now on the rent is due on the 5th.');
  const found = await stage.journal.recall?.('To which bank goes the rent?', { ...OWNER, signal: SIGNAL, maxChars: 6_000 });
  const old = found?.filter(({ text }) => text.includes('Harbor Bank')) ?? [];
  deepEqual(
    old.map(({ foreign }) => foreign),
    ['page'],
  );
  match(old[0]?.text ?? '', /changed later/);
});

test('a journal of an earlier version keeps its labels', async () => {
  await using stage = stageJournal();
  {
    using db = new DatabaseSync(join(stage.folder, 'journal.db'));
    db.exec(MIGRATIONS[0] ?? '');
    db.exec(`PRAGMA user_version = 1;
      INSERT INTO turns (key, session, at, platform, foreign_source) VALUES ('a', 's', ${START}, 'cli', 'page'), ('b', 's', ${START}, 'cli', NULL);
      INSERT INTO facts (turn, position, speaker, kind, text, valid_from)
        VALUES (1, 0, 'person', 'statement', 'The shed is green.', ${START}), (2, 0, 'person', 'statement', 'The gate is red.', ${START});`);
  }
  deepEqual(
    (await exported(stage)).map(({ text, foreign }) => [text, foreign]),
    [
      ['The shed is green.', 'page'],
      ['The gate is red.', undefined],
    ],
  );
});

test('what is exported is recalled elsewhere as it was: who said it, turn by turn, with its kind, and each text once', async () => {
  await using stage = stageJournal();
  await stage.tell('Our car is a blue Volvo. From now on the rent is due on the 5th.', 'The Volvo and the 5th: noted.');
  await stage.tell('If we ever bought the farmhouse, the kitchen would be green.');
  await stage.tell('Never suggest coriander.');
  await stage.tell('The barbecue is on 20 June.', 'Noted.', OWN_CHAT);
  await stage.journal.wrote?.({ key: 'w1', operation: { action: 'add', content: 'Our boat is a Laser.' }, target: 'user' }, SIGNAL);
  await stage.journal.importFacts?.(oneByOne([{ text: 'The piano was tuned by Odile.' }]));
  await using other = stageJournal();
  const facts = await exported(stage);
  equal(await other.journal.importFacts?.(oneByOne(facts)), facts.length);
  equal(await other.journal.importFacts?.(oneByOne(facts)), 0);
  deepEqual(await exported(other), facts);
  const questions = [
    'What car do we have?',
    'When is the rent due?',
    'What color would the kitchen of the farmhouse be?',
    'Plan a dinner.',
    'When is the barbecue?',
    'What boat do we have?',
    'Who tuned the piano?',
  ];
  const askAll = async ({ ask }: JournalStage) => Promise.all(questions.map((query) => ask(query)));
  const found = await askAll(other);
  deepEqual(found[0], [
    '2026-03-15, owner: Our car is a blue Volvo. From now on the rent is due on the 5th. | agent: The Volvo and the 5th: noted.',
  ]);
  deepEqual(found, await askAll(stage));
});

test('a note that is removed does not end what the owner said in the same words, nor a note of the other file', async () => {
  await using stage = stageJournal();
  const text = 'The sailboat is called Petrel.';
  const imported: readonly ExportedFact[] = [{ text, at: START, source: 's1', author: 'owner', scope: { platform: 'cli', isOwner: true } }];
  await stage.journal.importFacts?.(oneByOne(imported));
  for (const target of ['user', 'memory'] as const)
    await stage.journal.wrote?.({ key: `add ${target}`, operation: { action: 'add', content: text }, target }, SIGNAL);
  await stage.journal.wrote?.({ key: 'remove', operation: { action: 'remove', oldText: text }, target: 'user' }, SIGNAL);
  deepEqual(
    (await exported(stage)).map(({ source, validTo }) => [source, validTo === undefined]),
    [
      ['s1', true],
      ['user notes', false],
      ['memory notes', true],
    ],
  );
});

test('a turn that another one shows is not shown by itself as well', async () => {
  await using stage = stageJournal();
  await stage.tell('The sailboat is called Petrel.', 'Noted.', { sessionId: 's' });
  await stage.tell('It was built by Petrel Marine in 1994, the sailboat.', 'Noted.', { sessionId: 's' });
  const lines = await stage.ask('Tell me about the sailboat Petrel.');
  equal(lines.join('\n').split('is called Petrel').length, 2, lines.join('\n'));
});

test('what nobody vouches for stays in quarantine from one journal to the next', async () => {
  await using first = stageJournal();
  const foreign = 'memory provider far';
  const unknown: readonly ExportedFact[] = [
    { text: 'The meter number is 1EMH-00733.', foreign },
    { text: 'The locker code is 4471.', scope: { ...READER, isOwner: false }, foreign },
    { text: 'The barbecue is on 20 June.', author: 'agent', foreign },
  ];
  await first.journal.importFacts?.(oneByOne(unknown));
  await using second = stageJournal();
  await second.journal.importFacts?.(oneByOne(await exported(first)));
  await using third = stageJournal();
  await third.journal.importFacts?.(oneByOne(await exported(second)));
  const asked = ['What is the meter number?', 'What is the locker code?', 'When is the barbecue?'];
  const found = await Promise.all(
    asked.flatMap((query) => [third.ask(query), third.ask(query, { ...READER, sessionId: 's', isOwner: false })]),
  );
  deepEqual(found.flat(), []);
  deepEqual(await exported(third), await exported(first));
});
const READER = { platform: 'telegram', userId: '77', chatId: 'main/77' } as const;

const PRIVATE = { sessionId: 's-dm', platform: 'telegram', userId: '77', chatId: 'main/77', isOwner: false } as const;
const OWN_CHAT = { ...PRIVATE, sessionId: 's-own', userId: '1', chatId: 'main/1', isOwner: true } as const;
/** As chats are told: in a group nobody has an id. */
const GROUP = { sessionId: 's-group', platform: 'telegram', chatId: 'main/-5', isGroup: true, isOwner: false } as const;
const QUESTIONS = [
  'When is the barbecue?',
  'What is the locker code?',
  'What is the meter number?',
  'Which train does Gwen take?',
  'What does the page say about things?',
];
const later = <Scope extends MemoryScope>(scope: Scope): Scope => ({ ...scope, sessionId: 's-later' });
const READERS: readonly MemoryScope[] = [OWNER, later(PRIVATE), later(OWN_CHAT), later(GROUP), { ...later(GROUP), chatId: 'main/-6' }];

test('what is exported is recalled elsewhere by the same people, with the same labels, and by nobody else', async () => {
  await using stage = stageJournal();
  await stage.tell('The barbecue is on 20 June.', 'Noted: 20 June.', GROUP);
  await stage.tell('The locker code is 4471.', 'Noted: 4471.', PRIVATE);
  await stage.tell('The meter number is 1EMH-00733.', 'Noted: 1EMH-00733.', OWN_CHAT);
  await stage.tell('Gwen takes the train at 07:14.', 'The page says 12 things.', { foreign: ['https://page.example'] });
  await using other = stageJournal();
  await other.journal.importFacts?.(oneByOne(await exported(stage)));
  const recallAs = async ({ journal }: JournalStage, scope: MemoryScope): Promise<readonly unknown[]> => {
    const request = { ...scope, signal: SIGNAL, maxChars: 6_000 };
    const found = await Promise.all(QUESTIONS.map(async (query) => (await journal.recall?.(query, request)) ?? []));
    const facts = found.flat().map(({ text, foreign = '' }) => `${/20 June|4471|1EMH-00733|07:14|12 things/u.exec(text)?.[0]} ${foreign}`);
    return [...new Set(facts)];
  };
  const recallAll = async (given: JournalStage): Promise<unknown> => Promise.all(READERS.map(async (scope) => recallAs(given, scope)));
  const ofOwner = ['1EMH-00733 ', '07:14 https://page.example'];
  const expected = [ofOwner, ['4471 '], ofOwner, ['20 June '], []];
  deepEqual(await recallAll(stage), expected);
  deepEqual(await recallAll(other), expected);
  deepEqual(await exported(other), await exported(stage));
});

test('a line that does not say whose it is counts as the owner\u2019s only where nobody else can have said it', async () => {
  await using stage = stageJournal();
  const lines: readonly ExportedFact[] = [
    { text: 'The barbecue is on 20 June.', scope: { platform: 'telegram', chatId: 'main/-5' }, author: 'guest' },
    { text: 'The locker code is 4471.', scope: { platform: 'telegram', userId: '77', chatId: 'main/77' }, author: 'agent' },
    { text: 'The meter number is 1EMH-00733.', scope: { platform: 'telegram', userId: '1', chatId: 'main/1' }, author: 'owner' },
    { text: 'Gwen takes the train at 07:14.', scope: { platform: 'cli' }, author: 'agent' },
  ];
  await stage.journal.importFacts?.(oneByOne(lines));
  const found = await Promise.all(QUESTIONS.map(async (query) => (await stage.ask(query)).length));
  deepEqual(found, [0, 0, 1, 1, 0]);
});

test('in a group a person without an id is not called the owner', async () => {
  await using stage = stageJournal();
  await stage.tell('The barbecue is on 20 June.', 'Noted.', GROUP);
  deepEqual(await stage.ask('When is the barbecue?', later(GROUP)), ['2026-03-15, guest: The barbecue is on 20 June. | agent: Noted.']);
});

test('its one tool searches', async () => {
  await using stage = stageJournal();
  await stage.tell('The meter number is 1EMH-00733.');
  const call = async (query: string) => stage.journal.call?.('journal_search', { query }, { ...OWNER, signal: SIGNAL });
  deepEqual(
    stage.journal.tools?.().map(({ name }) => name),
    ['journal_search'],
  );
  match((await call('meter number')) ?? '', /1EMH-00733/);
  equal(await call('name of the mayor'), 'The journal has nothing about that.');
});

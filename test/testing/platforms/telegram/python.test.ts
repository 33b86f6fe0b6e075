import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { telegramStage, until } from './stage.ts';

const PYTHON = resolve('.cache/python/bin/python');

function whyNot(): string | false {
  try {
    execFileSync(PYTHON, ['-c', 'import telegram'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'no Python with the package python-telegram-bot; scripts/system-deps installs it';
  }
}

/** The script, what it told so far, and how it ended. */
function startWitness(plan: object) {
  const child = spawn(PYTHON, [resolve('test/testing/platforms/telegram/witness.py'), JSON.stringify(plan)]);
  const told: Record<string, unknown>[] = [];
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  createInterface(child.stdout).on('line', (line) => void told.push(JSON.parse(line) as Record<string, unknown>));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, told, ended, complaints: () => complaints };
}

test('python-telegram-bot sends, hears, presses and gets its own typed errors', { skip: whyNot() }, async () => {
  await using stage = await telegramStage();
  const { server, bot, ann, dm } = stage;
  const { people, log } = server;
  const said = people.say(dm, ann, 'first words');
  const forum = people.openGroup('supergroup', 'Work', [bot, ann], { isForum: true });
  const topic = people.addTopic(forum, ann, 'Plans');
  const old = people.openGroup('group', 'Old', [bot, ann]);
  const upgraded = people.upgrade(old, ann);
  const flooded = people.openPrivate(bot, people.addUser('Flo'));
  const blocked = people.openPrivate(bot, people.addUser('Bo'));
  people.shutOut(blocked, bot);
  server.inject({ fault: { type: 'rate_limit', retryAfter: 31 }, methods: ['sendMessage'], chat: flooded.id });
  const ids = { chat: dm.id, said, forum: forum.id, topic, old: old.id, flooded: flooded.id, blocked: blocked.id };
  const witness = startWitness({ base: server.baseUrl, files: `${server.url}/file/bot`, token: bot.token, ...ids });
  const wants = (what: string) => witness.told.find(({ want }) => want === what);
  const tells = (key: string, count = 1) => witness.told.filter((each) => key in each).length >= count;
  const isOver = () => witness.child.exitCode !== null;

  await until(() => isOver() || wants('talk') !== undefined, 'python polls');
  people.say(dm, ann, { document: { bytes: Buffer.from('12345'), name: 'x.txt' }, text: 'a file' });
  people.say(dm, ann, { photo: { bytes: Buffer.from('123') } });
  people.say(dm, ann, { voice: { bytes: Buffer.from('1234') } });
  people.say(forum, ann, { text: 'in a topic', topic });
  people.say(dm, ann, { text: 'other words', edit: said });
  people.say(dm, ann, 'buttons please');
  await until(() => isOver() || wants('press') !== undefined, 'python offers a button');
  if (!isOver()) people.press(dm, ann, Number(wants('press')?.['message']), 'Go');
  await until(() => isOver() || tells('pressed'), 'python heard the press');
  witness.child.stdin.end('over\n');
  assert.equal(await witness.ended, 0, witness.complaints());

  assert.deepEqual(
    witness.told.filter(({ want }) => want === undefined),
    [
      { me: 'hermes_test_bot' },
      {
        errors: {
          parse: ['BadRequest', "Can't parse entities: can't find end of italic entity at byte offset 1", null],
          migrated: ['ChatMigrated', `Group migrated to supergroup. New chat id: ${upgraded.id}`, String(upgraded.id)],
          blocked: ['Forbidden', 'Forbidden: bot was blocked by the user', null],
          flood: ['RetryAfter', 'Flood control exceeded. Retry in 31 seconds', '0:00:31'],
          conflict: ['Conflict', 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running', null],
          missing: ['BadRequest', 'Chat not found', null],
        },
      },
      { heard: 'a file', edited: false, topic: null, bytes: 5 },
      { heard: null, edited: false, topic: null, bytes: 3 },
      { heard: null, edited: false, topic: null, bytes: 4 },
      { heard: 'in a topic', edited: false, topic, bytes: null },
      { heard: 'other words', edited: true, topic: null, bytes: null },
      { heard: 'buttons please', edited: false, topic: null, bytes: null },
      { pressed: 'go' },
      { stranger: 'InvalidToken' },
    ],
  );
  assert.deepEqual(
    log
      .visible(dm)
      .map(({ text, media, reactions, buttons }) => [text, media?.kind, Buffer.from(media?.bytes ?? []).toString(), reactions, buttons]),
    [
      ['other words', undefined, '', ['🔥'], undefined],
      ['c', 'document', 'document', undefined, undefined],
      ['', 'photo', 'photo', undefined, undefined],
      ['', 'voice', 'voice', undefined, undefined],
      ['second', undefined, '', undefined, undefined],
      ['a file', 'document', '12345', undefined, undefined],
      ['', 'photo', '123', undefined, undefined],
      ['', 'voice', '1234', undefined, undefined],
      ['buttons please', undefined, '', undefined, undefined],
      ['Gone', undefined, '', undefined, undefined],
    ],
  );
  assert.deepEqual([log.visible(forum).at(2)?.text, log.presses[0]?.answer?.text], ['in the topic', 'Going']);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openStage, textsIn, until } from './stage.ts';

const PYTHON = '.cache/python/bin/python';
const skip = existsSync(PYTHON) ? false : `discord.py is not installed: there is no ${PYTHON}`;

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A bot on discord.py in a process of its own, and what it tells. */
function startBot({ server, bot }: Stage) {
  const env = { ...process.env, DISCORD_API: server.apiUrl, DISCORD_GATEWAY: server.gatewayUrl, DISCORD_TOKEN: bot.token };
  const child = spawn(PYTHON, [`${import.meta.dirname}/discord_client.py`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const told: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => void told.push(JSON.parse(line)));
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const isTold = (words: readonly unknown[]) => told.some((line) => JSON.stringify(line) === JSON.stringify(words));
  return {
    told,
    waitFor: (...words: readonly unknown[]) => until(() => isTold(words), `${JSON.stringify(words)} among ${JSON.stringify(told)}`),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

test('discord.py talks with the server in every way a bot does', { skip }, async (t) => {
  await using stage = await openStage({ buckets: { limit: 100, windowMs: 100 }, interactionMs: 30_000 });
  await using client = startBot(stage);
  await client.waitFor('ready', 'hermes', ['Workshop']);
  await t.test('it hears, replies, edits and reacts', () => talk(stage, client));
  await t.test('files go both ways', () => exchangeFiles(stage));
  await t.test('threads are started and seen', () => useThreads(stage, client));
  await t.test('a command and a button are answered in time', () => interact(stage));
  await t.test('a limit is waited out, a long text refused, history read in pages', () => meetLimits(stage, client));
  await t.test('a dropped socket is resumed and nothing is missed', () => interrupt(stage, client));
});

type Bot = ReturnType<typeof startBot>;

async function talk({ server, ann, bot, channel, direct }: Stage, client: Bot): Promise<void> {
  const question = server.people.say(channel, ann, { text: 'reply', mention: bot });
  server.people.say(direct, ann, 'edit');
  const liked = server.people.say(channel, ann, 'react');
  server.people.edit(server.people.say(channel, ann, 'frist'), 'first');
  await client.waitFor('heard', 'reply', 'ann', 'text', true);
  await client.waitFor('heard', 'edit', 'ann', 'private', false);
  await client.waitFor('edited', 'first');
  await until(() => server.visible(channel).length === 4 && server.visible(direct).at(-1)?.content === 'b', 'the answers');
  await until(() => liked.reactions.size === 1, 'the reaction');
  const [asked, , , reply] = server.visible(channel);
  assert.deepEqual([asked?.id, reply?.content, reply?.replyTo], [question.id, 'here', question.id]);
  assert.deepEqual(
    server.visible(direct)[1]?.versions.map(({ content }) => content),
    ['a', 'b'],
  );
}

async function exchangeFiles({ server, ann, direct }: Stage): Promise<void> {
  const attachments = [{ filename: 'in.txt', contentType: 'text/plain', bytes: Buffer.from('quiet') }];
  server.people.say(direct, ann, { text: 'file', attachments });
  await until(() => server.visible(direct).at(-1)?.content === 'back', 'the file');
  assert.deepEqual(server.visible(direct).at(-1)?.attachments, [{ filename: 'back.txt', bytes: Buffer.from('QUIET') }]);
}

async function useThreads({ server, ann, channel }: Stage, client: Bot): Promise<void> {
  const first = server.people.say(channel, ann, 'begin');
  await until(() => server.visible(first).length === 1, 'a word in the thread');
  assert.deepEqual(textsIn(server, first), ['hermes: Once upon a time']);
  server.people.say(channel, ann, { text: 'mine', thread: 'Other' });
  await client.waitFor('thread', 'Other', 'general');
}

async function interact({ server, ann, bot, direct }: Stage): Promise<void> {
  assert.deepEqual(server.commandsOf(bot), ['status']);
  server.people.slash(direct, ann, bot, 'status', { what: 'weather' });
  await until(() => server.visible(direct).at(-1)?.content === 'about weather', 'the answer to the command');
  server.people.say(direct, ann, 'button');
  await until(() => server.visible(direct).at(-1)?.content === 'Sure?', 'the card');
  const card = server.message(server.visible(direct).at(-1)?.id ?? '');
  assert.ok(card !== undefined);
  server.people.press(card, ann, 'q:yes');
  await until(() => server.visible(direct).at(-1)?.content === 'chosen by ann', 'what was chosen');
  assert.deepEqual(
    server.log.interactions.map(({ name, answer }) => [name, answer?.type, answer?.isLate]),
    [
      ['/status', 5, false],
      ['q:yes', 7, false],
    ],
  );
}

async function meetLimits({ server, guild, ann }: Stage, client: Bot): Promise<void> {
  const room = server.addChannel(guild, 'history');
  const said = Array.from({ length: 120 }, (_, index) => server.people.say(room, ann, `line ${index}`));
  const start = server.people.say(room, ann, `history ${said[9]?.id}`);
  await client.waitFor('history', 111, 'line 10', `history ${said[9]?.id}`);
  server.fault({ at: 'call', method: 'POST', path: /messages$/, times: 1, do: { type: 'rate_limit', retryAfter: 0.1 } });
  server.people.say(room, ann, 'many');
  await until(() => server.visible(room).at(-1)?.content === 'number 2', 'all three');
  const after = server.visible(room).filter(({ id }) => BigInt(id) > BigInt(start.id));
  assert.deepEqual(
    after.map(({ content }) => content),
    ['many', 'number 0', 'number 1', 'number 2'],
  );
  server.people.say(room, ann, 'long');
  await client.waitFor('refused', 400, 50035);
}

async function interrupt({ server, ann, bot, channel }: Stage, client: Bot): Promise<void> {
  server.gateway.drop(bot.token);
  server.people.say(channel, ann, 'meanwhile');
  await client.waitFor('resumed');
  await client.waitFor('heard', 'meanwhile', 'ann', 'text', false);
  const logins = server.log.sockets.filter(({ step }) => step === 'identify' || step === 'resume').map(({ step }) => step);
  assert.deepEqual([logins, server.gateway.openSockets(bot.token)], [['identify', 'resume'], 1]);
}

import assert from 'node:assert/strict';
import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedRequest, Reply } from '../../src/testing/index.ts';
import { countHoldings } from '../leaks.ts';
import { askedIn, command, messagesIn, stageChat, waitFor, type ChatStage } from './chat-stage.ts';

/** Does what the user's message says: `run COMMAND` calls the terminal once, everything else is repeated. */
function obedient(request: RecordedRequest): Reply {
  const asked = askedIn(request);
  if (asked?.startsWith('run ')) return command(asked.slice('run '.length));
  return { text: asked === undefined ? 'The command is over.' : `You said: ${asked}` };
}
const modelCalls = (requests: readonly RecordedRequest[]): RecordedRequest[] => requests.filter(({ method }) => method === 'POST');
const wordsOf = (request: RecordedRequest | undefined): string => JSON.stringify(request?.body);

test('a line is a message, and its answer and outcome come back', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send('hello');
  assert.equal(await client.until(/text/), '1 text You said: hello');
  assert.equal(await client.until(/outcome/), '1 outcome answered');
  client.send('/nonsense');
  assert.match(await client.until(/error/), /^1 error there is no command \/nonsense\. \/help lists them\./);
});

test('a line that comes while a command runs joins the turn', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send(`run ${waitFor('go')}`);
  await client.until(/started terminal/);
  client.send('in French, please');
  await client.until(/posted waiting/);
  stage.release('go');
  await client.until(/finished terminal/);
  await client.until(/posted steered/);
  await client.until(/outcome answered/);
  const calls = modelCalls(stage.wire.requests);
  assert.equal(calls.length, 2);
  assert.match(wordsOf(calls[1]), /in French, please/);
});

test('a dangerous command waits for the yes over the socket and runs once; after a no it does not run', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  const marks = join(stage.cwd, 'marks');
  const dangerous = 'run echo ran >> marks; git branch -D x';
  client.send(dangerous);
  await client.until(/question/);
  assert.equal(await client.until(/act/), '1 act echo ran >> marks; git branch -D x');
  await client.until(/choice 2/);
  assert.equal(existsSync(marks), false);
  client.send('/approve');
  await client.until(/finished terminal/);
  await client.until(/outcome answered/);
  assert.equal(readFileSync(marks, 'utf8'), 'ran\n');

  client.send(dangerous);
  await client.until(/choice 2/);
  client.send('/deny not in this folder');
  await client.until(/failed terminal.*not in this folder/);
  await client.until(/outcome answered/);
  client.send(dangerous);
  await client.until(/choice 2/);
  client.send('/deny');
  await client.until(/failed terminal/);
  await client.until(/outcome answered/);
  assert.equal(readFileSync(marks, 'utf8'), 'ran\n');
  client.send('/approve');
  await client.until(/error Nothing is asked now\./);
});

test('what cannot be seen is spelt out before somebody consents to it', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send('run git branch -D a\u3164b');
  assert.equal(await client.until(/act/), '1 act git branch -D a\\u3164b');
  await client.until(/choice 2/);
  client.send('/deny');
  await client.until(/outcome answered/);
});

test('a turn that is stopped takes its question along', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send('run echo ran >> marks; git branch -D x');
  await client.until(/choice 2/);
  client.send('/stop');
  await client.until(/outcome interrupted/);
  client.send('/approve');
  await client.until(/error Nothing is asked now\./);
  assert.equal(existsSync(join(stage.cwd, 'marks')), false);
});

test('undo takes the last turn back: the next request does not have it', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  for (const line of ['the first', 'the second']) {
    client.send(line);
    await client.until(/outcome answered/);
  }
  client.send('/undo');
  assert.equal(await client.until(/done/), '1 done Took back 1 turn, from: the second');
  client.send('the third');
  await client.until(/outcome answered/);
  const asked = messagesIn(modelCalls(stage.wire.requests).at(-1) ?? assert.fail()).flatMap(({ role, text }) =>
    role === 'user' ? [text] : [],
  );
  assert.deepEqual(asked, ['the first', 'the third']);
});

test('a branch goes on with a copy, and the session it came from without what was said in it', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send('in both');
  await client.until(/outcome answered/);
  client.send('/branch');
  await client.until(/^2 session/);
  client.send('in the branch');
  await client.until(/^2 outcome answered/);
  client.send('/go 1');
  client.send('in the first');
  await client.until(/^1 outcome answered/);
  const asked = modelCalls(stage.wire.requests)
    .slice(1)
    .map((request) => messagesIn(request).flatMap(({ role, text }) => (role === 'user' ? [text] : [])));
  assert.deepEqual(asked, [
    ['in both', 'in the branch'],
    ['in both', 'in the first'],
  ]);
});

test('another model takes over where the shell stands', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send('run mkdir sub && cd sub && KEPT=yes');
  await client.until(/outcome answered/);
  client.send('/model second-model');
  assert.match(await client.until(/done/), /^1 done From the next turn on the model is second-model of /);
  client.send('run echo "kept: $KEPT" && pwd');
  assert.match(await client.until(/finished terminal/), /kept: yes.*\/work\/sub/);
  await client.until(/outcome answered/);
  const models = modelCalls(stage.wire.requests).map(({ body }) => (body as { readonly model: string }).model);
  assert.deepEqual(models, ['first-model', 'first-model', 'second-model', 'second-model']);
});

test('two sessions at once on one connection: what happens in one is told of that one', async () => {
  await using stage = await stageChat(obedient);
  await using client = await stage.connect();
  client.send(`run echo alpha && ${waitFor('go')}`);
  await client.until(/^1 started terminal/);
  client.send('/open');
  await client.until(/^2 session/);
  client.send('run echo beta');
  await client.until(/^2 outcome answered/);
  stage.release('go');
  await client.until(/^1 outcome answered/);
  assert.deepEqual(
    client.lines.filter((line) => /^1 .*beta|^2 .*alpha/.test(line)),
    [],
  );
  assert.ok(client.lines.some((line) => line.startsWith('1 finished terminal alpha')));
  assert.ok(client.lines.some((line) => line.startsWith('2 finished terminal beta')));
});

test('two clients at once: neither hears of the other, and a stored session can be taken up by its id', async () => {
  await using stage = await stageChat(obedient);
  await using other = await stage.connect();
  {
    await using one = await stage.connect();
    one.send(`run echo alpha && ${waitFor('go')}`);
    await one.until(/started terminal/);
    other.send('run echo beta');
    await other.until(/outcome answered/);
    stage.release('go');
    await one.until(/outcome answered/);
    assert.deepEqual(
      one.lines.filter((line) => line.includes('beta')),
      [],
    );
    const [, , id = ''] = one.lines[0]?.split(' ') ?? [];
    await one[Symbol.asyncDispose]();
    assert.deepEqual(
      other.lines.filter((line) => line.includes('alpha')),
      [],
    );
    other.send(`/switch ${id}`);
  }
  await other.until(/^2 session/);
  other.send('what was it?');
  await other.until(/^2 outcome answered/);
  assert.match(wordsOf(modelCalls(stage.wire.requests).at(-1)), /alpha/);
});

/** Two clients come; one leaves with its question open, one while its command runs. */
async function comeAndGo(stage: ChatStage): Promise<void> {
  await using asked = await stage.connect();
  asked.send('run git branch -D x');
  await asked.until(/choice 2/);
  await using busy = await stage.connect();
  busy.send(`run ${waitFor('never')}`);
  await busy.until(/started terminal/);
}
/** What is held now and was not held before. What was closed a moment ago may take a while to be gone. */
async function grownSince(before: ReturnType<typeof countHoldings>): Promise<readonly string[]> {
  const grown = (): string[] =>
    // Node keeps one inotify for the whole process, once anybody has watched a folder.
    [...countHoldings()].flatMap(([what, count]) =>
      count > (before.get(what) ?? 0) && !what.includes('inotify') ? [`${what}: ${count}`] : [],
    );
  for (let left = 100; left > 0 && grown().length > 0; left--) await sleep(50);
  return grown();
}

test('whoever leaves in the middle of a turn leaves nothing behind, and neither does the server', async () => {
  {
    await using stage = await stageChat(obedient);
    await comeAndGo(stage);
  }
  const closed = countHoldings();
  {
    await using stage = await stageChat(obedient);
    await comeAndGo(stage);
    const open = countHoldings();
    for (let left = 3; left > 0; left--) await comeAndGo(stage);
    assert.deepEqual(await grownSince(open), []);
  }
  assert.deepEqual(await grownSince(closed), []);
});

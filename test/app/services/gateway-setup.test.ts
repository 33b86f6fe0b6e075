import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { createBuiltinRegistry } from '../../../src/commands/builtin.ts';
import { runCommand } from '../../../src/commands/run.ts';
import { openServices } from '../../../src/app/services/services.ts';
import { isObject } from '../../../src/base/json.ts';
import type { JsonObject } from '../../../src/base/json-types.ts';
import { openTelegramServer } from '../../../src/testing/platforms/telegram/server.ts';
import type { CommandContext, CommandValues } from '../../../src/contracts/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-setup-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const registry = createBuiltinRegistry();

/** A home, and commands in it as a person or a script types them. Telegram is where nobody answers, or at a server of the test. */
function openHome(baseUrl = 'http://127.0.0.1:9/bot') {
  const home = mkdtempSync(join(folder, 'home-'));
  const extra = { base_url: baseUrl };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ platforms: { telegram: { extra } } }));
  const run = async (name: string, values: CommandValues, answers: Partial<CommandContext> = {}): Promise<unknown> => {
    await using services = openServices({ processEnv: { HERMES_HOME: home }, notice: () => {} });
    const command = registry.find(name) ?? assert.fail(name);
    const signal = new AbortController().signal;
    const context = { place: 'shell', cwd: home, now: 0, signal, commands: () => [], report: () => {}, ...answers } as const;
    return runCommand(command, values, context, { services: services.openers, startedByAgent: () => false, isOn: services.isOn });
  };
  const settings = (): unknown => parse(readFileSync(join(home, 'config.yaml'), 'utf8'));
  return { run, settings, extra, secrets: () => readFileSync(join(home, '.env'), 'utf8') };
}
const readResult = (result: unknown): JsonObject => (isObject(result) ? result : assert.fail(JSON.stringify(result)));
const piped = (text: string): Partial<CommandContext> => ({ readPiped: () => text, readSecret: async () => text });
const typed = (secret: string, owner: string): Partial<CommandContext> => ({ readSecret: async () => secret, ask: async () => owner });

test('a token that was wrong is replaced by running setup again, and kept where none is given', async () => {
  const { run, secrets } = openHome();
  const telegram = { platform: 'telegram' };
  await run('gateway setup', { ...telegram, owner: '1' }, piped('1:wrong\n'));
  await run('gateway setup', { ...telegram, owner: '1' }, piped('1:right\n'));
  assert.match(secrets(), /^TELEGRAM_BOT_TOKEN=1:right$/m);
  await run('gateway setup', telegram, typed('', '1'));
  await run('gateway setup', { ...telegram, owner: '1' });
  assert.match(secrets(), /^TELEGRAM_BOT_TOKEN=1:right$/m);
  await run('gateway setup', telegram, typed('1:typed', '1'));
  assert.match(secrets(), /^TELEGRAM_BOT_TOKEN=1:typed$/m);
});

test('what a platform can do without is asked for in a terminal, and left out without an answer', async () => {
  const { run, settings, extra: telegram } = openHome();
  const asked: string[] = [];
  const answers = ['hermes@example.com', 'imap.example.com', 'smtp.example.com', '', 'ann@example.com'];
  const ask = async (question: string) => answers[asked.push(question) - 1] ?? assert.fail(question);
  await run('gateway setup', { platform: 'email' }, { readSecret: async () => 'secret', ask });
  assert.match(asked[3] ?? '', /^Name under which your mail server .* Leave it empty if you do not know it\.$/);
  const extra = { address: 'hermes@example.com', imap_host: 'imap.example.com', smtp_host: 'smtp.example.com' };
  assert.deepEqual(settings(), {
    platforms: { telegram: { extra: telegram }, email: { extra, owners: 'ann@example.com' } },
  });
  answers.push('', '', '', 'mx.example.com', 'ann@example.com');
  await run('gateway setup', { platform: 'email' }, { readSecret: async () => '', ask });
  assert.match(JSON.stringify(settings()), /"smtp_host":"smtp\.example\.com","authserv_id":"mx\.example\.com"/);
});

test('people who were let in stay when setup runs again; a former owner does not', async () => {
  const { run, settings, extra } = openHome();
  const setOwner = (owner: string) => run('gateway setup', { platform: 'telegram', owner }, piped('1:abc\n'));
  await setOwner('11');
  await run('config set', { key: 'platforms.telegram.allowed_users', value: '["11", "22"]' });
  await setOwner('11');
  assert.deepEqual(settings(), { platforms: { telegram: { extra, owners: '11', allowed_users: ['11', '22'] } } });
  await setOwner('33');
  assert.deepEqual(settings(), { platforms: { telegram: { extra, owners: '33', allowed_users: '22' } } });
});

test('a member of a table is set, shown and removed by its path; ids are not rounded, and tokens not shown', async () => {
  const { run, settings, extra } = openHome();
  const set = (key: string, value: string) => run('config set', { key: `platforms.telegram.${key}`, value });
  await set('extra.require_mention', 'true');
  await set('extra.poll_seconds', '5');
  await set('owners', '12345678901234567890');
  assert.match(JSON.stringify(await set('token', '1:abcdefgh')), /"value":"\*\*\*/);
  const telegram = { extra: { ...extra, require_mention: true, poll_seconds: 5 }, owners: '12345678901234567890', token: '1:abcdefgh' };
  assert.deepEqual(settings(), { platforms: { telegram } });
  assert.match(
    JSON.stringify(await run('config get', { key: 'platforms.telegram.extra' })),
    /"value":\{"base_url":"[^"]+","require_mention":true,"poll_seconds":5\}/,
  );
  await assert.rejects(run('config get', { key: 'platforms.discord' }), /platforms\.discord is not set\. To set it: /);
  await run('config unset', { key: 'platforms.telegram.token' });
  const { token: _token, ...left } = telegram;
  assert.deepEqual(settings(), { platforms: { telegram: left } });
  await assert.rejects(run('config set', { key: 'model.default.x', value: '1' }), /model\.default is a setting, not a section/);
});

test('a token is tried before it is written down: one that Telegram refuses is not, and without a network it is taken', async () => {
  await using server = await openTelegramServer();
  const { token } = server.people.addBot({ username: 'my_bot' });
  const { run, secrets } = openHome(server.baseUrl);
  const setUp = (given: string) => run('gateway setup', { platform: 'telegram', owner: '42' }, piped(`${given}\n`));
  await assert.rejects(setUp('1:wrong'), {
    code: 'usage',
    message:
      'Telegram does not know this bot token (Unauthorized). Get the token from @BotFather and set TELEGRAM_BOT_TOKEN. This one was not written down.',
  });
  assert.throws(secrets, { code: 'ENOENT' });
  const { ['account']: account, ['unchecked']: unchecked } = readResult(await setUp(token));
  assert.deepEqual([account, unchecked], ['@my_bot', undefined]);
  await server.refuse();
  const away = readResult(await setUp(token));
  assert.deepEqual([away['account'], typeof away['unchecked']], [undefined, 'string']);
});

test('an id that nobody on Telegram can have is refused before anything is written', async () => {
  const { run, settings, secrets, extra } = openHome();
  for (const owner of ['me', '@ada', '1 2'])
    await assert.rejects(run('gateway setup', { platform: 'telegram', owner }, piped('1:abc\n')), {
      code: 'usage',
      message: `"${owner}" is no user id on Telegram. It is a number, such as 123456789.`,
    });
  assert.deepEqual(settings(), { platforms: { telegram: { extra } } });
  assert.throws(secrets, { code: 'ENOENT' });
});

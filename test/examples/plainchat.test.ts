import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { plainchat } from '../../examples/plugins/plainchat/index.ts';
import { createConfigurationService } from '../../src/app/services/configuration.ts';
import { createGatewayService } from '../../src/app/services/gateway.ts';
import { openPluginFolders } from '../../src/app/plugins/plugin-folders.ts';
import { createRegistries, snapshotRegistries } from '../../src/app/tools/registries.ts';
import { gatewaySetup } from '../../src/commands/gateway-setup.ts';
import { openHomeStore } from '../../src/parts/store/home-store.ts';
import { guardPlatform } from '../../src/plugins/wrap/platforms.ts';
import { testPlatformConformance } from '../../src/testing/conformance/platform.ts';
import type { PlatformScene } from '../../src/testing/conformance/platform-scene.ts';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { until } from '../testing/platforms/telegram/stage.ts';
import { createPluginHome } from '../app/plugin-home.ts';
import { startProgram } from '../walks/gateway-stage.ts';
import { placeWith } from '../walks/mcp-serve-stage.ts';
import { startPlainchat, TOKEN } from './plainchat-server.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'plugins', 'plainchat');

/** As an author proves it: with what `hermes-ts/testing` gives. */
testPlatformConformance('plainchat', async (): Promise<PlatformScene> => {
  const server = await startPlainchat();
  return {
    kind: plainchat,
    settings: { secrets: { token: TOKEN }, extra: { url: server.url } },
    chat: { chatId: 'room' },
    personId: 'ann',
    say: async (text) => String(server.say('room', text)),
    forward: 'unknown_there',
    visible: async () => server.sent.map(({ id, text, file }) => ({ messageId: String(id), text: file?.name ?? text })),
    files: async () => server.sent.flatMap(({ file }) => (file === undefined ? [] : [Uint8Array.from(Buffer.from(file.base64, 'base64'))])),
    sockets: server.waiting,
    fault: server.fault,
    mend: server.mend,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

test('a gateway serves the platform of an enabled plugin, and only while it is enabled', async () => {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await startWireServer({ answer: () => ({ text: 'Hello from the gateway.' }) }));
  const server = opened.use(await startPlainchat());
  const place = placeWith(model.url, { platforms: { plainchat: { allowed_users: ['ann'], extra: { url: server.url } } } });
  appendFileSync(join(place.home, '.env'), `PLAINCHAT_TOKEN=${TOKEN}\n`);
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await place.run(args);
    assert.equal(code, 0, err);
    return out;
  };
  await run('plugins', 'install', EXAMPLE);
  const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, HERMES_HOME: place.home, TMPDIR: join(place.home, '..', 'tmp') };
  const before = startProgram(['gateway', 'run'], place.cwd, env);
  assert.notEqual((await before.ended).code, 0);
  assert.match(before.err(), /platforms\.plainchat: there is no platform of this name/);

  assert.match(await run('plugins', 'enable', 'plainchat', '--yes'), /plainchat/);
  const program = startProgram(['gateway', 'run'], place.cwd, env);
  opened.defer(async () => {
    program.kill('SIGKILL');
    await program.ended;
  });
  await until(() => /Gateway running/.test(program.err()) && server.waiting() > 0, 'it listens');
  server.say('room', 'hi');
  await until(() => server.sent.length > 0, 'answered');
  assert.deepEqual(
    server.sent.map(({ chat, text }) => [chat, text]),
    [['room', 'Hello from the gateway.']],
  );
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /hi/);
  program.kill('SIGTERM');
  assert.deepEqual(await program.ended, { code: 0, signal: null }, program.err());
});

test('a platform of a plugin that throws costs one answer, and is told', () => {
  const told: string[] = [];
  const fail = (): never => {
    throw new Error('broken');
  };
  const kind = guardPlatform({ ...plainchat, check: fail, credentials: fail, render: fail }, 'plainchat', (words) => void told.push(words));
  const settings = { secrets: {}, extra: {} };
  assert.match(kind.check(settings) ?? '', /plainchat failed: broken|failed: broken/);
  assert.deepEqual([kind.credentials(settings), kind.render('*x*')], [{}, '*x*']);
  assert.equal(told.length, 3);
});

test('the set-up of the gateway asks for what an enabled platform needs, and for that of no other plugin', async () => {
  const place = createPluginHome();
  const options = { processEnv: { HERMES_HOME: place.home.root }, notice: () => {}, registered: snapshotRegistries(createRegistries()) };
  await using store = await openHomeStore(place.home);
  const gateway = createGatewayService(options, async () => store);
  const list = async (): Promise<readonly string[]> => (await gateway.platforms()).map(({ id }) => id);
  await place.use(async (plugins) => (await openPluginFolders({ HERMES_HOME: place.home.root }, plugins)).install(EXAMPLE, EXAMPLE));
  assert.ok(!(await list()).includes('plainchat'), 'it is not enabled yet');
  await place.enable('plainchat');
  const configuration = createConfigurationService(options);
  const asked: string[] = [];
  const context = {
    place: 'shell',
    cwd: '/',
    now: 0,
    signal: new AbortController().signal,
    commands: () => [],
    report: () => {},
    choose: async ({ choices }: { readonly choices: readonly { readonly value: string }[] }) =>
      choices.find(({ value }) => value === 'plainchat')?.value ?? '',
    ask: async (question: string) => (asked.push(question), question.startsWith('address') ? 'http://chat.example/' : 'ann'),
    readSecret: async ({ question }: { readonly question: string }) => (asked.push(question), TOKEN),
  } as const;
  const done = await gatewaySetup.run?.({}, { gateway, configuration }, context);
  assert.deepEqual(asked, [
    'PLAINCHAT_TOKEN (token of the bot)?',
    'address of the server?',
    'Your user id on Plainchat? Leave it empty to keep what is set. Without one nobody there can approve what the agent asks.',
  ]);
  assert.deepEqual(
    [done?.platform, done?.written],
    ['plainchat', ['PLAINCHAT_TOKEN', 'platforms.plainchat.extra.url', 'platforms.plainchat.owners']],
  );
  assert.match(readFileSync(place.home.config, 'utf8'), /plainchat:[^]*url: http:\/\/chat\.example\//);
  assert.match(readFileSync(place.home.env, 'utf8'), /^PLAINCHAT_TOKEN=/m);
  const [needs] = (await gateway.platforms()).filter(({ id }) => id === 'plainchat');
  assert.ok(
    needs?.needs.every(({ isSet }) => isSet),
    JSON.stringify(needs),
  );
});

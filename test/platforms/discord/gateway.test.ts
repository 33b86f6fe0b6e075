import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadConfig } from '../../../src/app/config/config.ts';
import { openHomeGateway } from '../../../src/app/gateway/open.ts';
import { openHost } from '../../../src/app/open-host.ts';
import { createApprovalService } from '../../../src/app/services/approvals.ts';
import { snapshotRegistries } from '../../../src/app/tools/registries.ts';
import { resolveHome } from '../../../src/base/home.ts';
import { readAccounts } from '../../../src/faces/gateway/accounts/accounts.ts';
import { openBlobs } from '../../../src/parts/store/blobs.ts';
import { discord } from '../../../src/platforms/discord/index.ts';
import { scriptedProvider, type Script } from '../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../src/testing/scripted-route.ts';
import { openStage, textsIn, until } from '../../testing/platforms/discord/stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-discord-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A home whose settings name the server, with Ann as the one who may speak. */
function makeHome({ server, bot, ann }: Stage) {
  const root = mkdtempSync(join(folder, 'home-'));
  const lines = ['platforms:', '  discord:', '    extra:', `      api_url: ${server.apiUrl}`, `      gateway_url: ${server.gatewayUrl}`];
  writeFileSync(join(root, 'config.yaml'), lines.join('\n'));
  return { root, env: { HERMES_HOME: root, DISCORD_BOT_TOKEN: bot.token, DISCORD_ALLOWED_USERS: ann.id } };
}

async function startGateway({ root, env }: ReturnType<typeof makeHome>, script: Script) {
  const home = resolveHome(env);
  const host = await openHost({ env, home });
  const { settings } = await loadConfig(home.config, env, () => {});
  const registered = snapshotRegistries(host.registries);
  const gateway = await openHomeGateway({
    host,
    root,
    settings,
    env,
    accounts: readAccounts(settings, env, [discord]).accounts.filter(({ enabled }) => enabled),
    openAdapter: async ({ kind, settings: account }) => {
      const adapter = await kind.open({ settings: account, log: () => {} });
      const gone = Promise.withResolvers<string>();
      const terminate = async () => {
        await adapter[Symbol.asyncDispose]();
        gone.resolve('terminated');
      };
      return { adapter, failed: gone.promise, terminate };
    },
    approvals: await createApprovalService({ processEnv: env, notice: () => {}, registered }, async () => host.store),
    blobs: openBlobs(join(root, 'blobs')),
    owner: 'test',
    log: () => {},
    session: { provider: scriptedRoute(scriptedProvider(script)), mcp: false },
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

test('a mention is answered in a thread of its own, where no mention is needed any more', async () => {
  await using stage = await openStage();
  const { server, ann, bot, channel } = stage;
  await using _ = await startGateway(makeHome(stage), [{ text: 'Once upon a time.' }, { text: 'The end.' }]);
  await until(() => server.gateway.openSockets(bot.token) === 1, 'a connection');
  await until(() => server.log.sockets.some(({ step }) => step === 'identify'), 'a login');
  const asked = server.people.say(channel, ann, { text: 'tell me a story', mention: bot });
  await until(() => textsIn(server, asked).join() === 'hermes: Once upon a time.', 'the answer');
  const thread = server.channel(asked.id);
  assert.ok(thread !== undefined);
  server.people.say(thread, ann, 'go on');
  await until(() => textsIn(server, asked).at(-1) === 'hermes: The end.', 'the next answer');
  assert.deepEqual(textsIn(server, asked), ['hermes: Once upon a time.', 'ann: go on', 'hermes: The end.']);
  assert.deepEqual(textsIn(server, channel), [`ann: <@${bot.id}> tell me a story`]);
  await until(() => Object.keys(server.visible(channel)[0]?.reactions ?? {}).length > 0, 'a sign on the question');
});

test('what was said while the gateway was down is answered after the start, once, and to whom it belongs', async () => {
  await using stage = await openStage();
  const { server, ann, bot, guild, direct } = stage;
  const rooms = Array.from({ length: 3 }, (_, index) => server.addChannel(guild, `room ${index}`));
  const home = makeHome(stage);
  const echo: Script = ({ messages }) => {
    const last = messages.findLast(({ message }) => message.role === 'user')?.message.content ?? [];
    const words = last.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return { text: `You said: ${words.split('\n').at(-1)}` };
  };
  {
    await using _ = await startGateway(home, echo);
    await until(() => server.log.sockets.some(({ step }) => step === 'identify'), 'a login');
    server.people.say(direct, ann, 'before');
    await until(() => server.visible(direct).some(({ content }) => content === 'You said: before'), 'the first answer');
  }
  server.gateway.forget();
  server.people.say(direct, ann, 'meanwhile');
  const asked = rooms.map((room) => server.people.say(room, ann, { text: `about ${room.name}`, mention: bot }));
  await using _ = await startGateway(home, echo);
  await until(() => asked.every((message) => server.visible(message).some(({ content }) => content.startsWith('You said'))), 'the answers');
  await until(() => server.visible(direct).length === 4, 'the answer in private');
  assert.deepEqual(textsIn(server, direct), ['ann: before', 'hermes: You said: before', 'ann: meanwhile', 'hermes: You said: meanwhile']);
  assert.deepEqual(
    asked.map((message) => textsIn(server, message)),
    rooms.map((room) => [`hermes: You said: about ${room.name}`]),
  );
});

test('somebody who is allowed and wrote in private for the first time while the gateway was down is answered', async () => {
  await using stage = await openStage();
  const { server, ann, direct } = stage;
  const home = makeHome(stage);
  {
    await using _ = await startGateway(home, []);
    await until(() => server.log.calls.some(({ path }) => path === '/users/@me/channels'), 'a login, with the chat opened');
  }
  server.gateway.forget();
  server.people.say(direct, ann, 'hello?');
  await using _ = await startGateway(home, [{ text: 'Here I am.' }]);
  await until(() => server.visible(direct).length === 2, 'the answer');
  assert.deepEqual(textsIn(server, direct), ['ann: hello?', 'hermes: Here I am.']);
});

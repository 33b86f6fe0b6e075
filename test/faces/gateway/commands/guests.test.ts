import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene, type GatewayScene } from '../scene.ts';

/** What was answered to a line that somebody typed in private. */
async function answerTo(scene: GatewayScene, line: string): Promise<string> {
  const before = scene.said().length;
  scene.stage.server.people.say(scene.stage.dm, scene.stage.ann, line);
  await scene.until(() => scene.said().length > before);
  return scene.said().at(-1) ?? '';
}

/** What of the owner's setup must not be read by others. */
const listInnerWords = async (scene: GatewayScene): Promise<readonly string[]> => {
  const [session] = await scene.host().store.list({});
  return [scene.root, session?.id ?? '', session?.model ?? '', session?.provider ?? '', 'workspaces', 'agent:main', '$'];
};

test('a guest is told of their own conversation, and nothing of how the agent is set up', async () => {
  await using scene = await openScene({
    isUnlimited: true,
    script: () => ({ text: 'Hello.' }),
    // Two may speak, and nobody is said to be the owner.
    allowed: (id) => `${id},1`,
    files: { 'skills/tools/deploy-the-shop/SKILL.md': '---\nname: deploy-the-shop\ndescription: Deploys the shop.\n---\nDo it.\n' },
  });
  assert.equal(await answerTo(scene, 'hi'), 'Hello.');
  const answers: Record<string, string> = {};
  for (const line of ['/status', '/context', '/whoami', '/help', '/help model', '/model', '/mod', '/deploy-the-shp', '/new'])
    answers[line] = await answerTo(scene, line);
  const told = JSON.stringify(answers);
  for (const words of await listInnerWords(scene)) assert.ok(words !== '' && !told.includes(words), `${words} in ${told}`);
  assert.equal(answers['/status'], 'This conversation has 2 messages.');
  assert.match(answers['/context'] ?? '', /^This conversation takes up [\d.<]+ ?% of what fits into the model’s context\.$/);
  assert.deepEqual(Array.from((answers['/help'] ?? '').matchAll(/^ *\/([a-z-]+)/gm), ([, name = '']) => name).toSorted(), [
    'btw',
    'context',
    'help',
    'new',
    'queue',
    'status',
    'steer',
    'stop',
    'version',
    'whoami',
  ]);
  assert.match(answers['/help'] ?? '', /\/status: Show the length of this conversation/);
  assert.equal(answers['/help model'], 'There is no command /model. /help lists them.');
  assert.equal(answers['/model'], '/model is for the owner of this agent. /help lists what you can use here.');
  for (const line of ['/mod', '/deploy-the-shp']) assert.doesNotMatch(answers[line] ?? '', /\/model|deploy-the-shop/);
  assert.equal(answers['/new'], 'The next message begins a new session.');
});

test('the owner is told everything in private, and in a group what others may read too', async () => {
  await using scene = await openScene({ isUnlimited: true, script: () => ({ text: 'Hello.' }) });
  const { server, ann, bot } = scene.stage;
  assert.equal(await answerTo(scene, 'hi'), 'Hello.');
  assert.match(await answerTo(scene, '/status'), /^Session .*\nModel: .*\nFolder: .*workspaces/);
  const help = await answerTo(scene, '/help');
  for (const name of ['/approve', '/deny', '/commands lists all']) assert.ok(help.includes(name), `one message has ${name}`);
  assert.match(help, /\/model\b/);
  assert.match(await answerTo(scene, '/help approve'), /^\/approve: Approve what the agent asks for/);
  const group = server.people.openGroup('group', 'Family', [ann, bot]);
  const saidThere = () => server.log.visible(group).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
  server.people.say(group, ann, 'hi all');
  await scene.until(() => saidThere().length === 1);
  server.people.say(group, ann, '/status');
  await scene.until(() => saidThere().length === 2);
  assert.equal(saidThere()[1], 'This conversation has 2 messages.');
});

test('why a turn or a command failed is told to the owner in private, and to nobody in a group', async () => {
  const fail = async (): Promise<string> => Promise.reject(new Error('secret-host:8080 is down'));
  await using scene = await openScene({
    isUnlimited: true,
    script: () => ({ fails: { type: 'bad_request', detail: 'secret-host:8080 refused it' } }),
    overrides: { commands: { broken: { summary: 'Breaks', run: fail } } },
  });
  const { server, ann, bot, dm } = scene.stage;
  const group = server.people.openGroup('group', 'Family', [ann, bot]);
  const told = async (chat: typeof dm, line: string): Promise<string> => {
    const texts = () => server.log.visible(chat).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
    const before = texts().length;
    server.people.say(chat, ann, line);
    await scene.until(() => texts().length > before && scene.gateway().running === 0);
    return texts().at(-1) ?? '';
  };
  assert.match(await told(dm, 'hi'), /secret-host/);
  assert.equal(await told(dm, '/broken'), '/broken failed: secret-host:8080 is down');
  assert.equal(await told(group, 'hi'), 'Something went wrong, and I could not answer. My owner can see why in the log.');
  assert.equal(await told(group, '/broken'), '/broken failed. My owner can see why in the log.');
});

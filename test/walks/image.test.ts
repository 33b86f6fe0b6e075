import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { telegramStage } from '../testing/platforms/telegram/stage.ts';
import { openImageStage, readContext, readService, untilTrue, WHY_NOT, type ImageStage } from './image-stage.ts';
import { userWords } from './stage.ts';

const MAX_MB = 350;
const [IMAGE, FORMER] = ['localhost/hermes:new', 'localhost/hermes:old'];
const HOME = '/home/hermes/.hermes';
const skip = WHY_NOT ?? false;

test('the image is built from what is in the repository, and has what the package has', () => {
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] };
  // The bundle is built in the image, and a README is no part of what runs.
  for (const name of files.filter((file) => file !== 'README.md' && file !== 'dist'))
    assert.ok(readContext().includes(name), `${name} in .dockerignore`);
  for (const name of readContext()) assert.ok(existsSync(name), `${name} of .dockerignore`);
  for (const [, names = ''] of readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.*) \S+$/gm))
    for (const name of names.split(' ')) assert.ok(name === '.' || readContext().includes(name), name);
  assert.ok(readService().volumes.some((volume) => volume.endsWith(`:${HOME}`)));
});

let stage: ImageStage;
before(async () => {
  if (skip !== false) return;
  stage = await openImageStage();
  await stage.build(IMAGE);
});
after(() => stage?.[Symbol.asyncDispose]());

test(`the image has at most ${MAX_MB} MB, Node once, no compiler, and an ordinary user`, { skip }, async (context) => {
  const { out: size } = await stage.engine(['image', 'inspect', '--format', '{{.Size}}', IMAGE]);
  const megabytes = Math.round(Number(size) / 1e6);
  context.diagnostic(`the image has ${megabytes} MB`);
  assert.ok(megabytes <= MAX_MB, `${megabytes} MB`);
  const look = 'id -un; find / -xdev -type f -size +50M; for name in cc gcc g++ clang ld as make; do command -v $name; done';
  assert.equal((await stage.shell(IMAGE, look)).out, 'hermes\n/usr/local/bin/node\n');
  assert.match((await stage.hermes(IMAGE, ['--version'])).out, /^hermes \d/);
  const { code, err } = await stage.hermes(IMAGE, ['update']);
  assert.deepEqual([code, /came with this image.*docker compose up -d --build/.test(err)], [2, true], err);
});

test('the demo runs in the image, and its commands are contained', { skip }, async (context) => {
  const doctor = await stage.hermes(IMAGE, ['doctor', '--json']);
  const checks: readonly { readonly name: string; readonly words: string; readonly warn?: boolean }[] = JSON.parse(doctor.out);
  const wall = checks.find(({ name }) => name === 'terminal');
  context.diagnostic(`the wall in the image: ${wall?.words}`);
  assert.match(wall?.words ?? '', /made of Landlock/);
  assert.notEqual(wall?.warn, true);
  const { code, out, err } = await stage.hermes(IMAGE, ['demo', '--fast']);
  assert.match(out, /2 tests fail/);
  assert.equal(code, 0, out + err);
});

/** A home in a volume, with a bot and a model of the test; the gateway of `compose.yaml` on it. */
async function openGateway(name: string) {
  await using opened = new AsyncDisposableStack();
  let asked = 0;
  const answer = (request: Parameters<typeof userWords>[0]) => {
    const words = userWords(request).at(-1) ?? '';
    // The first answer to this is never said to the end.
    if (words.includes('take your time'))
      return ++asked === 1 ? { text: 'This takes long.', paceMs: 600_000 } : { text: 'Here I am again.' };
    return { text: `You said: ${/(?:first|second|third) word/.exec(words)?.[0]}` };
  };
  const model = opened.use(await startWireServer({ answer: (request) => answer(request) }));
  const { server, bot, ann, dm } = opened.use(await telegramStage());
  const volumes = readService().volumes.map((volume) => `--volume=${volume}`);
  const write = async (file: string, text: string): Promise<void> =>
    assert.equal((await stage.shell(IMAGE, `cat > ${HOME}/${file}`, volumes, text)).code, 0);
  const route = { default: 'test-model', base_url: `${model.url}/v1`, api_mode: 'chat_completions' };
  const platforms = { telegram: { extra: { base_url: server.baseUrl } } };
  await write('config.yaml', JSON.stringify({ model: route, platforms, streaming: { enabled: false } }));
  await write('.env', `TELEGRAM_BOT_TOKEN=${bot.token}\nTELEGRAM_ALLOWED_USERS=${ann.id}\n`);
  opened.defer(async () => {
    await stage.engine(['rm', '-f', '-t', '0', name]);
    await stage.engine(['volume', 'rm', '-af']);
  });
  const kept = opened.move();
  const said = (): readonly string[] => server.log.visible(dm).flatMap(({ from, text }) => (from === bot.id ? [text] : []));
  const logs = async (): Promise<string> => (await stage.engine(['logs', name])).err;
  return {
    model,
    asked: () => asked,
    say: (text: string) => void server.people.say(dm, ann, text),
    said,
    logs,
    /** Waits until it has said so. */
    hears: (text: string) => untilTrue(() => said().includes(text), `it says ${text}; it said ${said().join(', ')}`),
    exec: (...args: readonly string[]) => stage.engine(['exec', name, ...args]),
    /** The gateway's process, as the container sees it. */
    pid: async () => JSON.parse((await stage.engine(['exec', name, 'cat', `${HOME}/gateway.pid`])).out)['pid'] as number,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('the health check tells a gateway that hangs from one that works', { skip }, async () => {
  await using gateway = await openGateway('health');
  await stage.up('health', IMAGE);
  const [, ...check] = readService().healthcheck.test;
  const isHealthy = async (): Promise<boolean> => (await gateway.exec(...check)).code === 0;
  await untilTrue(isHealthy, 'the gateway is healthy');
  const pid = String(await gateway.pid());
  await gateway.exec('sh', '-c', `kill -STOP ${pid}`);
  await untilTrue(async () => !(await isHealthy()), 'the gateway hangs');
  assert.match((await gateway.exec(...check)).out, /is not responding as process/);
  await gateway.exec('sh', '-c', `kill -CONT ${pid}`);
  await untilTrue(isHealthy, 'the gateway works again');
});

test(
  'a gateway in a container that is killed loses nothing: its process, or the whole container, with another one after it',
  { skip },
  async () => {
    await using gateway = await openGateway('killed');
    await stage.up('killed', IMAGE);
    gateway.say('first word');
    await gateway.hears('You said: first word');
    gateway.say('take your time');
    await untilTrue(() => gateway.asked() === 1, 'the model is asked');
    // Nobody stopped it, so the restart policy starts it again.
    await gateway.exec('sh', '-c', `kill -KILL ${await gateway.pid()}`);
    gateway.say('second word');
    await gateway.hears('Here I am again.');
    await gateway.hears('You said: second word');
    await stage.engine(['rm', '-f', '-t', '0', 'killed']);
    gateway.say('third word');
    await stage.up('killed', IMAGE);
    await gateway.hears('You said: third word');
    assert.deepEqual(
      gateway.said(),
      ['You said: first word', 'Here I am again.', 'You said: second word', 'You said: third word'],
      await gateway.logs(),
    );
  },
);

test('another image on the same volume goes on where the former one stopped', { skip }, async () => {
  await stage.buildFormer(FORMER, IMAGE, '0.0.9');
  await using gateway = await openGateway('updated');
  await stage.up('updated', FORMER);
  gateway.say('first word');
  await gateway.hears('You said: first word');
  assert.equal((await gateway.exec('hermes', '--version')).out, 'hermes 0.0.9\n');
  assert.equal((await stage.engine(['stop', 'updated'])).code, 0);
  assert.match(await gateway.logs(), /Gateway stopped\./);
  await stage.engine(['rm', 'updated']);
  gateway.say('second word');
  await stage.up('updated', IMAGE);
  await gateway.hears('You said: second word');
  assert.doesNotMatch(await gateway.logs(), /another container/, 'a place that was given back is taken at once');
  assert.notEqual((await gateway.exec('hermes', '--version')).out, 'hermes 0.0.9\n');
  const words = userWords(gateway.model.requests.findLast(({ protocol }) => protocol === 'openai-chat'));
  assert.ok(
    words.some((each) => each.includes('first word')),
    'the conversation goes on',
  );
  assert.deepEqual(gateway.said(), ['You said: first word', 'You said: second word']);
});

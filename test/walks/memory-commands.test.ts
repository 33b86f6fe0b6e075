import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMem0Server } from '../../src/testing/memory-servers/mem0.ts';
import { openVikingServer } from '../../src/testing/memory-servers/openviking.ts';
import { noPty, onTerminal } from './on-terminal.ts';
import { stage, type Stage } from './stage.ts';

const KEY = 'key-0123456789-abcdef';
const mode = (place: Stage, name: string): number => statSync(join(place.home, name)).mode & 0o777;
const env = (place: Stage): string => readFileSync(join(place.home, '.env'), 'utf8');

test(
  'memory setup on a terminal asks for the key alone, says where to get one, and keeps it in .env and nowhere else',
  { skip: noPty },
  async () => {
    const place = stage();
    const { code, shown } = await onTerminal(['memory', 'setup', '--provider', 'mem0'], place.home, [[/not shown[^]*> /, `${KEY}\r`]]);
    assert.equal(code, 0, shown);
    assert.match(shown.replaceAll(/\s+/g, ' '), /API key of Mem0 \(api_key\), from https:\/\/app\.mem0\.ai\/dashboard\/api-keys/);
    assert.doesNotMatch(shown, /user_id|top_k|rerank|base_url/, 'what has a default is not asked');
    assert.ok(!shown.includes(KEY), 'what is typed is not shown');
    assert.match(shown, /The memory provider is mem0\.[^]*Saved in \.env: MEM0_API_KEY\./);
    assert.equal(env(place).trim(), `MEM0_API_KEY=${KEY}`);
    assert.deepEqual([mode(place, '.env'), mode(place, 'mem0.json')], [0o600, 0o600]);
    assert.ok(!readFileSync(join(place.home, 'mem0.json'), 'utf8').includes(KEY));
  },
);

test('memory setup on a terminal lists the providers; one whose fields all have a default asks nothing more', { skip: noPty }, async () => {
  const place = stage();
  const { code, shown } = await onTerminal(['memory', 'setup'], place.home, [[/Which memory should be asked[^]*Enter/, 'session_log\r']]);
  assert.equal(code, 0, shown);
  assert.match(shown, /The memory provider is session_log\. New sessions use it\./);
});

test('memory setup by flags: values in the file of the profile for its owner alone, one JSON object as the answer', async () => {
  await using server = await openVikingServer(KEY);
  const place = stage();
  const args = ['memory', 'setup', '--provider', 'openviking', '--set', `endpoint=${server.url}`, '--json'];
  const { code, out, err } = await place.run(args, { env: { OPENVIKING_API_KEY: KEY } });
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(out), { provider: 'openviking', variables: [], ok: true });
  assert.deepEqual(JSON.parse(readFileSync(join(place.home, 'openviking.json'), 'utf8')), { endpoint: server.url });
  assert.equal(mode(place, 'openviking.json'), 0o600);
  const status = await place.run(['memory', 'status', '--json'], { env: { OPENVIKING_API_KEY: KEY } });
  assert.match(status.out, /connected to 127\.0\.0\.1/);
});

test('memory setup without anybody to ask says what is missing and where to get it, and changes nothing', async () => {
  const place = stage();
  const without = await place.run(['memory', 'setup', '--provider', 'mem0']);
  assert.equal(without.code, 2);
  assert.match(
    without.err,
    /mem0 needs api_key .*: pipe it in, or set MEM0_API_KEY first: hermes config set MEM0_API_KEY\. Get it from https:\/\/app\.mem0\.ai/,
  );
  const wrong = await place.run(['memory', 'setup', '--provider', 'mem0', '--set', 'colour=red']);
  assert.match(wrong.err, /mem0 asks for no colour\. It asks for api_key\./);
  const nobody = await place.run(['memory', 'setup', '--provider', 'memory9']);
  assert.match(nobody.err, /there is no memory provider memory9\. Known: journal, session_log, mem0/);
  assert.deepEqual(JSON.parse((await place.run(['memory', 'status', '--json'])).out), { provider: '', ok: true });
  const piped = await place.run(['memory', 'setup', '--provider', 'mem0', '--json'], { stdin: `${KEY}\n` });
  assert.deepEqual(JSON.parse(piped.out), { provider: 'mem0', variables: ['MEM0_API_KEY'], ok: true });
});

/** A plugin with a memory provider, and a command of its own below its name. */
function installMemoryPlugin(place: Stage, fields: string, more = ''): void {
  const folder = join(place.home, 'plugins', 'shelf');
  mkdirSync(folder, { recursive: true });
  const lines = [
    'name: shelf',
    'version: 1.0.0',
    'description: A shelf for facts',
    'api: 1',
    'entry: index.mjs',
    'memory_provider: shelf',
    'cli:',
    '  - name: dust',
    '    summary: Dust the shelf',
  ];
  writeFileSync(join(folder, 'plugin.yaml'), `${lines.join('\n')}\n`);
  writeFileSync(
    join(folder, 'index.mjs'),
    `export default { name: 'shelf', setup: (host) => {
      host.memoryProviders.add({ name: 'shelf', available: () => true, configFields: () => ${fields}, ${more} });
      host.cli.add({ name: 'dust', run: () => 'dusted' });
    } };\n`,
  );
}
const enable = async (place: Stage): Promise<void> => {
  const { code, out, err } = await place.run(['plugins', 'enable', 'shelf', '--yes'], { onTerminal: true });
  assert.equal(code, 0, `${out}${err}`);
};

test('a provider that asks for a secret and names no variable for it is refused, and nothing is saved', async () => {
  const place = stage();
  installMemoryPlugin(place, `[{ key: 'token', description: 'a token', secret: true, required: true }]`);
  await enable(place);
  const { code, err } = await place.run(['memory', 'setup', '--provider', 'shelf', '--set', 'token=abc']);
  assert.equal(code, 2);
  assert.match(err, /shelf asks for the secret token and names no variable to keep it in, so it cannot be set up\./);
  assert.deepEqual(JSON.parse((await place.run(['memory', 'status', '--json'])).out), { provider: '', ok: true });
});

test('a provider of a plugin keeps its settings in its data folder; when it fails it is named, and nothing is saved', async () => {
  const place = stage();
  const save = `saveConfig: async (values, home) => {
    if (values.place === 'nowhere') throw new Error('there is no nowhere');
    (await import('node:fs')).writeFileSync(home + '/shelf.json', JSON.stringify(values));
  }`;
  const fields = `[{ key: 'place', description: 'where' }, { key: 'token', description: 'a token', secret: true, env_var: 'SHELF_TOKEN' }]`;
  installMemoryPlugin(place, fields, save);
  await enable(place);
  const setUp = (at: string) =>
    place.run(['memory', 'setup', '--provider', 'shelf', '--set', `place=${at}`, '--set', 'token=abc-0123456789', '--json']);
  const wrong = await setUp('nowhere');
  assert.equal(wrong.code, 2, wrong.err);
  assert.match(wrong.err, /the memory provider shelf could not keep its settings, so nothing was saved: there is no nowhere/);
  assert.ok(!existsSync(join(place.home, '.env')) || !env(place).includes('SHELF_TOKEN'));
  const right = await setUp('attic');
  assert.deepEqual(JSON.parse(right.out), { provider: 'shelf', variables: ['SHELF_TOKEN'], ok: true });
  assert.equal(readFileSync(join(place.home, 'plugin-data/shelf/shelf.json'), 'utf8'), '{"place":"attic"}');
});

/** Everything that lists commands. */
const LISTS: readonly (readonly string[])[] = [['--help'], ['__complete', 'bash', 'hermes ', ''], ['jornal']];
const listAll = async (place: Stage): Promise<readonly string[]> =>
  Promise.all(LISTS.map(async (args) => (({ code, out, err }) => `${code} ${out}${err}`)(await place.run(args))));

test('help, completion and what a mistyped command gets are the same with and without a provider that is not in use', async () => {
  const place = stage();
  const before = await listAll(place);
  assert.ok(
    before.every((text) => !/shelf|hermes journal|hermes honcho|\n\s+journal\b|\n\s+honcho\b/.test(text)),
    before.join('\n'),
  );
  installMemoryPlugin(place, '[]');
  await enable(place);
  assert.deepEqual(await listAll(place), before);
  const refused = await place.run(['shelf', 'dust']);
  assert.match(refused.err, /unknown command 'shelf'/);
});

test('commands of a built-in provider that is not in use say how to use it', async () => {
  const advice = (name: string, used: string): RegExp =>
    new RegExp(
      `${name} has commands only while it is the memory provider, and ${used} is\\. To use it: hermes memory setup --provider ${name}\n`,
    );
  const none = await stage().run(['journal', 'list']);
  assert.deepEqual([none.code, advice('journal', 'none').test(none.err)], [2, true], none.err);
  const other = await stage({ memory: { provider: 'journal' } }).run(['honcho', 'status']);
  assert.deepEqual([other.code, advice('honcho', 'journal').test(other.err)], [2, true], other.err);
});

test('a provider in use shows its commands in help and completion, and a mistyped one is led to it', async () => {
  for (const name of ['honcho', 'shelf']) {
    const place = stage({ memory: { provider: name } });
    if (name === 'shelf') {
      installMemoryPlugin(place, '[]');
      await enable(place);
    }
    const [help = '', completed = ''] = await listAll(place);
    assert.match(help, new RegExp(`\\n\\s+${name}\\b`), help);
    assert.equal(new RegExp(`^${name}\\b`, 'm').test(completed), name === 'honcho');
    const typo = await place.run([`${name}x`]);
    assert.match(typo.err, new RegExp(`unknown command '${name}x'[^]*Did you mean ${name}\\?`));
  }
});

test('memory export and import move what a service knows through a file; one that cannot list says so in one line', async () => {
  await using from = await openMem0Server(KEY);
  await using to = await openMem0Server(KEY);
  const homes = [from, to].map(({ url }) => {
    const place = stage({ memory: { provider: 'mem0' } });
    writeFileSync(join(place.home, 'mem0.json'), JSON.stringify({ base_url: url }));
    return place;
  });
  const [first = assert.fail(), second = assert.fail()] = homes;
  const run = (place: Stage, ...args: string[]) => place.run(['memory', ...args], { env: { MEM0_API_KEY: KEY } });
  const file = first.at('facts.jsonl');
  writeFileSync(
    file,
    [
      { text: 'Tea is at five', at: 1_770_000_000_000 },
      { text: 'The cat is Mimi', author: 'agent', scope: { platform: 'telegram', userId: '1', chatId: 'main/1', isOwner: true } },
      {
        text: 'The barbecue is on Sunday',
        author: 'owner',
        scope: { platform: 'telegram', chatId: 'main/-5', isGroup: true, isOwner: false },
      },
    ]
      .map((fact) => `${JSON.stringify(fact)}\n`)
      .join(''),
  );
  assert.match((await run(first, 'import', file)).out, /The memory took 3 facts\./);
  const moved = first.at('moved.jsonl');
  assert.match((await run(first, 'export', moved)).out, /2 facts are in .*moved\.jsonl/);
  const lines = readFileSync(moved, 'utf8')
    .trim()
    .split('\n')
    .map((line): { text: string; at?: number } => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['Tea is at five', 'The cat is Mimi'],
  );
  assert.equal(lines[0]?.at, 1_770_000_000_000);
  cpSync(moved, second.at('moved.jsonl'));
  assert.match((await run(second, 'import', second.at('moved.jsonl'))).out, /The memory took 2 facts\./);
  assert.equal((await run(second, 'export')).out, readFileSync(moved, 'utf8'));
  to.faults.push({ status: 501 });
  const { code, err } = await run(second, 'export');
  assert.deepEqual([code, err], [2, 'hermes: the memory provider mem0: Mem0 cannot list what it knows (501), so nothing can be moved.\n']);
});

test('the journal says which facts were said with words of others in view, and where those came from', async () => {
  const place = stage({ memory: { provider: 'journal' } });
  const file = join(place.home, 'facts.jsonl');
  const lines = [
    { text: 'The picnic is in Boston.', at: 0, author: 'owner' },
    { text: 'Mia brings the cake.', at: 0, author: 'owner', foreign: 'plugin dice' },
  ];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  assert.equal((await place.run(['memory', 'import', file])).code, 0);
  const listed = await place.run(['journal', 'list']);
  assert.match(listed.out, /^2\. .*Mia brings the cake\. \(with words from outside in view: plugin dice\)\n1\. .*Boston\.\n$/);
  assert.match((await place.run(['journal', 'show', '2'])).out, /^2\. .*\(with words from outside in view: plugin dice\)\n/);
  const [labelled, own]: readonly { readonly foreign?: string }[] = JSON.parse((await place.run(['journal', 'list', '--json'])).out);
  assert.deepEqual([labelled?.foreign, own?.foreign], ['plugin dice', undefined]);
});

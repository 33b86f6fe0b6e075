import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';
import { userWords } from './stage.ts';

/** A home and two projects with rules of their own. */
function scene() {
  const root = tempHome();
  const [home, repo, other, bare] = ['home', 'repo', 'other', 'bare'].map((name) => join(root, name)) as [string, string, string, string];
  for (const folder of [home, repo, other, bare]) mkdirSync(folder);
  writeFileSync(join(repo, 'AGENTS.md'), 'Use tabs.\n');
  writeFileSync(join(other, 'AGENTS.md'), 'Use spaces.\n');
  return { home, repo, other, bare };
}
async function sessionIn(home: string): Promise<string> {
  const [row] = JSON.parse((await hermes(['sessions', 'list', '--json'], { home })).out) as { readonly id: string }[];
  return row?.id ?? '';
}
const MOVED = '[This session now works in another place than the system prompt says. This holds from here on:]';

test('a session that goes on in another folder or back end is told so once, beside the message, with the rules there', async () => {
  const { home, repo, other, bare } = scene();
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const say = async (words: string, cwd: string, backend: string) => {
    writeFileSync(join(home, 'config.yaml'), JSON.stringify({ terminal: { backend } }));
    const resumed = words === 'first' ? [] : ['--resume', await sessionIn(home)];
    const ran = await hermes(['chat', '-q', words, ...resumed, '--cwd', cwd, ...toServer(server.url)], { home });
    assert.equal(ran.code, 0, ran.err);
    return userWords(server.requests.at(-1)).at(-1) ?? '';
  };
  assert.equal(await say('first', repo, 'local'), 'first');
  const moved = await say('second', other, 'docker');
  assert.ok(moved.startsWith('second') && moved.includes(MOVED), moved);
  assert.match(moved, /run in a container \(image [^]*Working directory: \/root/);
  assert.match(moved, /If the working directory has an AGENTS\.md, read it/);
  assert.equal(await say('third', other, 'docker'), 'third', 'told once');
  const again = await say('fourth', other, 'local');
  assert.ok(
    again.includes(`Working directory: ${other}`) && again.includes('Use spaces.') && !again.includes('container of the image'),
    again,
  );
  assert.match(await say('fifth', bare, 'local'), /There are no project rules here\.[^]*Working directory: .*\/bare/);
  const back = await say('sixth', repo, 'local');
  assert.ok(back.includes(`Working directory: ${repo}`) && back.includes('Use tabs.'), back);
  const systems = server.requests.map(({ body }) => JSON.stringify((body as { readonly messages: readonly unknown[] }).messages[0]));
  assert.equal(new Set(systems).size, 1, 'the prompt itself stays byte for byte');
  const replayed = await hermes(['replay', await sessionIn(home)], { home });
  assert.equal(replayed.code, 0, replayed.out + replayed.err);
});

test('rules that hold in both places are not told again, and a new prompt tells the new place itself', async () => {
  const { home, repo, other } = scene();
  writeFileSync(join(other, 'AGENTS.md'), 'Use tabs.\n');
  await using server = await startWireServer({ answer: () => ({ text: 'ok' }) });
  const ask = (cwd: string, ...more: readonly string[]) =>
    hermes(['chat', '-q', 'go', ...more, '--cwd', cwd, ...toServer(server.url)], { home });
  await ask(repo);
  const id = await sessionIn(home);
  const resume = ['--resume', id];
  await ask(other, ...resume);
  const words = userWords(server.requests.at(-1)).at(-1) ?? '';
  assert.ok(words.includes(`Working directory: ${other}`) && !words.includes('Use tabs.'), words);
  await hermes(['sessions', 'rebuild-prompt', id], { home });
  await ask(other, ...resume);
  assert.equal(userWords(server.requests.at(-1)).at(-1), 'go');
  assert.ok(JSON.stringify(server.requests.at(-1)?.body).includes(`Working directory: ${other}`));
});

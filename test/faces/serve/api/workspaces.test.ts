import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { resolveSessionFolder } from '../../../../src/commands/chat-session.ts';
import type { Session } from '../../../../src/contracts/session-store.ts';
import type { JsonObject } from '../../../../src/base/json-types.ts';
import { scriptedProvider, type Script } from '../../../../src/testing/scripted-provider.ts';
import { scriptedRoute } from '../../../../src/testing/scripted-route.ts';
import { openApiStage, type ApiStage } from './stage.ts';

const root = mkdtempSync(join(tmpdir(), 'hermes-api-workspaces-'));
after(() => rmSync(root, { recursive: true, force: true }));
const all = join(root, 'workspaces');
const list = (): string[] => readdirSync(all).toSorted();
const SCRIPT: Script = ({ messages }) => {
  const last = messages.at(-1)?.message;
  const text = last?.role === 'user' ? JSON.stringify(last.content) : '';
  return text.includes('keep') ? { calls: [{ id: 'c1', name: 'terminal', input: { command: 'echo a > kept.txt' } }] } : { text: 'Done.' };
};
const local = { config: { terminal: { backend: 'local' }, database: { durability: 'process' } }, root, script: SCRIPT };
const talk = async (stage: ApiStage, words: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const body: JsonObject = { messages: [{ role: 'user', content: words }] };
  const answer = await stage.ask('/v1/chat/completions', { body, headers });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.headers.get('x-hermes-session-id') ?? '';
};
const folderOf = async ({ host }: ApiStage, id: string): Promise<string> => basename((await host.store.find(id))[0]?.cwd ?? '');

test('a folder in which nothing lies goes with its session, comes back with it, and no other goes', async () => {
  let [kept, empty, id] = ['', '', ''];
  {
    await using stage = await openApiStage({ ...local });
    id = await talk(stage, 'hello');
    empty = await folderOf(stage, id);
    kept = await folderOf(stage, await talk(stage, 'keep this'));
    assert.deepEqual(list(), [empty, kept].toSorted(), 'open sessions have theirs');
  }
  assert.deepEqual(list(), [kept]);
  // Left by a process that was killed, by a chat, and by somebody else.
  const [left, chat, other] = [`api_server-${'0'.repeat(16)}`, `telegram-${'0'.repeat(16)}`, 'api_server-notes'];
  for (const name of [left, chat, other]) mkdirSync(join(all, name));
  await using stage = await openApiStage({ ...local });
  assert.deepEqual(list(), [kept, chat, other].toSorted());
  assert.equal(await talk(stage, 'again', { 'x-hermes-session-id': id }), id);
  assert.deepEqual(list(), [empty, kept, chat, other].toSorted());
});

test('a folder that sessions share goes with the last of them', async () => {
  rmSync(all, { recursive: true, force: true });
  await using stage = await openApiStage({ ...local });
  const shared = { 'x-hermes-session-key': 'team' };
  const [one, two] = [await talk(stage, 'one', shared), await talk(stage, 'two', shared)];
  const [folder] = list();
  const close = (id: string) => stage.ask(`/api/sessions/${id}`, { method: 'DELETE' });
  assert.equal((await close(one)).status, 200);
  assert.deepEqual(list(), [folder]);
  assert.equal((await close(two)).status, 200);
  assert.deepEqual(list(), []);
});

test('whoever resumes a session elsewhere finds its folder again, and no folder of anybody else is made', async () => {
  rmSync(all, { recursive: true, force: true });
  const gone = join(root, 'gone', 'api_server-0123456789abcdef');
  let id = '';
  {
    await using stage = await openApiStage({ ...local });
    id = await talk(stage, 'hello');
  }
  assert.deepEqual(list(), []);
  await using stage = await openApiStage({ ...local });
  const { host } = stage;
  const [session] = await host.store.find(id);
  assert.ok(session);
  const other = await host.store.create({ ...session, cwd: gone });
  const folderFor = (earlier: Session): string => resolveSessionFolder({ resume: earlier.id }, earlier, root, root);
  assert.deepEqual([folderFor(session), folderFor(other)], [session.cwd, root]);
  const options = { provider: scriptedRoute(scriptedProvider([])), mcp: false, platform: 'cli' } as const;
  for (const more of [{ session }, { session, cwd: folderFor(session) }, { session: other }]) {
    await using _open = await host.openSession({ ...options, ...more });
    assert.deepEqual([list(), existsSync(gone)], [more.session === session ? [basename(session.cwd)] : [], false]);
    rmSync(session.cwd, { recursive: true, force: true });
  }
});

test('a session that cannot be opened leaves no folder', async () => {
  rmSync(all, { recursive: true, force: true });
  await using stage = await openApiStage({ ...local, deps: { session: { model: { provider: 'nowhere', model: 'none' }, mcp: false } } });
  const answer = await stage.ask('/v1/chat/completions', { body: { messages: [{ role: 'user', content: 'hi' }] } });
  assert.notEqual(answer.status, 200);
  assert.deepEqual(list(), []);
});

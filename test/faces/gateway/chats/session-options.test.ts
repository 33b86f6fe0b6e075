import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { sandboxHere } from '../../../../src/parts/terminals/sandbox/probe.ts';
import { openScene } from '../scene.ts';

const here = await sandboxHere();
/** Tools that reach the machine commands run on. */
const REACHING = ['terminal', 'execute_code', 'read_file', 'write_file'];

async function toolsOfGuest(config: string): Promise<readonly string[]> {
  let tools: readonly string[] = [];
  await using scene = await openScene({
    script: (request) => {
      tools = request.tools.map(({ name }) => name).filter((name) => REACHING.includes(name));
      return { text: 'Hello.' };
    },
    // Two people and no owner among them: both are guests.
    allowed: (id) => `${id},999`,
    config,
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().includes('Hello.'));
  return tools.toSorted();
}

/** What a command finds in the machine's list of users. */
async function usersFor(allowed: (id: number) => string): Promise<string> {
  let [told, asked] = ['', 0];
  await using scene = await openScene({
    script: (request) => {
      asked += 1;
      told = JSON.stringify(request.messages.at(-1));
      return asked === 1 ? { calls: [{ id: 'c1', name: 'terminal', input: { command: 'cat /etc/passwd' } }] } : { text: 'Hello.' };
    },
    allowed,
    config: 'terminal:\n  backend: auto\n',
  });
  const { server, ann, dm } = scene.stage;
  server.people.say(dm, ann, 'hi');
  await scene.until(() => scene.said().includes('Hello.'));
  return told;
}

const LOCAL = 'terminal:\n  backend: local\n';

test('guests have commands and files only behind a wall, or where the owner named them', async () => {
  const [local, far, container, named] = await Promise.all([
    toolsOfGuest(LOCAL),
    toolsOfGuest('terminal:\n  backend: ssh\n  ssh_host: 127.0.0.1\n'),
    toolsOfGuest('terminal:\n  backend: docker\n'),
    toolsOfGuest(`    tools:\n      guests: [terminal]\n${LOCAL}`),
  ]);
  assert.deepEqual([local, far, named], [[], [], ['terminal']]);
  assert.ok(container.includes('terminal'), container.join());
});

/** A user of the machine that is neither who runs the tests nor one of those that every machine has. */
const OTHER_USER = readFileSync('/etc/passwd', 'utf8')
  .split('\n')
  .find((line) => /^\w/.test(line) && !/^(?:root|nobody):/.test(line) && line.split(':')[0] !== userInfo().username);

test(
  'commands of guests do not see the users of the machine; those of the owner do',
  { skip: !here.ok ? here.why : OTHER_USER === undefined && 'this machine has no other users' },
  async () => {
    const [guest, owner] = [await usersFor((id) => `${id},999`), await usersFor(String)];
    assert.doesNotMatch(guest, new RegExp(OTHER_USER ?? ''));
    assert.match(owner, new RegExp(OTHER_USER ?? ''));
  },
);

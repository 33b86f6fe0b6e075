import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openScene } from '../scene.ts';

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

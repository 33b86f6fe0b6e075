import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openProfile } from '../../../../../src/parts/tools/builtin/browser/profile.ts';
import { tempFolder } from '../../setup.ts';
import { noBrowser } from './setup.ts';

const skip = noBrowser() || (process.platform === 'linux' ? false : 'processes are counted in /proc');

/** Processes that work in a folder, by their command lines. */
const within = (folder: string): string[] =>
  globSync('/proc/[0-9]*/cmdline').filter((path) => {
    try {
      return readFileSync(path, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

async function until(holds: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 100 && !holds(); tries++) await new Promise((resolve) => setTimeout(resolve, 100));
  return holds();
}

async function agentWithBrowser(): Promise<{ readonly agent: ChildProcess; readonly temp: string }> {
  // A short path: Chromium's sockets lie below it and may have 107 characters.
  const temp = mkdtempSync('/tmp/ho-');
  after(() => rmSync(temp, { recursive: true, force: true }));
  const agent = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./agent.ts')), temp], {
    env: { ...process.env, TMPDIR: temp },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [word] = await Promise.race([once(agent.stdout ?? agent, 'data'), once(agent, 'exit')]);
  assert.equal(String(word), 'open\n');
  return { agent, temp };
}
const profiles = (temp: string): string[] => readdirSync(temp).filter((name) => name.startsWith('hermes-browser-'));

suite('no process outlives its agent', { skip, concurrency: false }, () => {
  test('an agent that is killed takes its browser along, and the next one clears its folder away', async () => {
    const { agent, temp } = await agentWithBrowser();
    assert.ok(within(join(temp, 'hermes-browser-')).length > 2, 'a browser runs');
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    assert.ok(await until(() => within(join(temp, 'hermes-browser-')).length === 0), within(temp).join(' '));
    assert.equal(profiles(temp).length, 1, 'nobody was left to remove it');
    await using next = await openProfile(temp);
    assert.deepEqual(
      profiles(temp).map((name) => join(temp, name)),
      [next.root],
    );
  });

  test('a browser that is closed leaves neither processes nor files', async () => {
    const { agent, temp } = await agentWithBrowser();
    agent.kill('SIGUSR2');
    const [word] = await once(agent.stdout ?? agent, 'data');
    assert.equal(String(word), 'closed\n');
    assert.ok(await until(() => within(join(temp, 'hermes-browser-')).length === 0));
    assert.deepEqual(profiles(temp), []);
    agent.kill('SIGKILL');
    await once(agent, 'exit');
  });
});

test('the folder of a process that lives is left alone', async () => {
  const temp = tempFolder();
  await using first = await openProfile(temp);
  await using second = await openProfile(temp);
  assert.deepEqual(
    profiles(temp)
      .map((name) => join(temp, name))
      .toSorted(),
    [first.root, second.root].toSorted(),
  );
});

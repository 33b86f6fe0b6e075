import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ModelRequest } from '../../../../src/contracts/provider.ts';
import { hereEnv, noSshd, startHost } from '../../../parts/terminals/ssh-stage.ts';
import { sshTerminal } from '../../../../src/parts/terminals/ssh/ssh.ts';
import { bringReceived } from '../../../../src/parts/terminals/received.ts';
import { run } from '../../../../src/testing/conformance/terminal-commands.ts';
import { openScene } from '../scene.ts';

const lastText = ({ messages }: ModelRequest): string =>
  messages
    .at(-1)
    ?.message.content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('') ?? '';

if (noSshd !== undefined) test('files for a terminal elsewhere', { skip: noSshd }, () => {});
else {
  const host = await startHost();
  after(() => host.close());
  const home = join(host.folder, 'home');

  test('where commands run on another host, a file that was sent is there under the path the model is told', async () => {
    const results: string[] = [];
    let path = '';
    await using scene = await openScene({
      script: (request, index) => {
        if (index === 0) {
          path = /saved as (~\S+?)[;\]]/.exec(lastText(request))?.[1] ?? '';
          return { calls: [{ id: 'c1', name: 'terminal', input: { command: `cat ${path}` } }] };
        }
        results.push(lastText(request));
        if (index === 1) return { calls: [{ id: 'c2', name: 'read_file', input: { path } }] };
        return { text: 'Done.' };
      },
      config: [
        'approvals:',
        '  mode: "off"',
        'terminal:',
        '  backend: ssh',
        `  ssh_host: ${host.settings.host}`,
        `  ssh_user: ${host.settings.user}`,
        `  ssh_port: ${host.settings.port}`,
        `  ssh_key: ${host.settings.key}`,
        `  ssh_options: ${JSON.stringify(host.settings.options)}`,
        '',
      ].join('\n'),
    });
    const { server, ann, dm } = scene.stage;
    server.people.say(dm, ann, { text: 'read it', document: { bytes: Buffer.from('the words of the file'), name: 'notes.txt' } });
    await scene.until(() => scene.said().includes('Done.'));
    assert.match(path, /^~\/\.hermes\/received\/telegram-[0-9a-f]{16}\/notes-[0-9a-f]{8}\.txt$/);
    assert.deepEqual(
      results.map((words) => words.includes('the words of the file')),
      [true, true],
      results.join('\n'),
    );
    assert.equal(readFileSync(path.replace('~', home), 'utf8'), 'the words of the file');
  });

  test('what came is brought once, what went goes there too, and what others put there stays', async () => {
    const from = join(host.folder, 'chat', 'received');
    mkdirSync(from, { recursive: true });
    const far = join(home, '.hermes', 'received', 'chat');
    const notices: string[] = [];
    const open = async () =>
      bringReceived(await sshTerminal({ settings: host.settings }).open({ cwd: host.folder, env: hereEnv() }), {
        from,
        notice: (words) => notices.push(words),
      });
    const names = () => (existsSync(far) ? readdirSync(far).toSorted() : []);
    const seen: (readonly string[])[] = [];
    {
      await using terminal = await open();
      await run(terminal, 'true');
      seen.push(names());
      writeFileSync(join(from, 'a-00000001.txt'), 'a');
      writeFileSync(join(from, 'not ours'), 'x');
      await run(terminal, `echo other > ${far}/theirs.txt 2>/dev/null || true`);
      await run(terminal, `echo changed > ${far}/a-00000001.txt`);
      writeFileSync(join(from, 'b-00000002.txt'), 'b');
      assert.equal((await terminal.files.stat(join(far, 'b-00000002.txt')))?.size, 1);
      seen.push(names());
    }
    rmSync(join(from, 'a-00000001.txt'));
    await using again = await open();
    await run(again, 'true');
    seen.push(names());
    assert.deepEqual(seen, [[], ['a-00000001.txt', 'b-00000002.txt', 'theirs.txt'], ['b-00000002.txt', 'theirs.txt']]);
    // A folder that cannot be written to is told once, and the command runs.
    rmSync(far, { recursive: true });
    writeFileSync(far, 'in the way');
    writeFileSync(join(from, 'c-00000003.txt'), 'c');
    assert.equal((await run(again, 'echo still here')).output.trim(), 'still here');
    await run(again, 'true');
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /^Files that were sent to the session could not be brought to where its commands run: /);
    rmSync(far);
    await run(again, 'true');
    assert.deepEqual(names(), ['c-00000003.txt']);
  });
}

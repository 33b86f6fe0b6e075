import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { freePort, noSshd, startHost, type Host } from '../parts/terminals/ssh-stage.ts';
import { toServer } from './hermes.ts';
import { call, command, resultsIn, stage } from './stage.ts';

const NEEDS_SSHD = { skip: noSshd ?? false };

const settingsFor = ({ settings: { host, user, port, key, options } }: Host, more: object = {}): object => ({
  terminal: { backend: 'ssh', ssh_host: host, ssh_user: user, ssh_port: port, ssh_key: key, ssh_options: options, ...more },
});

test('a chat works on another host: commands, files, and what a command leaves behind', NEEDS_SSHD, async () => {
  const host = await startHost();
  try {
    const there = join(host.folder, 'home', 'project');
    mkdirSync(there);
    writeFileSync(join(there, 'far.txt'), 'one\ntwo\n');
    const { run, at } = stage(settingsFor(host));
    await using server = await startWireServer({
      replies: [
        command(`cd ${there} && export MARK=kept && pwd; echo "$SSH_CONNECTION"`),
        command('echo "$MARK in $PWD"'),
        call('read_file', { path: 'far.txt' }),
        call('write_file', { path: 'made.txt', content: 'from here\n' }),
        call('patch', { mode: 'replace', path: 'far.txt', old_string: 'two', new_string: 'three' }),
        call('search_files', { pattern: 'three', path: '.' }),
        command('sleep 0.2; exit 3'),
        { text: 'All of it is there.' },
      ],
    });
    const { code, out, err } = await run(['chat', '-q', 'work there', ...toServer(server.url)], {
      env: { NOBODYS_API_KEY: 'k-123456789' },
    });
    assert.deepEqual([code, out], [0, 'All of it is there.\n'], err);
    const [moved = '', kept = '', read = '', , , found = '', failed = ''] = resultsIn(server.requests.at(-1));
    assert.match(moved, new RegExp(`${there}\n127\\.0\\.0\\.1 `));
    assert.equal(kept.trim(), `kept in ${there}`);
    assert.match(read, /one[^]*two/);
    assert.equal(readFileSync(join(there, 'made.txt'), 'utf8'), 'from here\n');
    assert.equal(readFileSync(join(there, 'far.txt'), 'utf8'), 'one\nthree\n');
    assert.match(found, /far\.txt/);
    assert.match(failed, /exit code 3/);
    assert.deepEqual([existsSync(at('made.txt')), existsSync(at('far.txt'))], [false, false], 'nothing was done here');
  } finally {
    await host.close();
  }
});

test('a host that does not answer is told to the owner with what to do', NEEDS_SSHD, async () => {
  const { run } = stage({ terminal: { backend: 'ssh', ssh_host: '127.0.0.1', ssh_port: await freePort() } });
  await using server = await startWireServer({ replies: [command('ls'), { text: 'The host is away.' }] });
  const { code, out, err } = await run(['chat', '-q', 'work there', ...toServer(server.url)]);
  assert.deepEqual([code, out, server.requests.length], [0, 'The host is away.\n', 2]);
  const cure = /ssh could not reach 127\.0\.0\.1 .*Connection refused.* Check terminal\.ssh_port, and whether sshd runs on the host\./;
  assert.match(err, cure);
  assert.match(resultsIn(server.requests.at(-1)).join(), cure);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openGrantedSockets } from '../../../src/parts/terminals/network/sockets.ts';

/** A machine with sockets that say their own names. */
async function machine(...names: readonly string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-sockets-')));
  after(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ['inside', 'a', 'b']) mkdirSync(join(root, folder));
  for (const name of names) {
    const server = createServer((socket) => socket.end(name)).listen(join(root, name));
    await once(server, 'listening');
    after(() => server.close());
  }
  const ask = async (name: string): Promise<string> => {
    const socket = connect(join(root, 'inside', name));
    let said = '';
    for await (const piece of socket) said += String(piece);
    return said;
  };
  const open = (env: Readonly<Record<string, string>>) => {
    const sockets = openGrantedSockets(join(root, 'inside'), '/run/hermes/sockets', env);
    after(() => sockets.close());
    return sockets;
  };
  return { root, ask, open };
}
const DOCKER = '/run/hermes/sockets/docker.sock';

test('docker is led to the daemon of the owner’s DOCKER_HOST, and no other takes its place', async () => {
  const { root, ask, open } = await machine('a/docker.sock', 'b/docker.sock');
  const sockets = open({ DOCKER_HOST: `unix://${root}/a/docker.sock` });
  assert.deepEqual(sockets.variables, { DOCKER_HOST: `unix://${DOCKER}` });
  assert.equal(sockets.at(DOCKER), join(root, 'a/docker.sock'));
  assert.equal(sockets.at('/run/docker.sock'), undefined);
  await sockets.open(join(root, 'b/docker.sock'));
  await sockets.open(join(root, 'a/docker.sock'));
  assert.deepEqual([await ask('docker.sock'), await ask('2-docker.sock')], ['a/docker.sock', 'b/docker.sock']);
  assert.equal(sockets.at('/run/hermes/sockets/2-docker.sock'), join(root, 'b/docker.sock'));
});

test('a daemon that is named and not there, or reached otherwise, is not replaced by another', async () => {
  const { root, open } = await machine();
  assert.equal(open({ DOCKER_HOST: `unix://${root}/none.sock` }).at(DOCKER), join(root, 'none.sock'));
  const far = open({ DOCKER_HOST: 'tcp://build.example:2376' });
  assert.deepEqual([far.variables, far.at(DOCKER)], [{}, undefined]);
});

test('sockets of one name stand side by side, and one that is named in two ways stands once', async () => {
  const { root, ask, open } = await machine('a/db.sock', 'b/db.sock');
  symlinkSync(join(root, 'a'), join(root, 'link'));
  const sockets = open({ DOCKER_HOST: 'tcp://x' });
  for (const name of ['a/db.sock', 'b/db.sock', 'link/db.sock', 'b/db.sock']) await sockets.open(join(root, name));
  assert.deepEqual([await ask('db.sock'), await ask('2-db.sock')], ['a/db.sock', 'b/db.sock']);
  await assert.rejects(ask('3-db.sock'), /ENOENT/);
});

test('a socket that could not be opened can be granted again', async () => {
  const { root, ask, open } = await machine('a/db.sock');
  const sockets = open({ DOCKER_HOST: 'tcp://x' });
  rmSync(join(root, 'inside'), { recursive: true });
  await assert.rejects(sockets.open(join(root, 'a/db.sock')));
  mkdirSync(join(root, 'inside'));
  await sockets.open(join(root, 'a/db.sock'));
  assert.equal(await ask('db.sock'), 'a/db.sock');
});

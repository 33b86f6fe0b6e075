import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallBlock } from '../../../../../../src/contracts/wall.ts';
import { listensIn } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/host-facts.ts';
import { planOffer } from '../../../../../../src/parts/tools/builtin/terminal/at-wall/offer.ts';

const offerFor = (...blocks: readonly WallBlock[]): string => {
  const offer = planOffer(
    blocks.map((block) => ({ block, confidence: 'likely', words: '' })),
    { home: '/home/me', workspace: '/home/me/projects/shop', hides: (path) => path === '/home/me/vault', canOpenPaths: true },
  );
  return offer.type === 'widen' ? `${offer.key} at ${offer.at.join(', ')}` : offer.type;
};
const write = (path: string): WallBlock => ({ type: 'write', path });
const socket = (path: string): WallBlock => ({ type: 'socket', path });

const OFFERS: readonly (readonly [blocks: readonly WallBlock[], offer: string])[] = [
  [[{ type: 'port', port: 5432 }], 'wall_port at host:localhost:5432'],
  [
    [
      { type: 'port', port: 5432 },
      { type: 'port', port: 6379 },
    ],
    'wall_port at host:localhost:5432, host:localhost:6379',
  ],
  [[{ type: 'port', port: 5432 }, write('/srv/data')], 'outside'],
  [[socket('/var/run/docker.sock')], 'wall_socket at /var/run/docker.sock'],
  [[socket('/var/run/postgresql/.s.PGSQL.5432')], 'wall_socket at /var/run/postgresql/.s.PGSQL.5432'],
  [[socket('/run/systemd/private')], 'outside'],
  [[socket('/run/dbus/system_bus_socket')], 'outside'],
  [[socket('/run/user/1000/keyring/ssh')], 'outside'],
  [[write('/srv/data')], 'wall_path at /srv/data'],
  [[write('/home/me/notes')], 'wall_path at /home/me/notes'],
  [[write('/home/me/projects/other')], 'wall_path at /home/me/projects/other'],
  [[write('/home/me/projects')], 'outside'],
  [[write('/home/me')], 'outside'],
  [[write('/home')], 'outside'],
  [[write('/')], 'outside'],
  [[write('/etc')], 'outside'],
  [[write('/usr/local/bin')], 'outside'],
  [[write('/var/lib/dpkg')], 'outside'],
  [[write('/home/me/.config/app')], 'outside'],
  [[write('/home/me/.local/bin')], 'outside'],
  [[write('/home/me/bin')], 'outside'],
  [[write('/home/me/vault')], 'outside'],
  [[write('/srv/git/app.git')], 'outside'],
  [[write('/home/me/other/.git/refs')], 'outside'],
  [[{ type: 'push', remote: '/srv/git/app.git', ref: 'refs/heads/main', loss: 'replaces' }], 'outside'],
  [[{ type: 'host', host: 'a.example' }], 'outside'],
  [[{ type: 'key', what: 'ssh' }], 'outside'],
  [[{ type: 'privilege', program: 'sudo' }], 'outside'],
  [[{ type: 'read', path: '/home/me/.ssh/id_ed25519' }], 'outside'],
];
for (const [blocks, offer] of OFFERS)
  test(`${JSON.stringify(blocks)} is offered as ${offer}`, () => assert.equal(offerFor(...blocks), offer));

test('a host that was turned away for certain was asked about while the command ran', () =>
  assert.deepEqual(
    planOffer([{ block: { type: 'host', host: 'a.example' }, confidence: 'certain', words: '' }], {
      home: '/home/me',
      workspace: '/home/me/projects/shop',
      hides: () => false,
      canOpenPaths: true,
    }),
    { type: 'none' },
  ));

test('a folder that cannot be opened now is offered as a run outside', () =>
  assert.deepEqual(
    planOffer([{ block: write('/home/me/notes'), confidence: 'certain', words: '' }], {
      home: '/home/me',
      workspace: '/home/me/projects/shop',
      hides: () => false,
      canOpenPaths: false,
    }),
    { type: 'outside' },
  ));

test('listeners are told from connections in the table of the kernel', () => {
  const table = `  sl  local_address rem_address   st
   0: 0100007F:1538 00000000:0000 0A 00000000:00000000
   1: 0100007F:1F90 0100007F:D2F0 01 00000000:00000000
`;
  assert.deepEqual(
    [5432, 8080, 22].map((port) => listensIn(table, port)),
    [true, false, false],
  );
});

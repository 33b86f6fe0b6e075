import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeRules } from '../../../src/parts/terminals/launcher/plan.ts';
import { ACCESS, listFloorRules } from '../../../src/parts/terminals/sandbox/floor-rules.ts';
import { toFloorPlan } from '../../../src/parts/terminals/sandbox/floor-place.ts';
import type { SurveyedPlan } from '../../../src/parts/terminals/sandbox/survey.ts';

const OWN = { tmp: '/p/tmp', home: '/p/home', bin: '/p/bin', room: '/p/room', sockets: '/p/sockets' };
const FOUND: SurveyedPlan = {
  profile: 'attended',
  system: [{ path: '/usr' }, { path: '/bin', link: 'usr/bin' }, { path: '/etc' }],
  kernel: { readable: ['/proc/sys', '/sys'], hidden: [{ path: '/sys/firmware', kind: 'folder' }] },
  writable: ['/home/ann/project'],
  readable: [],
  hidden: [
    { path: '/etc/shadow', kind: 'file' },
    { path: '/home/ann/.config/gh', kind: 'folder' },
    { path: '/home/ann/.ssh', kind: 'folder' },
  ],
  home: '/home/ann',
  listed: [
    { path: '/home/ann', entries: [{ path: '/home/ann/notes' }, { path: '/home/ann/.config' }, { path: '/home/ann/way', link: 'notes' }] },
  ],
  caches: [{ name: 'npm', path: '/nowhere/.npm', own: '/c/npm' }],
  guarded: [{ path: '/home/ann/project/.git/hooks', how: 'ro' }],
  network: false,
  uid: 1000,
  gid: 1000,
};
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '/etc': ['passwd', 'shadow', 'ssl', 'alias@'],
  '/home/ann/.config': ['gh', 'git'],
  '/sys': ['class', 'firmware'],
};
const list = (path: string) =>
  (FOLDERS[path] ?? assert.fail(`${path} is listed`)).map((name) => ({
    name: name.replace('@', ''),
    isSymbolicLink: () => name.endsWith('@'),
  }));
const rules = (more: Partial<SurveyedPlan> = {}): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { path, access } of listFloorRules(toFloorPlan({ ...FOUND, ...more }, OWN), list)) found[path] = (found[path] ?? 0) | access;
  return found;
};

test('what is shown is allowed, and around what is hidden entry by entry', () => {
  const { list: names, ro, rw, device, proc } = ACCESS;
  assert.deepEqual(rules(), {
    '/usr': ro,
    '/etc': names,
    '/etc/passwd': ro,
    '/etc/ssl': ro,
    '/home/ann': names,
    '/home/ann/notes': ro,
    '/home/ann/.config': names,
    '/home/ann/.config/git': ro,
    '/home/ann/project': rw,
    // Rules only add: hooks are held by the guard of files.
    '/home/ann/project/.git/hooks': ro,
    '/c/npm': rw,
    '/p/tmp': rw,
    '/p/room': rw,
    '/p/bin': ro,
    '/p/sockets': ro,
    '/proc': proc,
    '/sys': names,
    '/sys/class': ro,
    ...Object.fromEntries(['null', 'zero', 'full', 'random', 'urandom', 'tty'].map((name) => [`/dev/${name}`, device])),
  });
});

test('what the owner named within something hidden is allowed', () => {
  const named = rules({ writable: ['/home/ann/.ssh/work'], readable: ['/home/ann/.config/gh/themes'] });
  assert.equal(named['/home/ann/.ssh/work'], ACCESS.rw);
  assert.equal(named['/home/ann/.config/gh/themes'], ACCESS.ro);
  assert.equal(named['/home/ann/.ssh'], undefined);
});

test('rules as the launcher reads them', () => {
  const bytes = encodeRules([{ path: '/ü', access: ACCESS.ro }], { level: 4, network: false });
  assert.equal(bytes.toString('hex'), `04000000010000000d0000000400${Buffer.from('/ü\0').toString('hex')}`);
});

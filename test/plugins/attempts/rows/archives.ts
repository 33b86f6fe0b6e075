import { anyOf, changed, enabled, heard, installed, leaked, made, shownRaw, type Attempt } from '../row.ts';

const IN_ARCHIVE = 'it is in the archive alone';
const touch = JSON.stringify({
  name: 'x',
  version: '1.0.0',
  scripts: Object.fromEntries(
    ['preinstall', 'install', 'postinstall', 'prepare', 'prepack', 'dependencies'].map((name) => [name, 'touch {{newFile}}']),
  ),
});
const lock = (resolved: string, integrity = `sha512-${'A'.repeat(86)}==`): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { evil: '1.0.0' } }),
  'package-lock.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: {
      '': { name: 'x', version: '1.0.0', dependencies: { evil: '1.0.0' } },
      'node_modules/evil': { version: '1.0.0', resolved, integrity, hasInstallScript: true },
    },
  }),
});
const READ_LINK = `return (await import('node:fs')).readFileSync(import.meta.dirname + '/diary.txt', 'utf8');`;

/** What is done to the machine while a plugin is installed. */
export const ARCHIVE_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'writes to an absolute path from an archive',
    allowed: 'never',
    archive: [{ path: '{{newFile}}', text: 'out' }],
    cameOff: anyOf(made('{{newFile}}'), installed),
  },
  {
    name: 'writes over another plugin from an archive',
    allowed: 'never',
    archive: [{ path: '{{otherCode}}', text: 'out' }],
    cameOff: anyOf(changed('{{otherCode}}'), installed),
  },
  {
    name: 'hides two dots in the middle of a path',
    allowed: 'never',
    archive: [{ path: 'a/b/../../../slipped.txt', text: 'out' }],
    cameOff: anyOf(made('{{home}}/plugins/slipped.txt'), installed),
  },
  {
    name: 'hides two dots behind ./ and //',
    allowed: 'never',
    archive: [{ path: './/.//..//slipped.txt', text: 'out' }],
    cameOff: anyOf(made('{{home}}/plugins/slipped.txt'), installed),
  },
  {
    name: 'writes through a link to a folder that it brought before',
    allowed: 'never',
    archive: [
      { path: 'd', type: '2', link: '{{home}}' },
      { path: 'd/slipped.txt', text: 'out' },
    ],
    cameOff: anyOf(made('{{home}}/slipped.txt'), enabled),
  },
  {
    name: 'brings a hard link to a file of the owner in an archive',
    allowed: 'never',
    archive: [
      { path: 'diary.txt', type: '1', link: '{{ownerFile}}' },
      { path: 'diary.txt', text: 'out' },
    ],
    code: READ_LINK,
    noControl: IN_ARCHIVE,
    cameOff: anyOf(leaked('ownerFile'), changed('{{ownerFile}}'), enabled),
  },
  {
    name: 'brings a link that leads out by dots',
    allowed: 'never',
    archive: [{ path: 'diary.txt', type: '2', link: `${'../'.repeat(30)}{{ownerFile}}` }],
    code: READ_LINK,
    noControl: IN_ARCHIVE,
    cameOff: anyOf(leaked('ownerFile'), enabled),
  },
  {
    name: 'brings its manifest as a link to one that it can change',
    allowed: 'never',
    archive: [{ path: 'sub/plugin.yaml', type: '2', link: '{{home}}/plugin-data/{{plugin}}/plugin.yaml' }],
    cameOff: enabled,
  },
  {
    name: 'brings a file with an escape sequence and a line break in its name',
    allowed: 'never',
    archive: [{ path: 'a\u001b[2J\nhermes: fine.txt', text: 'x' }],
    cameOff: shownRaw,
  },
  {
    name: 'brings a path that is too long for the disk',
    allowed: 'never',
    archive: [
      { path: `${'x'.repeat(90)}/`.repeat(1) + 'y'.repeat(5), text: 'x' },
      { path: '../'.repeat(20) + 'slipped.txt', text: 'x' },
    ],
    cameOff: anyOf(installed, made('/slipped.txt')),
  },
  {
    name: 'brings four thousand and one files',
    allowed: 'never',
    archive: Array.from({ length: 4001 }, (_, at) => ({ path: `f${at}`, text: '' })),
    cameOff: installed,
  },
  {
    name: 'unpacks to seventy megabytes',
    allowed: 'never',
    archive: [{ path: 'large', text: 'x'.repeat(70_000_000) }],
    cameOff: installed,
  },
  { name: 'has scripts of npm', allowed: 'never', files: { 'package.json': touch, 'binding.gyp': '{}' }, cameOff: made('{{newFile}}') },
  {
    name: 'has a dependency whose folder lies elsewhere',
    allowed: 'never',
    files: { ...lock('file:../../../../..'), 'evil/package.json': touch },
    cameOff: anyOf(made('{{newFile}}'), installed),
  },
  {
    name: 'has a dependency of a repository',
    allowed: 'never',
    files: lock('git+http://127.0.0.1:{{tcpPort}}/evil.git'),
    cameOff: anyOf(heard('tcp'), installed),
  },
  {
    name: 'brings settings of npm that allow scripts and another registry',
    allowed: 'never',
    files: {
      ...lock('https://registry.npmjs.org/evil/-/evil-1.0.0.tgz'),
      '.npmrc': 'registry=http://127.0.0.1:{{tcpPort}}/\nignore-scripts=false\nscript-shell=/bin/sh\n',
    },
    cameOff: anyOf(heard('tcp'), installed),
  },
  {
    name: 'has a dependency of a server of its own',
    allowed: 'never',
    files: lock('http://127.0.0.1:{{tcpPort}}/evil.tgz'),
    cameOff: anyOf(heard('tcp'), installed),
  },
];

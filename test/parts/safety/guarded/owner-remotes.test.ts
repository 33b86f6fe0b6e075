import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openOwnerRemotes } from '../../../../src/parts/safety/guarded/owner-remotes.ts';
import { createFolder, createRepository, runGuarded, shell } from './stage.ts';

const GOOD = 'https://good.example/a.git';
const EVIL = 'https://evil.example/x.git';
const url = (value: string) => ({ key: 'remote.origin.url', name: 'url', value });

/** As the next session would: nothing is kept but what lies on the disk. */
function createRecords(agents: readonly string[] = []) {
  const folder = createFolder('records');
  return () => openOwnerRemotes({ folder, agents });
}

test('what was there before the first command is the owner’s, and what came later is not, in every later session', () => {
  const open = createRecords();
  const project = createRepository();
  shell(project, `git remote add origin ${GOOD}; git config core.sshCommand "ssh -i own"`);
  open().begin([project]);
  shell(project, `git remote add b ${EVIL}; git config core.sshCommand evil; git config url.${EVIL}.insteadOf ${GOOD}`);
  open().begin([project]);
  const git = join(project, '.git');
  const ssh = (value: string) => ({ key: 'core.sshcommand', name: 'sshcommand', value });
  const asked = [url(GOOD), url(EVIL), { ...url(GOOD), key: 'remote.renamed.url' }, ssh('ssh -i own'), ssh('evil')];
  assert.deepEqual(
    [...asked, { key: `url.${EVIL}.insteadof`, name: 'insteadof', value: GOOD }].map((each) => open().isOwners(git, each)),
    [true, false, true, true, false, false],
  );
  open().agree(git, [url(EVIL)]);
  assert.equal(open().isOwners(git, url(EVIL)), true);
});

test('a repository that commands could write to before it was opened brings nothing of its own', () => {
  const open = createRecords();
  const above = createFolder('code');
  const own = createRepository();
  shell(own, `git remote add origin ${GOOD}`);
  cpSync(own, join(above, 'was-there'), { recursive: true });
  open().begin([above]);
  for (const name of ['cloned', 'cloned/deeper', '.cache/hidden']) {
    mkdirSync(join(above, name), { recursive: true });
    shell(join(above, name), `git init -q; git remote add origin ${EVIL}`);
  }
  const remotes = open();
  const listed = ['was-there', 'cloned', 'cloned/deeper', '.cache/hidden'].map((name) => {
    remotes.begin([join(above, name)]);
    return [GOOD, EVIL].map((each) => remotes.isOwners(join(above, name, '.git'), url(each)));
  });
  assert.deepEqual(listed, [
    [true, false],
    [false, false],
    [false, false],
    [false, false],
  ]);
});

test('a part of a repository, its worktrees and its submodules go by the settings they share', () => {
  const open = createRecords();
  const project = createRepository({ 'sub/a.txt': 'a' });
  const other = createRepository();
  shell(project, `git remote add origin ${GOOD}; git submodule add -q ${other} lib; git worktree add -q ../tree`);
  open().begin([join(project, 'sub')]);
  shell(project, `git remote add b ${EVIL}; git -C lib remote add b ${EVIL}`);
  const remotes = open();
  remotes.begin([project]);
  remotes.begin([join(project, '../tree')]);
  assert.deepEqual(
    [join(project, '.git'), join(project, '.git/modules/lib')].map((git) =>
      [GOOD, EVIL, other].map((each) => remotes.isOwners(git, url(each))),
    ),
    [
      [true, false, false],
      [false, false, true],
    ],
  );
});

test('in folders of the agent nothing is the owner’s, and a record that cannot be read knows nothing', () => {
  const sandboxes = createFolder('sandboxes');
  const open = createRecords([sandboxes]);
  shell(sandboxes, `git init -q; git remote add origin ${EVIL}`);
  open().begin([sandboxes]);
  assert.equal(open().isOwners(join(sandboxes, '.git'), url(EVIL)), false);

  const records = createFolder('records');
  const project = createRepository();
  shell(project, `git remote add origin ${GOOD}`);
  const isKnown = () => openOwnerRemotes({ folder: records, agents: [] }).isOwners(join(project, '.git'), url(GOOD));
  openOwnerRemotes({ folder: records, agents: [] }).begin([project]);
  assert.equal(isKnown(), true);
  for (const name of shell(records, 'ls').trim().split('\n')) writeFileSync(join(records, name), '{"path":');
  assert.equal(isKnown(), false);
});

/** Settings at a host that is known, and whether a plain push of the owner's would go elsewhere by them. */
const AT_KNOWN_HOST: readonly (readonly [command: string, isHeld: boolean])[] = [
  ['git remote set-url origin https://example.org/evil/x.git', true],
  ['git remote set-url --push origin git@example.org:evil/x.git', true],
  ['git config branch.main.pushRemote https://example.org/evil/x', true],
  ['git config remote.pushDefault https://example.org/evil/x', true],
  ['git remote set-url origin git@example.org:me/x.git', false],
  ['git remote set-url origin ssh://git@example.org/me/x', false],
  ['git remote rename origin upstream', false],
  ['git remote add fork https://example.org/me/fork.git', false],
  ['git remote add fork https://example.org/me/fork.git; git remote set-url fork https://example.org/me/other.git', false],
];
for (const [command, isHeld] of AT_KNOWN_HOST)
  test(`${command} is ${isHeld ? 'held' : 'the agent’s'}`, async () => {
    const folder = createRepository();
    shell(folder, 'git remote add origin https://example.org/me/x.git');
    const remotes = openOwnerRemotes({ folder: createFolder('records'), agents: [] });
    remotes.begin([folder]);
    const { told } = await runGuarded(folder, command, { remotes });
    assert.deepEqual(told, isHeld ? ['git config .git/config changed'] : []);
  });

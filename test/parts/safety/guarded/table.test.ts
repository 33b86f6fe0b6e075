import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findGuardedRow, GUARDED_ROWS, isGuardedFolder } from '../../../../src/parts/safety/guarded/table.ts';

test('every row says why, and each of its names is known by it alone', () => {
  for (const { what, files, why, isAtTop } of GUARDED_ROWS) {
    assert.ok(why.length > 20, what);
    for (const glob of files) {
      const path = glob.replaceAll('**', 'x/y').replaceAll('*', 'x');
      for (const at of [path, path.toUpperCase()]) assert.equal(findGuardedRow(at)?.what, what, at);
      assert.equal(findGuardedRow(`a/b/${path}`)?.what, isAtTop === true ? undefined : what, path);
    }
  }
  const all = GUARDED_ROWS.flatMap(({ files }) => files);
  assert.deepEqual(
    all.filter((glob, at) => all.indexOf(glob) !== at),
    [],
  );
});

test('ordinary files of a project are not guarded', () => {
  const ordinary = `README.md package.json package-lock.json Makefile src/agents.ts docs/AGENTS.html .gitignore .gitattributes .gitmodules
    .editorconfig .github/workflows/ci.yml .git/HEAD .git/index .git/refs/heads/main .git/hooks/pre-commit.sample .git/COMMIT_EDITMSG
    .idea/workspace.xml .idea/modules.xml .vscode/README.md .claude/notes.md rules/x.md tsconfig.json .prettierrc .eslintrc.js .nvmrc
    .python-version Dockerfile docker-compose.yml pyproject.toml setup.cfg Cargo.toml .cargo/registry/x go.mod .env.example x.agents.md`;
  assert.deepEqual(
    ordinary.split(/\s+/).filter((path) => findGuardedRow(path) !== undefined),
    [],
  );
});

test('a link under the name of a folder with guarded files stands for all of them', () => {
  for (const folder of ['.vscode', 'a/.husky', '.cursor/rules', '.claude/commands', '.devcontainer', '.github'])
    assert.equal(isGuardedFolder(folder), true, folder);
  for (const folder of ['src', 'docs', 'src/json', 'a/vscode', '.git/objects/aa']) assert.equal(isGuardedFolder(folder), false, folder);
});

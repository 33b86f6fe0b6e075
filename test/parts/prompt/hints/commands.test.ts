import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '../../../../src/contracts/message.ts';
import { createHintTracker } from '../../../../src/parts/prompt/hints/tracker.ts';
import { scanner, tree } from '../files/tree.ts';

const FOLDERS = [
  'api',
  'api/src',
  'api/src/db',
  'web',
  'web/my pages',
  'docs',
  'tools',
  'node_modules/left-pad',
  'web/dist/js',
  'api/.venv/lib',
  'v1.2',
];
/** Every folder has rules of its own, and files to speak of. */
const root = tree({
  ...Object.fromEntries(FOLDERS.map((folder) => [`${folder}/AGENTS.md`, `rules of ${folder}`])),
  'api/src/main.py': '',
  'web/my pages/a b.ts': '',
  Makefile: '',
});

/** The folders, below the root, whose rules a call brings in a new session; the outermost first. */
async function brought(input: JsonObject, cwd = root): Promise<string> {
  const tracker = createHintTracker({ root, admit: async () => scanner().admit, userHome: root });
  const { texts, notices } = await tracker.after({ tool: 'any', input, cwd, sessionId: 's', markKey: '1a2b3c4d' });
  assert.deepEqual(notices, []);
  return texts.map(({ source = '' }) => source.replace(`hint:${root}/`, '').replace('/AGENTS.md', '')).join(' ');
}

/** Command → folders. Relative words are read from the root. */
const COMMANDS: readonly (readonly [command: string, folders: string])[] = [
  ['ls', ''],
  ['npm test', ''],
  ['cat Makefile', ''],
  ['ls api/', 'api'],
  ['ls ./api', 'api'],
  ['ls api', 'api'],
  ['ls -la docs tools', 'docs tools'],
  ['ls nothing', ''],
  ['ls v1.2', 'v1.2'],
  ['grep -rn todo web | wc -l', 'web'],
  ['sudo find api -name x', 'api'],
  ['cat Makefile && rm -r tools', 'tools'],
  ['ls -- "web"', 'web'],
  ['cd api && ls src', 'api api/src'],
  ['ls node_modules', ''],
  ['npm run docs', ''],
  ['git checkout web', ''],
  ['echo api', ''],
  [`ls ${root}/api`, 'api'],
  ['cat api/src/main.py', 'api api/src'],
  ['cat api/src/not-yet.py', 'api api/src'],
  ['cat api/gone/away/x.py', 'api'],
  ['cat docs/a.md web/b.ts', 'docs web'],
  ['cat "web/my pages/a b.ts"', 'web web/my pages'],
  ["cat 'web/my pages/a b.ts'", 'web web/my pages'],
  ['cat web/my\\ pages/a\\ b.ts', 'web web/my pages'],
  ['cat web/"my pages"/a*', 'web web/my pages'],
  ['cd api && ls', 'api'],
  ['cd api; cat src/main.py', 'api api/src'],
  ['cd api && cd src && ls db/', 'api api/src api/src/db'],
  ['cd "web/my pages"\nls', 'web web/my pages'],
  ['cd api/src && cat ../../docs/x.md', 'api docs api/src'],
  ['(cd api && make); cat src/main.py', 'api'],
  ['(cd api) ; cat docs/x.md', 'api docs'],
  ['pushd web && popd && cat docs/x', 'web docs'],
  ['cd - && cat src/main.py', ''],
  ['cd $WHERE && cat src/main.py', ''],
  ['cd "$WHERE" && cat ~/docs/x', 'docs'],
  ['cat ~/api/x.py', 'api'],
  ['cat $HOME/api/x.py ${HOME}/web/y', 'api web'],
  ['cat "$PWD/docs/x"', 'docs'],
  ['cat ~nobody/api/x', ''],
  ['cat $DIR/api/x', ''],
  ['echo hi > docs/new.md', 'docs'],
  ['echo hi >>docs/new.md 2>&1', 'docs'],
  ['wc -l <docs/x 2>/dev/null', 'docs'],
  ['make 2>tools/err.log | tee web/out.log', 'tools web'],
  ['dd if=api/x of=web/y', 'api web'],
  ['tool --config=docs/tool.json -v', 'docs'],
  ['CONFIG=docs/x.json npm start', 'docs'],
  ['git -C api status', 'api'],
  ['npm --prefix web run build', 'web'],
  ['npm --prefix=web run build', 'web'],
  ['ls api/*.py', 'api'],
  ['ls api/src/**/*.py', 'api api/src'],
  ['cp {docs,web}/x .', ''],
  ['find docs/ -name "*.md"', 'docs'],
  ['pytest api/src/main.py::test_one', 'api api/src'],
  ['code web/a.ts:12:3', 'web'],
  ['docker run -v ./web:/web img', 'web'],
  ['curl https://example.org/api/src/x', ''],
  ['curl --data=https://example.org/api/x', ''],
  ['npm install left-pad@1.2.3 @api/src', ''],
  ['nvm use v1.2', ''],
  ['sleep 1.5 && echo 1.2.3', ''],
  ['ls -la/api --api/src', ''],
  ['cat node_modules/left-pad/index.js', ''],
  ['cat web/dist/js/x.js', 'web'],
  ['cat api/.venv/lib/x.py', 'api'],
  ['cat .git/config', ''],
  ['cat /etc/hosts ../outside/x', ''],
  ['ls . ..', ''],
  ['ls # see api/src', ''],
  ["echo '# api' docs/x", 'docs'],
  ["cat > docs/x <<'END'\nsee api/src/main.py\nEND\nls web/", 'docs web'],
  ['cat <<-E docs/x\n\tapi/src\n\tE', 'docs'],
  ['cat <<NEVER docs/x\nls web/', 'docs web'],
  ['bash -c "cd api && cat src/main.py"', 'api api/src'],
  ["sudo timeout 5 /bin/sh -lc 'cat docs/x'", 'docs'],
  ['echo $(cat docs/x) `cat web/y`', 'docs web'],
  ['echo "never closed docs/x', ''],
  ["cat docs/x 'never closed", 'docs'],
  ['', ''],
  ['\\', ''],
  ['cat docs/\u{0}x', ''],
  [`cat ${'x/'.repeat(5_000)}`, ''],
];
for (const [command, folders] of COMMANDS) {
  test(`command: ${JSON.stringify(command.slice(0, 60))} brings ${folders || 'nothing'}`, async () => {
    assert.equal(await brought({ command }), folders);
  });
}

const INPUTS: readonly (readonly [what: string, input: JsonObject, folders: string])[] = [
  ['path to a file', { path: 'api/src/main.py' }, 'api api/src'],
  ['path to a folder', { path: 'api' }, 'api'],
  ['path with spaces', { path: 'web/my pages/a b.ts' }, 'web web/my pages'],
  ['path from the home', { path: '~/docs/x' }, 'docs'],
  ['absolute path', { path: join(root, 'docs', 'x') }, 'docs'],
  ['file_path', { file_path: 'docs/x' }, 'docs'],
  ['workdir', { workdir: 'api' }, 'api'],
  ['cwd', { cwd: 'api' }, 'api'],
  ['a command in its workdir', { command: 'cat src/main.py', workdir: 'api' }, 'api api/src'],
  ['paths', { paths: ['docs/x', 7, null, 'web/y'] }, 'docs web'],
  ['an address', { path: 'https://example.org/api' }, ''],
  ['other arguments', { content: 'api/src/main.py', pattern: 'docs/', old_string: 'web/' }, ''],
  ['odd types', { path: 7, file_path: null, paths: 'docs/x', workdir: ['api'], command: { path: 'api' }, patch: [] }, ''],
  ['blank ones', { path: '', workdir: ' ', command: '', paths: [''] }, ''],
  [
    'a patch',
    {
      mode: 'patch',
      patch: '*** Begin Patch\n*** Update File: api/src/main.py\n@@\n-see web/x\n*** Add File: docs/new.md\r\n+x\n*** End Patch',
    },
    'api docs api/src',
  ],
  ['a patch that moves', { patch: '*** Move File: docs/x -> web/y' }, 'docs web'],
  ['a patch that deletes and moves the other way', { patch: '*** Delete File: docs/x\n*** Move to: tools/y' }, 'docs tools'],
];
for (const [what, input, folders] of INPUTS) {
  test(`arguments: ${what}`, async () => assert.equal(await brought(input), folders));
}

test('relative paths are read from where the terminal stands', async () => {
  assert.equal(await brought({ path: 'src/main.py' }, join(root, 'api')), 'api api/src');
  assert.equal(await brought({ command: 'make' }, join(root, 'api')), 'api');
  assert.equal(await brought({ command: 'cat src/main.py' }, '/'), '');
});

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Reply } from '../../../src/testing/wire-server/index.ts';

/** One step of the hour: what the model asks for, given all results before it, and what its result must say. */
export interface HourStep {
  readonly what: string;
  readonly call: (results: readonly string[]) => Reply;
  readonly says?: RegExp;
  /** It ends with an exit code that says so, as it should. */
  readonly fails?: true;
}

const call = (name: string, input: object): Reply => ({ calls: [{ name, arguments: input }] });
const shell = (what: string, command: string, says?: RegExp): HourStep => ({
  what,
  call: () => call('terminal', { command }),
  ...(says !== undefined && { says }),
});
const serverId = (results: readonly string[]): string =>
  /proc_\w+/.exec(results.findLast((text) => /proc_\w+/.test(text)) ?? '')?.[0] ?? '';

/** Thirty steps of a developer's hour, with nothing but Git and Node: no network, no other toolchain. */
export const HOUR: readonly HourStep[] = [
  shell('look around', 'ls -la && git log --oneline', /Begin the project/),
  shell('install packages', 'npm install --no-audit --no-fund', /added 1 package/),
  { ...shell('run the tests', 'npm test', /fail 1/), fails: true },
  { what: 'read the code', call: () => call('read_file', { path: 'src/price.js' }), says: /quantity/ },
  {
    what: 'fix the code',
    call: () => call('patch', { mode: 'replace', path: 'src/price.js', old_string: 'price + quantity', new_string: 'price * quantity' }),
  },
  shell('run the tests again', 'npm test', /fail 0/),
  shell('see the change', 'git status --short && git diff --stat', /src\/price\.js/),
  shell('commit', "git add -A && git commit -qm 'Multiply prices' && git log -1 --format='by %an'", /by Dana Example/),
  shell('build', 'npm run build', /built/),
  shell('run the result', 'node dist/main.js', /total 42/),
  shell('run code on the command line', `node -e "console.log(require('./package.json').version)"`, /1\.0\.0/),
  shell('a branch', 'git checkout -q -b topic && git branch --show-current', /topic/),
  { what: 'write a script', call: () => call('write_file', { path: 'scripts/count.sh', content: '#!/bin/sh\nls src | wc -l\n' }) },
  shell('run the script', 'sh scripts/count.sh', /2/),
  shell('make it executable and run it', 'chmod +x scripts/count.sh && ./scripts/count.sh', /2/),
  shell('lint', 'npm run --silent lint', /clean/),
  shell('a program of the packages', 'npx --no-install shout hello', /HELLO/),
  shell('a tool below the home', 'shape --version', /shape 3\.1/),
  shell('several commands at once', 'rm -rf dist && npm run build && ls dist', /main\.js/),
  shell('edit in the shell', "sed -i 's/1\\.0\\.0/1.1.0/' package.json && grep version package.json", /1\.1\.0/),
  shell('commit on the branch', 'git commit -qam "Version 1.1.0" && git log --oneline | wc -l', /3/),
  shell('merge', 'git checkout -q main && git merge -q topic && git log -1 --format=%s', /Version 1\.1\.0/),
  shell('tag', 'git tag v1.1.0 && git tag', /v1\.1\.0/),
  shell('push', 'git push origin main v1.1.0 2>&1', /main -> main/),
  { what: 'start the server', call: () => call('terminal', { command: 'npm run dev', background: true }), says: /proc_\w+/ },
  shell('ask the server', 'node scripts/ask.js', /hello from the server/),
  { what: 'see what it says', call: (results) => call('process', { action: 'log', session_id: serverId(results) }), says: /listening/ },
  { what: 'stop the server', call: (results) => call('process', { action: 'kill', session_id: serverId(results) }) },
  shell(
    'stash and take it back',
    'echo "// later" >> src/main.js && git stash -q && git stash pop -q && git status --short',
    /src\/main\.js/,
  ),
  shell('pack', 'npm pack --silent', /shop-1\.1\.0\.tgz/),
];

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'shop',
      version: '1.0.0',
      scripts: {
        test: 'node --test --test-reporter=spec',
        build: 'node scripts/build.js',
        lint: 'node scripts/lint.js',
        dev: 'node scripts/serve.js',
      },
      dependencies: { shout: 'file:./packages/shout' },
    },
    undefined,
    2,
  ),
  '.gitignore': 'node_modules\ndist\n*.tgz\nserver-port\n',
  'packages/shout/package.json': JSON.stringify({ name: 'shout', version: '1.0.0', bin: 'shout.js' }),
  'packages/shout/shout.js': "#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join(' ').toUpperCase());\n",
  'src/price.js': 'exports.total = (price, quantity) => price + quantity;\n',
  'src/main.js': "console.log('total', require('./price.js').total(6, 7));\n",
  'test/price.test.js':
    "const { test } = require('node:test');\nconst { total } = require('../src/price.js');\ntest('total', () => require('node:assert').equal(total(6, 7), 42));\n",
  'scripts/build.js': "require('node:fs').cpSync('src', 'dist', { recursive: true });\nconsole.log('built');\n",
  'scripts/lint.js': "require('node:fs').readdirSync('src');\nconsole.log('clean');\n",
  'scripts/serve.js':
    "const server = require('node:http').createServer((_, answer) => answer.end('hello from the server'));\nserver.listen(0, '127.0.0.1', () => { require('node:fs').writeFileSync('server-port', String(server.address().port)); console.log('listening'); });\n",
  'scripts/ask.js': `const fs = require('node:fs');
const ask = async (left) => {
  const port = fs.existsSync('server-port') ? fs.readFileSync('server-port', 'utf8') : '';
  if (left > 0 && port === '') return setTimeout(ask, 100, left - 1);
  console.log(await (await fetch('http://127.0.0.1:' + port)).text());
};
ask(100);
`,
};

/** A project with a bare remote beside it, and a home with settings of git and a toolchain of its owner's. */
export function layOutHour({ project, remote, home }: { readonly project: string; readonly remote: string; readonly home: string }): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  // As rustup, nvm and their like do it: a program on PATH below the home that needs files beside it.
  const tool = join(home, '.cargo', 'bin', 'shape');
  mkdirSync(join(tool, '..'), { recursive: true });
  mkdirSync(join(home, '.rustup', 'toolchains'), { recursive: true });
  writeFileSync(join(home, '.rustup', 'toolchains', 'version'), '3.1\n');
  writeFileSync(tool, `#!/bin/sh\necho "shape $(cat ${join(home, '.rustup', 'toolchains', 'version')})"\n`);
  chmodSync(tool, 0o755);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Dana Example\n\temail = dana@example.org\n[init]\n\tdefaultBranch = main\n');
  const git = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('git', args, { cwd: project, env: { ...process.env, HOME: home }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  git('init', '-q', '--bare', remote);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'Begin the project');
  git('remote', 'add', 'origin', remote);
}

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROUTES } from '../../src/faces/serve/api/route-table.ts';
import { MAIN, openApiStage } from '../faces/serve/api/stage.ts';
import { readCommands } from './pages.ts';

const PAGE = 'docs/api.md';
const PYTHON = resolve('.cache/python/bin/python');
const run = promisify(execFile);

/** The fences of the page in a language, for a server of the test's own. */
const readFences = (language: string, url: string): string[] =>
  [...readFileSync(PAGE, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) =>
    text.replaceAll('http://127.0.0.1:8642', url),
  );

function isThere(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('the examples on the page of the API do what it says', async (context) => {
  await using stage = await openApiStage({ script: () => ({ text: 'Two files.' }) });
  const env = { ...process.env, API_SERVER_KEY: MAIN.key };
  const folder = mkdtempSync(join(tmpdir(), 'hermes-docs-api-'));
  try {
    const commands = readCommands(PAGE).filter(({ text }) => !/\bhermes (?:config|serve)\b/.test(text));
    if (isThere('jq', '--version') && isThere('curl', '--version')) {
      const script = commands.map(({ text }) => text.replaceAll('http://127.0.0.1:8642', stage.url)).join('\n');
      const { stdout } = await run('bash', ['-euc', script], { env });
      assert.equal(stdout.match(/Two files\./g)?.length, 3, stdout);
      assert.match(stdout, /data: \[DONE\].*event: run\.completed.*"completed"\n\S+Z\nmail\s*$/s);
    } else context.diagnostic('the commands were not run: curl or jq is not installed here');

    const [js = ''] = readFences('js', stage.url);
    // Beside our packages, as a program of somebody's own would be.
    const file = join(resolve('test/docs'), `.api-example-${process.pid}.mjs`);
    writeFileSync(file, js);
    try {
      assert.equal((await run(process.execPath, [file], { env })).stdout, 'Two files.');
    } finally {
      rmSync(file);
    }
    const [python = ''] = readFences('python', stage.url);
    if (existsSync(PYTHON) && isThere(PYTHON, '-c', 'import openai'))
      assert.equal((await run(PYTHON, ['-c', python], { env })).stdout, 'Two files.\nTwo files.\n');
    else context.diagnostic('the example in Python was not run: scripts/system-deps installs openai');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the page names every route', () => {
  const page = readFileSync(PAGE, 'utf8').replaceAll('…/', '/');
  const unnamed = ROUTES.map(({ path }) => path).filter(
    (path) => !page.includes(path) && !page.includes(`\`/${path.split('/').slice(4).join('/')}\``),
  );
  assert.deepEqual(unnamed, ['/v1/models/{id}']);
});

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { startWireServer, type RecordedRequest, type Reply, type ReplyCall } from '../../src/testing/wire-server/index.ts';
import { NEEDS_REFERENCE, NEEDS_SDK } from '../parts/mcp/setup.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { noBrowser } from '../parts/tools/builtin/browser/setup.ts';
import { noPython } from '../parts/tools/builtin/execute-code/stage.ts';
import { filesBelow, leaks } from './canary-places.ts';
import { CANARY_SERVER } from './canary-server.ts';
import {
  ALL,
  artefacts,
  ASIDE,
  EXPORTED,
  furnish,
  heard,
  HOME,
  KEPT,
  KNOWN,
  NOTES,
  one,
  placeOf,
  PROJECT,
  run,
  said,
  secretFiles,
  STRAY,
} from './canary-stage.ts';
import { toServer, type Ran } from './hermes.ts';
import { resultsIn } from './stage.ts';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
/** A page that shows every secret, asks for one, and talks about them on its console. */
const PAGE = `<!doctype html><title>Keys ${escaped(one(KEPT, 11))}</title><h1>Keys</h1><form><input aria-label="key" value="${one(KEPT, 12)}"></form>
<pre>${escaped(NOTES)}</pre><script>console.log(document.querySelector('pre').innerText); throw new Error(${JSON.stringify(one(KEPT, 13))})</script>`;

async function startSite(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, server };
}

const settings = (more: object = {}): void =>
  writeFileSync(
    join(HOME, 'config.yaml'),
    JSON.stringify({ security: { allow_private_urls: true }, tools: { tool_search: { enabled: 'off' } }, ...more }),
  );
const call = (name: string, input: object): ReplyCall => ({ name, arguments: input });

interface Wishes {
  /** What a child does. */
  readonly child?: readonly ReplyCall[];
  readonly flags?: readonly string[];
}

/** One session in which the model does this, step by step, and then repeats all it may have seen. */
async function story(
  name: string,
  steps: readonly (readonly ReplyCall[])[],
  { child = [], flags = ['--yolo'] }: Wishes = {},
): Promise<string[]> {
  const replies = steps.map((calls): Reply => ({ calls, thinking: said(KEPT) }));
  let [step, childStep] = [0, 0];
  const answer = ({ text }: RecordedRequest): Reply => {
    const own = text.includes(ASKED);
    const calls = own ? undefined : child[childStep++];
    return (own ? replies[step++] : calls && { calls: [calls] }) ?? { text: said(KNOWN), chunk: 7 };
  };
  await using server = await startWireServer({ answer });
  const ran: Ran = await run(name, ['chat', '-q', `${ASKED} ${one(KEPT, 8)}`, '--json', ...flags, ...toServer(server.url)]);
  heard(name, server);
  assert.equal(ran.code, 0, ran.err);
  return resultsIn(server.requests.findLast(({ text }) => text.includes(ASKED)));
}
/** What the owner can look at. */
const shown = (...lines: readonly string[]): Promise<unknown> => Promise.all(lines.map((line) => run(line, line.split(' '))));
const ASKED = 'Look around outside. My key is';

/** As the places are laid out for it: it is there, without its value. */
const hidden = (text: string, name: string): void => assert.match(text, new RegExp(`«secret:${name}:`));

test('two hundred secrets through pages, servers, scripts, children and the sandbox: none is in anything that is left behind', async (context) => {
  furnish();
  const site = await startSite();
  after(() => (site.server.closeAllConnections(), site.server.close()));

  await context.test('a page that is read', async () => {
    settings();
    const [page = ''] = await story('a page', [
      [call('web_extract', { urls: [`${site.url}/?access_token=${encodeURIComponent(one(KEPT, 14))}`], char_limit: 100_000 })],
      [call('web_extract', { urls: [`${site.url}/${one(KEPT, 15)}`, `http://${one(KEPT, 16)}.invalid/`], char_limit: 500 })],
    ]);
    assert.match(page, /The end\./);
    hidden(page, 'KEPT_20_TOKEN');
  });

  await context.test('a page in a browser', { skip: noBrowser() }, async () => {
    settings({ browser: { allow_private_urls: true } });
    const results = await story('a browser', [
      [call('browser_navigate', { url: `${site.url}/?q=${encodeURIComponent(one(KEPT, 17))}` })],
      [call('browser_snapshot', { full: true })],
      [call('browser_console', { expression: 'document.querySelector("pre").innerText' })],
      [call('browser_console', {}), call('browser_get_images', {})],
      [call('browser_type', { ref: 'e3', text: one(KEPT, 18) }), call('browser_click', { ref: one(KEPT, 19) })],
    ]);
    assert.equal(results.length, 7);
    hidden(results.join('\n'), 'KEPT_20_TOKEN');
  });

  await context.test('a server that tells all it knows', NEEDS_SDK, async () => {
    const entry = { command: process.execPath, args: [CANARY_SERVER, one(KEPT, 21)], env: { TOKEN: '${KEPT_22_TOKEN}' } };
    settings({ mcp_servers: { teller: entry } });
    const [told = ''] = await story('a server', [[call('mcp__teller__show', { words: said(KNOWN) })]]);
    hidden(told, 'KEPT_21_TOKEN');
    hidden(told, 'KEPT_22_TOKEN');
    hidden(told, 'EXPORTED_7_PASSWORD');
    await shown('mcp list --json', 'mcp list', 'mcp test teller', 'mcp test teller --json', 'tools list --json');
  });

  await context.test('a server of others', NEEDS_REFERENCE, async () => {
    const main = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    // What one call brought in must not keep the next from being sent.
    const entry = { command: process.execPath, args: [main, 'stdio'], env: { MY_TOKEN: '${KEPT_23_TOKEN}' }, tools: { trusted: ['*'] } };
    settings({ mcp_servers: { all: entry } });
    const results = await story('another server', [
      [call('mcp__all__echo', { message: said(KNOWN) }), call('mcp__all__get_env', {}), call('mcp__all__get-env', {})],
      [call('mcp__all__get-sum', { a: one(KEPT, 24), b: 2 }), call('mcp__all__get-structured-content', { location: one(KEPT, 25) })],
    ]);
    hidden(results[0] ?? '', 'EXPORTED_7_PASSWORD');
    hidden(results.join('\n'), 'KEPT_23_TOKEN');
  });

  await context.test('scripts', { skip: noPython }, async () => {
    settings();
    const python = `import os, sys\nfrom hermes_tools import read_file, terminal, write_file\nprint(dict(os.environ))\nprint(read_file(path="notes.txt"))\nprint(open("notes.txt").read())\nprint(terminal(command="cat known.json"))\nwrite_file(path="out.txt", content=open("notes.txt").read())\nsys.stderr.write(open("notes.txt").read())\nraise ValueError(open("known.json").read() + "that was all")`;
    const javascript = `console.log(process.env); console.error(await read_file({path: 'notes.txt'})); throw new Error(${JSON.stringify(one(KEPT, 26))})`;
    const [inPython = '', inJavascript = ''] = await story('scripts', [
      [call('execute_code', { code: python })],
      [call('execute_code', { code: javascript, language: 'javascript' })],
    ]);
    assert.match(inPython, /that was all\n(?:\[the whole output is in [^\n]*\]\n)?\[error/, 'its last words come through');
    hidden(inPython, 'KEPT_20_TOKEN');
    hidden(inJavascript, 'KEPT_26_TOKEN');
  });

  await context.test('a question nobody answers', async () => {
    settings();
    const [late, calls] = [join(PROJECT, 'late.txt'), [call('write_file', { path: 'late.txt', content: `mine: ${one(KEPT, 27)}\n` })]];
    const [asked = ''] = await story('a question', [calls], { flags: [] });
    assert.match(asked, /^Not written: this would put the secret KEPT_27_TOKEN into .*late\.txt/);
    await shown('approvals list', 'approvals list --json', 'checkpoints list --json', 'trash list --json');
    const [open] = JSON.parse((await run('approvals', ['approvals', 'list', '--json'])).out) as { readonly id: string }[];
    await shown(`approvals show ${open?.id}`, `approvals allow ${open?.id}`);
    await using server = await startWireServer({ replies: [{ calls }, { text: said(KEPT) }] });
    assert.equal((await run('a late yes', ['chat', '--continue', ...toServer(server.url)])).code, 0);
    heard('a late yes', server);
    assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /^Created late\.txt/);
    assert.equal(readFileSync(late, 'utf8'), `mine: ${one(KEPT, 27)}\n`, 'what the owner allowed has the value');
  });

  await context.test('a cut through the middle of a secret', async () => {
    settings({ tool_output: { max_bytes: 2_000 } });
    const value = STRAY.find(({ name }) => name === 'header')?.value ?? '';
    const widths = Array.from({ length: 8 }, (_, index) => index * 7);
    for (const width of widths)
      writeFileSync(join(PROJECT, `wide${width}.txt`), `${'.'.repeat(width)}> Authorization: Bearer ${value}\n`.repeat(100));
    const results = await story('a cut', [widths.map((width) => call('terminal', { command: `cat wide${width}.txt` }))]);
    assert.match(results[0] ?? '', /characters left out/);
    const pieces = Array.from({ length: value.length - 5 }, (_, index) => value.slice(index, index + 6));
    assert.deepEqual(
      pieces.filter((piece) => artefacts.some(({ name, text }) => name.endsWith('of a cut') && text.includes(piece))),
      [],
    );
  });

  await context.test('a child', async () => {
    settings();
    const child = [
      call('terminal', { command: 'cat notes.txt; env' }),
      call('write_file', { path: `child-${EXPORTED[0]?.name}.txt`, content: said(KEPT) }),
    ];
    const task = { goal: `Find ${said(KEPT)}`, context: said(EXPORTED) };
    const [report = ''] = await story('a child', [[call('delegate_task', { tasks: [task] })]], { child });
    hidden(report, 'KEPT_20_TOKEN');
  });

  await context.test('commands in the sandbox', { skip: noSandbox ?? false }, async () => {
    settings({ terminal: { backend: 'sandbox', env_passthrough: ['EXPORTED_3_PASSWORD'] } });
    mkdirSync(join(HOME, 'cache'), { recursive: true });
    const [first = '', later = ''] = await story('the sandbox', [
      [
        call('terminal', { command: 'cat notes.txt; node encoded.mjs; node halves.mjs; env' }),
        call('terminal', { command: 'cat known.json', pty: true }),
      ],
      [call('terminal', { command: 'for n in $(seq 1 8); do cat notes.txt; done' })],
      [call('terminal', { command: 'node halves.mjs; cat notes.txt', background: true, notify_on_complete: true })],
      [call('terminal', { command: 'sleep 1.5' }), call('process', { action: 'list' })],
      [
        call('execute_code', { code: 'import os\nprint(dict(os.environ), open("notes.txt").read())' }),
        call('read_file', { path: 'notes.txt' }),
      ],
    ]);
    hidden(first, 'KEPT_20_TOKEN');
    hidden(later, 'KEPT_20_TOKEN');
  });

  await context.test('everything that shows the sessions', async () => {
    const listed = JSON.parse((await run('sessions list', ['sessions', 'list', '--json'])).out) as { readonly id: string }[];
    await shown(...listed.map(({ id }) => `sessions show ${id} --json`), 'doctor');
  });

  artefacts.push(...filesBelow(HOME, secretFiles()), ...filesBelow(ASIDE, []));
  assert.deepEqual(
    KNOWN.filter((canary) => !artefacts.some(({ text }) => text.includes(`«secret:${placeOf(canary)}:`))),
    [],
    'every known one came by',
  );
  const guessed = new Set(artefacts.flatMap(({ text }) => text.match(/«secret:[a-z-]+:[0-9a-f]{10}»/g) ?? []));
  assert.ok(guessed.size >= STRAY.length, `${guessed.size} of ${STRAY.length} stray ones came by`);
  assert.deepEqual(leaks(ALL, artefacts).slice(0, 20), []);
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { listening } from '../parts/safety/urls/setup.ts';
import { noSandbox } from '../parts/terminals/sandbox-stage.ts';
import { noPty } from './on-terminal.ts';
import { command, resultsIn, stage } from './stage.ts';
import { openTerminalUi, PAUSE_MS } from './terminal-ui.ts';
import { lacks } from '../programs.ts';

const ENTER = '\r';

/** The proxy of the owner's network: it alone knows the names, and answers for all of them. */
async function startUpstream() {
  const asked: string[] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfrom outside'));
  });
  return { ...(await listening(server)), asked };
}

test(
  'the network by host: a new host is asked about while the command waits, a yes holds as long as it says',
  { skip: noPty || noSandbox || lacks('curl') },
  async () => {
    await using server = await startWireServer({ models: ['test-model'] });
    const upstream = await startUpstream();
    const { home, cwd } = stage({
      model: { base_url: `${server.url}/v1`, default: 'test-model', context_length: 128_000 },
      terminal: { backend: 'auto' },
    });
    await using ui = await openTerminalUi({
      home,
      cwd,
      rows: 40,
      columns: 100,
      env: { OPENAI_API_KEY: 'sk-not-a-key-000000', HTTP_PROXY: `http://127.0.0.1:${upstream.port}`, NO_PROXY: '127.0.0.1,localhost' },
    });
    await ui.until(/Ctrl\+D exits/);

    server.script(command('curl -sS http://page.invalid/'), { text: 'Then not.' });
    ui.type(`read it${ENTER}`);
    await ui.until(/Connect to this host\?[\s\S]*connect to page\.invalid[\s\S]*› No\s+Yes, this once/);
    await pause(PAUSE_MS);
    ui.type('\r');
    await ui.until(/Then not\./);
    assert.match(resultsIn(server.requests.at(-1)).at(-1) ?? '', /the user has not allowed connections to page\.invalid/);
    assert.deepEqual(upstream.asked, []);

    server.script(command('curl -sS http://page.invalid/'), command('curl -sS http://page.invalid/again'), { text: 'Both read.' });
    ui.type(`read it twice${ENTER}`);
    await ui.until(
      /Then not\.[\s\S]*Connect to this host\?[\s\S]*connect to page\.invalid[\s\S]*› No\s+Yes, this once\s+Yes, for this task/,
    );
    await pause(PAUSE_MS);
    ui.type('\x1b[B\x1b[B\r');
    await ui.until(/Both read\./);
    for (const result of resultsIn(server.requests.at(-1)).slice(-2)) assert.match(result, /from outside/);
    assert.deepEqual(upstream.asked, ['page.invalid:80', 'page.invalid:80']);
  },
);

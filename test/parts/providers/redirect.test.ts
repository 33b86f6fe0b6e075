import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { hermes, tempHome, toServer } from '../../walks/hermes.ts';

const KEY = 'sk-redirect-0123456789';
const STATUSES = [301, 302, 307, 308];

for (const [index, mode] of ['chat_completions', 'anthropic_messages', 'responses'].entries()) {
  test(`${mode}: a redirect ends the run, and the key goes nowhere`, { timeout: 30_000 }, async () => {
    const status = STATUSES[index + 1] ?? 301;
    const visits: string[] = [];
    const server = createServer((request, response) => {
      visits.push(`${request.url} ${JSON.stringify(request.headers).includes(KEY)}`);
      request.resume().once('end', () => response.writeHead(status, { location: '/elsewhere' }).end('moved'));
    });
    // The server closes nothing by itself, so only the program can let go.
    server.keepAliveTimeout = 60_000;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const stop = new AbortController();
    const env = { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY };
    const ran = await hermes(['chat', '-q', 'hi', ...toServer(url, mode)], {
      home: tempHome(),
      env,
      started: (child) => {
        // A run that hangs is ended, so that the test tells it in words.
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
        stop.signal.addEventListener('abort', () => clearTimeout(timer));
      },
    });
    stop.abort();
    server.closeAllConnections();
    server.close();
    assert.equal(ran.code, 1, ran.err);
    assert.match(ran.err, /does not follow redirects/);
    assert.ok(visits.length > 0 && visits.every((visit) => visit.startsWith('/v1/') && visit.endsWith(' true')), visits.join('; '));
  });
}

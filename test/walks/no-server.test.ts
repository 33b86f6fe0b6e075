import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startWireServer } from '../../src/testing/wire-server/index.ts';
import { hermes, tempHome, toServer } from './hermes.ts';

/** A port of this machine that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

for (const host of ['127.0.0.1', 'localhost'])
  test(`a refused port of ${host} fails at once, without another try, and says what to do`, async () => {
    const url = `http://${host}:${await freePort()}`;
    const { code, out, err } = await hermes(['chat', '-q', 'hi', ...toServer(url)], { home: tempHome() });
    assert.deepEqual([code, out], [1, '']);
    assert.doesNotMatch(err, /wait/);
    assert.match(
      err,
      /ECONNREFUSED[^]*\nNo server is running at this address on this machine\. Start it .*--base-url, model\.base_url\)\.\n$/,
    );
  });

test('a connection that breaks later is tried again as ever', async () => {
  await using server = await startWireServer({ replies: [{ fault: { type: 'cut', afterBytes: 0 } }, { text: 'Here.' }] });
  const { code, out } = await hermes(['chat', '-q', 'hi', ...toServer(server.url)], { home: tempHome() });
  assert.deepEqual([code, out], [0, 'Here.\n']);
});

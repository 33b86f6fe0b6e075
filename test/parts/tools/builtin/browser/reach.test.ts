import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { request } from 'node:http';
import { suite, test } from 'node:test';
import { openGate } from '../../../../../src/parts/tools/builtin/browser/gate.ts';
import { findBrowser } from '../../../../../src/parts/tools/builtin/browser/find.ts';
import { openLive } from '../../../../../src/parts/tools/builtin/browser/live.ts';
import { tempFolder } from '../../setup.ts';
import { variable } from './reach.ts';
import { atSite, noBrowser, testReach } from './setup.ts';
import { startSite } from './site.ts';

const skip = noBrowser();

/** Until every try of the page has come to an end. */
const WAIT_FOR_ALL = `new Promise((done) => {
  const look = (tries) => (list.children.length >= 10 || tries === 0 ? done(list.innerText) : setTimeout(look, 100, tries - 1));
  look(150);
})`;

suite('what a page can reach', { skip, concurrency: false }, async () => {
  if (skip !== false) return;
  const { site, say, browsers } = await atSite();

  test('private addresses, other names of this machine and files are refused before anything is opened', async () => {
    const refused = [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      `http://localhost:${site.port}/secret`,
      `http://127.0.0.2:${site.port}/secret`,
      `http://2130706433:${site.port}/secret`,
      `http://private.test:${site.port}/secret`,
      'file:///etc/passwd',
      'chrome://version',
      'view-source:http://site.test/',
      'data:text/html,<p>hello',
      'javascript:alert(1)',
    ];
    for (const url of refused) assert.match(await say('navigate', { url }), /^FAILED Refused: /, url);
    assert.deepEqual(site.asked, []);
  });

  test('a redirect to a private address ends there', async () => {
    assert.match(
      await say('navigate', { url: `${site.url}/to-metadata` }),
      /^FAILED Refused: .* redirected to http:\/\/169\.254\.169\.254\/latest\/meta-data\/\./,
    );
    assert.match(await say('snapshot'), /about:blank/);
  });

  test('scripts, sockets and frames of a page reach nothing private', async () => {
    await say('navigate', { url: `${site.url}/snoop` });
    const told = await say('console', { expression: WAIT_FOR_ALL });
    const list = /^Value: .*$/m.exec(told)?.[0] ?? '';
    assert.equal(list.match(/REACHED/g), null, list);
    assert.equal(list.match(/blocked/g)?.length, 10, list);
    const page = await say('snapshot', { full: true });
    assert.doesNotMatch(`${list}${page}`, /inner secret/);
    assert.deepEqual(
      site.asked.filter((each) => each.includes('/secret') || each.includes('/ws')),
      [],
    );
  });

  test('what was kept from a page is told', async () => {
    const told = await say('navigate', { url: `${site.url}/snoop` });
    const later = await say('console', { expression: WAIT_FOR_ALL });
    assert.match(`${told}${later}`, /\[The page was kept from http:\/\/10\.1\.2\.3\/x: Refused: 10\.1\.2\.3 is /);
  });

  test('a script of ours leads to no file and no page of the browser either', async () => {
    await say('navigate', { url: `${site.url}/form` });
    for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:file:///etc/passwd']) {
      await say('console', { expression: `void (location.href = ${JSON.stringify(url)})` });
      const open = await say('console', { expression: `window.open(${JSON.stringify(url)}) && 1` });
      const page = await say('snapshot', { full: true });
      assert.doesNotMatch(`${open}${page}`, /root:|Revision/, url);
    }
    await say('navigate', { url: `${site.url}/form` });
  });

  test('no datagram leaves for a server a page names', async () => {
    const socket = createSocket('udp4').unref();
    const heard: string[] = [];
    socket.on('message', (message) => heard.push(message.toString('hex')));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    await say('navigate', { url: `${site.url}/form` });
    const gathered = await say('console', {
      expression: `(async () => {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${socket.address().port}' }] });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise((done) => setTimeout(done, 2500));
        return peer.iceGatheringState;
      })()`,
    });
    assert.match(gathered, /Value: "(complete|gathering)"/);
    assert.deepEqual(heard, []);
    socket.close();
  });

  test('sessions do not share a browser', async () => {
    await browsers.use('s2', true, async ({ tabs }) => assert.equal((await tabs.current()).url(), 'about:blank'));
  });
});

suite('refusals', { skip: noBrowser() }, () => {
  test('the browser’s own traffic is not blamed on the page', async (t) => {
    const site = await startSite();
    t.after(() => site.close());
    await using live = await openLive({
      executable: findBrowser({ executable: '', variable }),
      headed: false,
      reach: testReach(),
      variable,
      downloads: tempFolder(),
    });
    const page = await live.tabs.current();
    await page.goto(`${site.url}/form`);
    const proxied = await page.context().request.get('http://10.0.0.7/own', { failOnStatusCode: false });
    assert.equal(proxied.status(), 403, 'asked for by the browser itself, behind the back of every page');
    await page.evaluate('fetch("http://10.0.0.1/page", { mode: "no-cors" }).catch(() => {})');
    assert.deepEqual(
      live.gate.refusals().map(({ url }) => url),
      ['http://10.0.0.1/page'],
    );
    await page.context().request.get('http://10.0.0.1/favicon.ico', { failOnStatusCode: false });
    assert.deepEqual(live.gate.refusals(), [], 'nor is what it asks a host of the page for');
    await page.evaluate(
      'new Promise((done) => (new WebSocket("ws://10.0.0.2:8080/ws?a=1").onerror = done)).then(() => new Promise((done) => (new WebSocket("ws://10.0.0.2/ws").onerror = done)))',
    );
    assert.deepEqual(
      live.gate.refusals().map(({ url }) => url),
      ['ws://10.0.0.2:8080/ws?a=1', 'ws://10.0.0.2/ws'],
    );
  });
});

suite('the gate', () => {
  const ask = (port: number, url: string, word?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path: url, ...(word !== undefined && { headers: { 'proxy-authorization': word } }) },
        (answer) => {
          answer.resume();
          answer.on('end', () => resolve(`${answer.statusCode}`));
        },
      );
      sent.on('error', reject);
      sent.end();
    });

  test('it serves nobody but its own browser', async () => {
    const site = await startSite();
    await using gate = await openGate(testReach());
    const port = Number(new URL(gate.server).port);
    const word = `Basic ${Buffer.from(`${gate.username}:${gate.password}`).toString('base64')}`;
    assert.equal(await ask(port, `${site.url}/form`), '407');
    assert.equal(await ask(port, `${site.url}/form`, 'Basic d3Jvbmc6d29yZA=='), '407');
    assert.deepEqual(site.asked, []);
    assert.equal(await ask(port, `${site.url}/form`, word), '200');
    assert.equal(await ask(port, 'http://10.0.0.1/', word), '403');
    assert.equal(await ask(port, 'http://update.googleapis.com/', word), '403');
    assert.deepEqual(
      gate.refusals().map(({ url }) => url),
      ['http://10.0.0.1/'],
    );
    await site.close();
  });

  test('a tunnel leads to the address that was judged, and nowhere else', async () => {
    const site = await startSite();
    let address = '127.0.0.1';
    await using gate = await openGate(testReach(async () => [address]));
    const word = `Basic ${Buffer.from(`${gate.username}:${gate.password}`).toString('base64')}`;
    const open = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = request({
          host: '127.0.0.1',
          port: new URL(gate.server).port,
          method: 'CONNECT',
          path: `moving.test:${site.port}`,
          headers: { 'proxy-authorization': word },
        });
        sent.on('error', reject).end();
        sent.on('connect', (answer, socket) => {
          socket.on('data', (chunk: Buffer) => resolve(`${answer.statusCode} ${chunk.toString('latin1').split('\r\n')[0]}`));
          if (answer.statusCode === 200) socket.write('GET /form HTTP/1.1\r\nHost: moving.test\r\nConnection: close\r\n\r\n');
          else resolve(`${answer.statusCode}`);
        });
      });
    // The name exists for the judgement alone: that it is reached shows that nobody looked it up a second time.
    assert.equal(await open(), '200 HTTP/1.1 200 OK');
    address = '192.168.1.1';
    assert.equal(await open(), '403');
    assert.match(gate.refusals()[0]?.reason ?? '', /moving\.test leads to 192\.168\.1\.1/);
    await site.close();
  });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, crc32 } from 'node:zlib';
import { NO_USAGE } from '../../../../../src/contracts/message.ts';
import type { Ports, VisionRequest } from '../../../../../src/contracts/ports.ts';
import { collectDefaults } from '../../../../../src/contracts/settings.ts';
import { openBrowsers } from '../../../../../src/parts/tools/builtin/browser/browsers.ts';
import { cropWith } from '../../../../../src/parts/tools/builtin/browser/crop.ts';
import { browserSettings } from '../../../../../src/parts/tools/builtin/browser/settings.ts';
import { detectPictureKind } from '../../../../../src/parts/tools/builtin/media/kinds.ts';
import { visionAnalyzeTool, type VisionOptions } from '../../../../../src/parts/tools/builtin/media/vision-tool.ts';
import { answer } from '../../setup.ts';
import { testReach, variable } from '../browser/reach.ts';
import { noBrowser } from '../browser/setup.ts';
import { PNG } from './fakes.ts';
import { withFakes } from './setup.ts';

async function atDesk(more: Partial<VisionOptions> = {}) {
  const { fakes, home, context, options, guarded } = await withFakes([]);
  const asks: VisionRequest[] = [];
  const ports: Ports = {
    see: async (ask) => {
      asks.push(ask);
      if (ask.question === 'fail') return { ok: false, why: 'the model is asleep', model: 'seer', hopeless: false };
      if (ask.question === 'mute') return { ok: true, text: ' \n', usage: NO_USAGE, model: 'seer' };
      return { ok: true, text: 'A blue dot.', usage: NO_USAGE, model: 'seer' };
    },
  };
  const tool = visionAnalyzeTool({ ...options, ports, ...more });
  const seeing = { ...context, ports };
  const look = (image_url: string, region?: number[], question = 'What?') =>
    answer(tool, { image_url, question, ...(region && { region }) }, seeing);
  return { fakes, home, tool, asks, look, context: seeing, guarded };
}

test('pictures come from files, pages and data', async () => {
  const { fakes, home, look, asks, tool, context, guarded } = await atDesk();
  writeFileSync(join(home, 'dot.jpg'), PNG);
  assert.equal(
    await look('dot.jpg'),
    `A blue dot.\n[${join(home, 'dot.jpg')}, image/png, ${PNG.length} bytes]`,
    'its bytes say what it is',
  );
  assert.match(await look(`${fakes.base}/picture.png?key=hidden`), /^A blue dot\.\n\[http:\/\/127\.0\.0\.1:\d+\/picture\.png, image\/png/);
  assert.match(await look(`data:image/gif;base64,${PNG.toString('base64')}`), /\[a picture given inline, image\/png/);
  assert.deepEqual(
    asks.map(({ image }) => image),
    asks.map(() => ({ type: 'image', mime: 'image/png', data: PNG.toString('base64'), trust: 'foreign' })),
  );
  assert.deepEqual(guarded, [`read ${join(home, 'dot.jpg')}`]);
  const output = await tool.run({ image_url: `${fakes.base}/picture.png`, question: 'What?' }, context);
  assert.equal(output.foreign, new URL(fakes.base).host);
  assert.deepEqual(
    tool.effects({ image_url: 'dot.jpg', question: '' }).resources,
    [`path:${join(home, 'dot.jpg')}`],
    'so that its provenance is judged',
  );
});

test('what is no picture, too large, forbidden or out of reach is refused', async () => {
  const { fakes, home, look, asks } = await atDesk();
  writeFileSync(join(home, 'page.png'), '<html>');
  writeFileSync(join(home, '.env'), PNG);
  writeFileSync(join(home, 'large.png'), Buffer.concat([PNG, Buffer.alloc(20_000_001)]));
  writeFileSync(join(home, 'empty.png'), '');
  const table: readonly (readonly [string, RegExp])[] = [
    ['page.png', /^FAILED .*page\.png is not a PNG, JPEG, WebP or GIF, whatever/],
    ['.env', /^FAILED Refused: /],
    ['large.png', /^FAILED .*large\.png has 2000\d+ bytes; make it smaller first|more than 20000000/],
    ['empty.png', /^FAILED .*is empty/],
    ['nowhere.png', /^FAILED .*nowhere\.png does not exist/],
    ['.', /^FAILED .* is not a file/],
    ['http://10.0.0.1/x.png', /^FAILED http:\/\/10\.0\.0\.1\/x\.png was not loaded\. Refused: /],
    [`${fakes.base}/gone.png`, /^FAILED .*the site answered 404/],
  ];
  for (const [given, expected] of table) assert.match(await look(given), expected, given);
  assert.deepEqual(asks, []);
});

test('a model that sees gets the picture, one that does not gets words, and failure is told', async () => {
  const native = await atDesk({ native: true });
  writeFileSync(join(native.home, 'dot.png'), PNG);
  const output = await native.tool.run({ image_url: 'dot.png', question: 'What?' }, native.context);
  assert.deepEqual(
    output.content.map(({ type }) => type),
    ['text', 'image'],
  );
  assert.deepEqual(native.asks, []);
  const other = await atDesk();
  writeFileSync(join(other.home, 'dot.png'), PNG);
  assert.match(await other.look('dot.png', undefined, 'fail'), /^The picture could not be looked at: the model is asleep\./);
  const mute = await other.tool.run({ image_url: 'dot.png', question: 'mute' }, other.context);
  assert.equal(mute.failed, true, 'a look that brings no words is no success');
  assert.match(JSON.stringify(mute.content), /\(seer\) returned nothing\. Rephrase/);
  const blind = visionAnalyzeTool({ reach: () => testReach(), guard: () => {}, cwd: () => '/nowhere', ports: {} });
  assert.equal(blind.available?.(), false);
});

test('without anything that cuts, the whole picture is shown and said so', async () => {
  const { home, look } = await atDesk();
  writeFileSync(join(home, 'dot.png'), PNG);
  assert.match(await look('dot.png', [0, 0, 1, 1]), /; shown whole, there is nothing here that can cut pictures\]/);
  assert.match(await look('dot.png', [0, 0, 1]), /^FAILED region must be four whole numbers/);
});

test('a region is cut out by the browser', { skip: noBrowser() }, async () => {
  const browsers = openBrowsers({ settings: collectDefaults(browserSettings), reach: testReach(), home: '/nowhere', variable });
  const { home, look, asks } = await atDesk({ crop: cropWith(browsers, variable) });
  writeFileSync(join(home, 'wide.png'), png(40, 20));
  assert.match(await look('wide.png', [30, 5, 100, 10]), /the region 30, 5, 100, 10 of it\]/);
  const cut = Buffer.from(asks[0]?.image.data ?? '', 'base64');
  assert.deepEqual([cut.readUInt32BE(16), cut.readUInt32BE(20)], [10, 10], 'held to the edge of the picture');
  assert.match(await look('wide.png', [50, 0, 5, 5]), /^FAILED The region lies outside of the picture, which has 40×20 pixels/);
});

test('kinds of pictures by their first bytes', () => {
  const kinds: readonly (readonly [string, string | undefined])[] = [
    ['\u0089PNG\r\n\u001a\n....', 'image/png'],
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['GIF89a..', 'image/gif'],
    ['RIFF....WEBPVP8 ', 'image/webp'],
    ['RIFF....WAVEfmt ', undefined],
    ['<svg xmlns', undefined],
    ['', undefined],
  ];
  for (const [bytes, mime] of kinds) assert.equal(detectPictureKind(Buffer.from(bytes, 'latin1'))?.mime, mime, bytes);
});

/** A grey picture of a size. */
function png(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  return Buffer.concat([PNG.subarray(0, 8), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

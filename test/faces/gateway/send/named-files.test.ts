import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeFiles } from '../../../../src/faces/gateway/send/named-files.ts';
import { telegram } from '../../../../src/platforms/telegram/index.ts';

test('an .ogg goes out as a voice message without being asked to, other sound as a file to play', async () => {
  const kinds: string[] = [];
  for (const [name, head] of [
    ['note.ogg', 'OggS'],
    ['song.mp3', 'ID3'],
  ] as const) {
    const { deliveries } = await takeFiles(
      {
        markdown: `MEDIA:/tmp/${name}`,
        key: name,
        target: { platform: 'telegram', account: 'main', chatId: '1' },
        canCaption: true,
        kind: telegram,
      },
      { blobs: { put: async () => 'hash' }, readFile: async () => ({ ok: true, file: { name, bytes: Buffer.from(head) } }) },
    );
    kinds.push(...deliveries.flatMap(({ content }) => (content.type === 'media' ? [content.kind] : [])));
  }
  assert.deepEqual(kinds, ['voice', 'audio']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../../src/base/screen/paint.ts';
import { measureWidth } from '../../../src/base/width.ts';
import { gatewaySetup } from '../../../src/commands/gateway-setup.ts';
import { restore } from '../../../src/commands/backup.ts';
import { loadRenderer } from '../../../src/faces/cli/renderers.ts';

const WRITTEN = ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_ALLOWED_USERS', 'TELEGRAM_HOME_CHANNEL'];
const RESTORED = {
  home: '/home/ann/.hermes',
  madeAt: 0,
  files: 3,
  sessions: 2,
  movedTo: '/home/ann/.hermes.before-restore',
  settled: { turnsGivenUp: 1, deliveriesMarked: 1, processesForgotten: 0, jobsSkipped: 0 },
};

test('results that are long sentences are broken between words', async () => {
  const rows = [
    [gatewaySetup.name, { platform: 'telegram', written: WRITTEN, next: 'hermes gateway start' }],
    [restore.name, RESTORED],
  ] as const;
  for (const [name, result] of rows) {
    const { text } = await loadRenderer(name, () => assert.fail('it has a renderer of its own'));
    const draw = (columns: number): string => {
      const drawn = text(result, { paint: plain, columns, now: 0, watched: true });
      return typeof drawn === 'string' ? drawn : assert.fail('it is one piece');
    };
    const narrow = draw(50);
    assert.deepEqual(
      narrow.split('\n').filter((line) => measureWidth(line) > 50),
      [],
    );
    assert.equal(narrow.replaceAll(/\s+/g, ' '), draw(Infinity).replaceAll(/\s+/g, ' '), name);
  }
});

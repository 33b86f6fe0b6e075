import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DrawContext, MainScreen } from '../../../../src/faces/tui/contract.ts';
import { createHighlighter } from '../../../../src/faces/tui/draw/highlight.ts';
import { createTranscriptView } from '../../../../src/faces/tui/draw/view.ts';
import { createStage } from '../../../../src/faces/tui/face/stage.ts';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { createStyles } from '../../../../src/faces/tui/theme/styles.ts';
import { THEMES } from '../../../../src/faces/tui/theme/themes.ts';
import { forAll } from '../../../../src/testing/seeded-random.ts';
import { openStage } from '../../../agent/invariants/stage.ts';
import { playSession } from '../sessions.ts';

const SIZE = { columns: 80, rows: 24 };
const MAX_FRAME_BYTES = 4096;
const { highlight, settled } = createHighlighter();
for (const language of ['ts', 'py']) highlight('', language);
await settled();
/** As many bytes as a screen can take: every color, everything shown. */
const context: DrawContext = {
  ...SIZE,
  style: createStyles('truecolor', THEMES[0]?.styles ?? {}),
  now: 0,
  showThinking: true,
  toolCalls: 'verbose',
  highlight,
};

/** A screen that counts what a frame costs beyond the lines that are finished with it. */
function weighFrames(): { readonly screen: MainScreen; readonly sizes: number[] } {
  let written = 0;
  const sizes: number[] = [];
  const screen = createMainScreen((bytes) => (written += Buffer.byteLength(bytes)), SIZE);
  return {
    sizes,
    screen: {
      ...screen,
      update: (printed, frame) => {
        written = 0;
        screen.update(printed, frame);
        sizes.push(written - printed.reduce((total, line) => total + Buffer.byteLength(line), 0));
      },
    },
  };
}

test('a frame takes at most 4 kB beyond the text that is finished with it, whatever a session shows', async (told) => {
  const stage = await openStage();
  let most = 0;
  await forAll(10, async (chance) => {
    const { lives } = await playSession(chance, stage);
    for (const { events } of lives) {
      const { screen, sizes } = weighFrames();
      const drawn = createStage({
        screen,
        view: createTranscriptView(),
        now: () => 0,
        context: () => context,
        compose: (live) => ({ lines: [...live, '', 'model │ 12k/128k │ 3 s', '─'.repeat(80), `❯ ${'word '.repeat(10)}`, '─'.repeat(80)] }),
      });
      for (const event of events) {
        drawn.apply(event);
        drawn.paint();
      }
      drawn.pause();
      most = Math.max(most, ...sizes);
      assert.ok(
        sizes.every((size) => size <= MAX_FRAME_BYTES),
        `a frame of ${Math.max(...sizes)} bytes`,
      );
    }
  });
  // A frame of nothing would prove nothing.
  assert.ok(most > 500, `the largest has ${most}`);
  told.diagnostic(`the largest frame has ${most} bytes`);
});

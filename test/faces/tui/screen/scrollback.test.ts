import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMainScreen } from '../../../../src/faces/tui/screen/main-screen.ts';
import { judgeOnXterm, type MakeScreen } from './oracle.ts';
import { plantPiScreen } from './planted.ts';
import { kindOf } from './stories.ts';
import { tellStory } from './story.ts';
import { judgeOnTmux, noTmux } from './tmux.ts';
import { sized } from '../../../size.ts';

const ours: MakeScreen = (write, size, now) => createMainScreen(write, size, { reflow: () => 'wraps', now });

const STORIES = sized(20, 50);

test('every line of the shell and every printed line is in the scrollback once and in order', async () => {
  for (let seed = 0; seed < STORIES; seed += 1) {
    const { name, tell } = kindOf(seed);
    assert.equal((await judgeOnXterm(tell(seed), ours)).problem, undefined, `story ${seed} (${name})`);
  }
});

test('the main screen of pi-tui takes the lines of the shell away', async () => {
  for (let seed = 0; seed < 3; seed += 1)
    assert.match((await judgeOnXterm(tellStory(seed), plantPiScreen)).problem ?? '', /expected "\$line\d+oftheshell/);
});

test('the same through tmux', { skip: noTmux }, async () => {
  for (let seed = 0; seed < 4; seed += 1) assert.equal((await judgeOnTmux(kindOf(seed).tell(seed))).problem, undefined, `story ${seed}`);
});

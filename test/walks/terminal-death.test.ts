import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPty } from './on-terminal.ts';
import { openDeathStage, type DeathPoint } from './terminal-death.ts';

/** A few of those that `npm run prove -- terminal` goes through, each moment once. */
const POINTS: readonly DeathPoint[] = [
  { moment: 'start', blow: 'SIGKILL', afterMs: 250 },
  { moment: 'streaming', blow: 'SIGKILL', afterMs: 30 },
  { moment: 'queue', blow: 'SIGKILL', afterMs: 0 },
  { moment: 'viewer', blow: 'SIGKILL', afterMs: 0 },
  { moment: 'approval', blow: 'SIGKILL', afterMs: 50 },
  { moment: 'tool running', blow: 'SIGHUP', afterMs: 100 },
  { moment: 'secret', blow: 'terminal closed', afterMs: 50 },
  { moment: 'editor', blow: 'SIGTSTP', afterMs: 50 },
  { moment: 'resizing', blow: 'Ctrl-Z', afterMs: 60 },
  { moment: 'shutdown', blow: 'SIGTSTP', afterMs: 5 },
];

test(
  'whatever happens to it, the terminal is as before, the session goes on, and what was sent has its fate once',
  { skip: noPty },
  async () => {
    await using stage = await openDeathStage();
    for (const point of POINTS) assert.deepEqual(await stage.die(point), { ...point, problems: [] });
  },
);

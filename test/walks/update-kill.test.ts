import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNodeLibraries } from '../../src/base/own-node.ts';
import { MAIN } from './hermes.ts';
import { sized } from '../size.ts';
import { openUpdateStage, WAYS, type KillPoint, type Round, type Way } from './update-stage.ts';

/** A small share of what `npm run prove -- updates` does; the full count and its result are in docs/proofs. */
const STEPS = sized([19, 27], [3, 11, 15, 19, 23, 27, 31, 43, 60]);

/** Its small checkout brings Node as npm has it, without what `bin/repair-node` adds. */
function findMissing(): string | false {
  if (!MAIN.endsWith('.cjs')) return 'it needs the bundle: run it by npm test';
  return findNodeLibraries() !== undefined && 'the Node of its checkout needs the libatomic.so.1 of the system, and there is none';
}

test(
  'a gateway answers through updates, builds and kills of both; at every moment there is a version to start, and no message is lost',
  // npm tries for a network that is not there.
  { skip: findMissing(), timeout: 280_000 },
  async (context) => {
    await using stage = await openUpdateStage();
    const rounds: Round[] = [];
    for (const kill of STEPS.map((step): KillPoint => ({ step }))) rounds.push(await stage.play('rollback', kill));
    for (const way of sized<readonly Way[]>(['update', 'npm ci'], WAYS)) rounds.push(await stage.play(way, { afterMs: 900 }));
    for (const way of sized<readonly Way[]>(['build', 'update'], [...WAYS].toReversed())) rounds.push(await stage.play(way));
    const { starts, messages, commands } = stage.counts();
    context.diagnostic(
      `${rounds.filter(({ killed }) => killed).length} kills; ${messages} messages, ${commands} commands, ${starts} programs started`,
    );
    assert.deepEqual(
      rounds.filter(({ faults }) => faults.length > 0),
      [],
    );
    assert.ok(rounds.filter(({ killed }) => killed).length >= STEPS.length);
    // What was never put in place by an update is there in the end all the same.
    assert.match(stage.version(), /^hermes 1\.\d+\.0$/);
  },
);

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { AGENT } from './agent.ts';
import { processesWith } from '../../processes.ts';
import { tempFolder, until, NEEDS_SDK } from './setup.ts';

for (const mode of ['plain', 'stubborn'] as const)
  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    test(`an agent ended by ${signal} in the middle of a call leaves no ${mode} server behind`, NEEDS_SDK, async () => {
      const mark = `orphan-${mode}-${signal}-${process.pid}`;
      const agent = spawn(process.execPath, [AGENT, tempFolder(), mode, mark], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [pid] = await once(agent.stdout, 'data');
      assert.match(String(pid), /^\d+\n$/);
      assert.ok(processesWith(mark).length > 1);
      agent.kill(signal);
      await once(agent, 'exit');
      await until(
        () => processesWith(mark),
        (left) => left.length === 0,
      );
    });

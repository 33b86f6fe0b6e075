import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { claimFile, readClaim, waitForFarHolder } from '../../src/base/claim-file.ts';
import { identifyOwnProcess } from '../../src/base/process-identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-claim-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A process that claims a file and goes on until it is killed. */
async function startHolder(path: string): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const code = `import { claimFile } from ${JSON.stringify(resolve('src/base/claim-file.ts'))};
    await claimFile(${JSON.stringify(path)}, { who: 'the other' }); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

test('a claim is refused with who holds it, and is free as soon as that process is gone', async () => {
  const path = join(folder, 'one');
  const holder = await startHolder(path);
  const refused = await claimFile(path, { who: 'me' });
  assert.ok(!refused.ok);
  assert.deepEqual({ pid: refused.holder.pid, facts: refused.holder.facts }, { pid: holder.pid, facts: { who: 'the other' } });
  await holder.kill();
  assert.equal(readClaim(path), undefined);
  const mine = await claimFile(path, { who: 'me' });
  assert.ok(mine.ok);
  assert.equal(readClaim(path)?.pid, process.pid);
  await mine.claim[Symbol.asyncDispose]();
  assert.equal(existsSync(path), false);
});

test('a process renews its own claim, but not one for another purpose; an old one that is given back leaves the new', async () => {
  const path = join(folder, 'two');
  const [first, again, other] = [
    await claimFile(path, { for: 'a' }),
    await claimFile(path, { for: 'a' }),
    await claimFile(path, { for: 'b' }),
  ];
  assert.deepEqual([first.ok, again.ok, other.ok], [true, true, false]);
  if (first.ok) await first.claim[Symbol.asyncDispose]();
  assert.deepEqual(readClaim(path)?.facts, { for: 'a' });
  if (again.ok) await again.claim[Symbol.asyncDispose]();
  assert.equal(readClaim(path), undefined);
});

test('a later process with the same pid is not the holder; one on another machine is believed while it shows itself', () => {
  const path = join(folder, 'three');
  const own = identifyOwnProcess();
  writeFileSync(path, JSON.stringify({ ...own, started: 'another boot/1', token: 'x' }));
  assert.equal(readClaim(path), undefined);
  writeFileSync(path, JSON.stringify({ ...own, host: 'elsewhere', token: 'x' }));
  assert.equal(readClaim(path)?.host, 'elsewhere');
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(path, old, old);
  assert.equal(readClaim(path), undefined);
  writeFileSync(path, '{');
  assert.equal(readClaim(path), undefined);
});

/** The claim of a process elsewhere that gave its last sign of life so long ago. */
function claimElsewhere(name: string, ageMs: number): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ ...identifyOwnProcess(), host: 'elsewhere', token: 'x' }));
  const then = new Date(Date.now() - ageMs);
  utimesSync(path, then, then);
  return path;
}

test('a holder elsewhere is waited for until it is silent for too long, or gives a sign of life', async () => {
  const { signal } = new AbortController();
  const killed = claimElsewhere('killed', 89_900);
  await waitForFarHolder(killed, signal);
  assert.equal(readClaim(killed), undefined);
  const alive = claimElsewhere('alive', 30_000);
  const waiting = waitForFarHolder(alive, signal);
  utimesSync(alive, new Date(), new Date());
  await waiting;
  assert.equal(readClaim(alive)?.host, 'elsewhere');
  const stop = new AbortController();
  const stopped = waitForFarHolder(alive, stop.signal);
  stop.abort();
  await stopped;
});

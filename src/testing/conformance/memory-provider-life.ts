import { equal, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MemoryScene } from '../../contracts/memory-provider.ts';
import { createTextBlock, type Message } from '../../contracts/message.ts';
import { NEVER, OWNER, guest, recalled, sceneOf, turnAbout, type StageMemoryProvider } from './memory-provider-samples.ts';

const ROLES: readonly MemoryScene['role'][] = ['primary', 'subagent', 'cron', 'flush'];

/** A provider through the sessions of a host, from the first to the end. */
export function testMemoryProviderLife(stage: StageMemoryProvider): void {
  test('sessions of every role begin side by side, and one may begin twice', async () => {
    await using staged = await stage();
    const { provider, home } = staged;
    for (const role of ROLES) await provider.initialize?.(sceneOf({ ...OWNER, sessionId: `s-${role}` }, home, role));
    await provider.initialize?.(sceneOf(OWNER, home));
    await provider.initialize?.(sceneOf(OWNER, home));
    ok(Array.isArray(await recalled(provider, 'anything at all')));
  });

  test('turns, ends, switches and writes are taken, also for a session nobody initialized here', async () => {
    await using staged = await stage();
    const { provider } = staged;
    const turn = turnAbout('the ferry leaves at noon', { ...OWNER, sessionId: 'left-by-another-process' });
    await provider.syncTurn?.(turn, NEVER);
    await provider.sessionEnd?.({ ...OWNER, key: 'end-1', reason: 'exit', turns: [turn] }, NEVER);
    await provider.sessionEnd?.({ ...OWNER, key: 'end-2', reason: 'expired', turns: [] }, NEVER);
    for (const reason of ['branch', 'reset', 'resume', 'compaction'] as const)
      await provider.sessionSwitch?.({ ...OWNER, fromSessionId: 's-before', reason });
    await provider.wrote?.({ key: 'w-1', operation: { action: 'add', content: 'Likes tea.' }, target: 'user' }, NEVER);
    await provider.wrote?.(
      { key: 'w-2', operation: { action: 'replace', oldText: 'tea', content: 'Likes coffee.' }, target: 'user' },
      NEVER,
    );
    await provider.wrote?.({ key: 'w-3', operation: { action: 'remove', oldText: 'coffee' }, target: 'user' }, NEVER);
    provider.queueRecall?.('when does the ferry leave?', OWNER);
    provider.delegated?.({ ...OWNER, goal: 'count the ferries', result: 'there are three' });
    await staged.settle?.();
    equal(typeof provider.available(), 'boolean');
  });

  test('before a compaction it gives words or nothing', async () => {
    await using staged = await stage();
    const { provider } = staged;
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    const messages: readonly Message[] = [
      { role: 'user', content: [createTextBlock('The ferry leaves at noon.', 'owner')] },
      { role: 'assistant', content: [createTextBlock('Noted.', 'model')] },
    ];
    const words = await provider.beforeCompress?.(messages, { ...OWNER, signal: NEVER });
    ok(words === undefined || typeof words === 'string');
  });

  test('a telling that is given up ends', async () => {
    await using staged = await stage();
    const { provider } = staged;
    const turn = turnAbout('the kiln is cold', guest('ada', 'chat-1'));
    // Each may be refused; a wait that goes on would keep this test from ending.
    await provider.syncTurn?.(turn, AbortSignal.abort()).catch(() => undefined);
    await provider.sessionEnd?.({ ...OWNER, key: 'end-3', reason: 'reset', turns: [turn] }, AbortSignal.abort()).catch(() => undefined);
    await provider.status?.(AbortSignal.abort()).catch(() => undefined);
  });

  test('what setup saves lies in the folder of the profile, for its owner alone, and holds no secret', async (context) => {
    await using staged = await stage();
    const { provider } = staged;
    if (provider.saveConfig === undefined) return context.skip('it is set up by variables alone');
    const home = mkdtempSync(join(tmpdir(), 'hermes-conformance-'));
    try {
      const fields = (provider.configFields?.() ?? []).filter(({ secret }) => secret !== true);
      await provider.saveConfig(Object.fromEntries(fields.map((field) => [field.key, field.default ?? field.choices?.[0] ?? 'x'])), home);
      for (const name of readdirSync(home)) equal(statSync(join(home, name)).mode & 0o077, 0, `${name} is for its owner alone`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test('it can be closed twice, and opened again on the same data', async () => {
    await using staged = await stage();
    const { provider } = staged;
    await provider.initialize?.(sceneOf(OWNER, staged.home));
    const again = await staged.reopen();
    await again.initialize?.(sceneOf(OWNER, staged.home));
    ok(Array.isArray(await recalled(again, 'anything at all')));
    await provider.close?.();
    await again.close?.();
    await again.close?.();
    ok(existsSync(staged.home));
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionLogMemory } from '../../../src/parts/memory/session-log.ts';
import { openSqliteStore } from '../../../src/parts/store/sqlite/store.ts';
import { testMemoryProviderConformance } from '../../../src/testing/conformance/memory-provider.ts';

testMemoryProviderConformance('session_log', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-memory-conformance-'));
  const store = await openSqliteStore({ path: join(home, 'sessions.db') });
  return {
    provider: sessionLogMemory({ log: store }),
    home,
    reopen: async () => sessionLogMemory({ log: store }),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
});

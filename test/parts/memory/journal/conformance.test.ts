import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome } from '../../../../src/base/home.ts';
import { createJournal } from '../../../../src/parts/memory/journal/journal.ts';
import { testMemoryProviderConformance } from '../../../../src/testing/conformance/memory-provider.ts';

testMemoryProviderConformance('journal', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hermes-journal-conformance-'));
  let provider = createJournal({ home: resolveHome({ HERMES_HOME: home }) });
  return {
    provider,
    home,
    reopen: async () => {
      await provider.close?.();
      return (provider = createJournal({ home: resolveHome({ HERMES_HOME: home }) }));
    },
    [Symbol.asyncDispose]: async () => {
      await provider.close?.();
      rmSync(home, { recursive: true, force: true });
    },
  };
});

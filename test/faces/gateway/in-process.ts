import type { AccountSettings, AdapterOptions, PlatformKind } from '../../../src/contracts/platform-adapter.ts';
import type { AdapterHandle } from '../../../src/faces/gateway/link/contract.ts';

/** An adapter in this thread. */
export async function openInProcess(
  kind: PlatformKind,
  settings: AccountSettings,
  log: (words: string) => void,
  offers: Omit<AdapterOptions, 'settings' | 'log'> = {},
): Promise<AdapterHandle> {
  const adapter = await kind.open({ settings, log, ...offers });
  const gone = Promise.withResolvers<string>();
  return {
    adapter,
    failed: gone.promise,
    terminate: async () => {
      await adapter[Symbol.asyncDispose]();
      gone.resolve('terminated');
    },
  };
}

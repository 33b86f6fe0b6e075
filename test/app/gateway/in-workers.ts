import { openPlatformAdapter } from '../../../src/app/gateway/platforms.ts';
import type { PlatformKind } from '../../../src/contracts/platform-adapter.ts';
import type { OpenPlatformScene } from '../../../src/testing/conformance/platform-scene.ts';
import { testPlatformConformance } from '../../../src/testing/conformance/platform.ts';

/** The same platform, but every adapter of it runs in a worker. */
const inWorkers = (kind: PlatformKind): PlatformKind => ({
  ...kind,
  open: async (options) => {
    const { adapter, terminate } = await openPlatformAdapter({ platform: kind.id, ...options });
    const close = async (): Promise<void> => {
      await adapter[Symbol.asyncDispose]();
      await terminate();
    };
    return { ...adapter, [Symbol.asyncDispose]: close };
  },
});

/** Every promise of a platform, kept through a worker. */
export function testInWorkers(name: string, open: OpenPlatformScene): void {
  testPlatformConformance(`${name} in a worker`, async () => {
    const scene = await open();
    const { kind } = scene;
    return Object.defineProperty(scene, 'kind', { value: inWorkers(kind) });
  });
}

/** A worker with the adapter of a platform, which does what must hurt nobody else when it is to send `faulty: DEED (FILE)`: once for each file. */
import { existsSync, writeFileSync } from 'node:fs';
import { PLATFORMS } from '../../../../src/app/gateway/platforms.ts';
import type { PlatformAdapter } from '../../../../src/contracts/platform-adapter.ts';
import { serveAdapter } from '../../../../src/faces/gateway/link/worker/serve-adapter.ts';
import { DEEDS } from '../link/worker/deeds.ts';

void serveAdapter(async ({ platform }) => {
  const kind = await PLATFORMS[platform]?.();
  if (kind === undefined) throw new Error(`There is no platform "${platform}".`);
  return { ...kind, open: async (options) => makeFaulty(await kind.open(options)) };
});

const makeFaulty = (adapter: PlatformAdapter): PlatformAdapter =>
  new Proxy(adapter, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        const [, deed = '', file = ''] = /faulty: ([\w ]+) \((\S+)\)/.exec(name === 'send' ? JSON.stringify(given[0]) : '') ?? [];
        if (file !== '' && !existsSync(file)) {
          writeFileSync(file, '');
          DEEDS[deed]?.();
        }
        return Reflect.apply(value, target, given);
      };
    },
  });

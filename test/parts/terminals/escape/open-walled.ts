import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { createSessionGuard } from '../../../../src/app/tools/guarded-terminal.ts';
import { collectDefaults } from '../../../../src/contracts/settings.ts';
import type { Terminal } from '../../../../src/contracts/terminal.ts';
import type { WallProfile } from '../../../../src/contracts/wall.ts';
import { openRoutes } from '../../../../src/parts/safety/urls/routes.ts';
import { urlSettings } from '../../../../src/parts/safety/urls/settings.ts';
import { openGuardedNetwork } from '../../../../src/parts/terminals/network/network.ts';
import { sandboxTerminal } from '../../../../src/parts/terminals/sandbox/sandbox.ts';
import type { SandboxTools } from '../../../../src/parts/terminals/sandbox/tools.ts';
import type { World } from './world.ts';

/** A public address, and one that is not. */
export const PUBLIC = '93.184.216.34';
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'good.example': [PUBLIC],
  'evil.example': [PUBLIC],
  'loopback.example': ['127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'private.example': ['10.0.0.1'],
  'mixed.example': [PUBLIC, '127.0.0.1'],
};

/** A terminal as a session has it, with the owner's network behind a proxy, the trash and whatever guards the project. */
export async function openWalled(
  world: World,
  wall: WallProfile,
  more: { readonly env?: Readonly<Record<string, string>>; readonly tools?: SandboxTools } = {},
): Promise<Terminal> {
  const env = { ...world.env, ...more.env };
  const openNetwork = openGuardedNetwork({
    routes: openRoutes({
      settings: collectDefaults(urlSettings),
      home: world.profile,
      resolve: async (host) => {
        const found = NAMES[host];
        if (found === undefined) throw new Error('no such name');
        return found;
      },
      dial: async (address, port) => {
        world.dialled.push(`${address}:${port}`);
        throw new Error('nobody listens there');
      },
    }),
    allowed: [],
    denied: [],
    listedOnly: wall === 'unattended',
    home: world.home,
    env,
    notice: () => {},
  });
  const guard = createSessionGuard({
    kind: 'sandbox',
    cwd: world.project,
    paths: [],
    isMounted: false,
    programs: env['PATH'] ?? '',
    notice: () => {},
  });
  const terminal = await sandboxTerminal({
    ...(await guard.openMounts(wall)),
    wall,
    profile: world.profile,
    ...(more.tools !== undefined && { tools: more.tools }),
    openNetwork,
    trash: async () => {
      mkdirSync(join(world.profile, 'cache/trash'), { recursive: true });
      return { folder: mkdtempSync(join(world.profile, 'cache/trash/box-')), close: () => {} };
    },
  }).open({ cwd: world.project, env });
  return guard.guard(terminal);
}

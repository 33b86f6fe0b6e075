import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackageRoot, findPackageTarget } from '../../base/install-line.ts';
import { UsageError } from '../../base/errors.ts';
import { createCheckout } from './checkout.ts';
import type { Installation } from './contract.ts';
import { createPackage } from './package.ts';

export function findInstallation(env: NodeJS.ProcessEnv, from?: string): Installation {
  const root = findPackageRoot(from);
  if (existsSync(join(root, '.git'))) return createCheckout(root, env);
  const target = findPackageTarget(root);
  if (target !== undefined) return createPackage(root, target, env);
  if (env['HERMES_IMAGE'] === '1')
    throw new UsageError(
      'hermes came with this image, so it cannot update itself. Build or pull the new image and start the container again with the same volume: docker compose up -d --build',
    );
  throw new UsageError(
    `hermes in ${root} was installed neither by git nor by npm, so it cannot update itself. Install the new version by hand.`,
  );
}

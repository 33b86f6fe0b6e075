import { join } from 'node:path';
import type { Home } from '../../base/home.ts';
import { resolveProfileRoot } from '../../base/profile.ts';
import type { OwnerRemotes } from '../../contracts/owner-remotes.ts';
import { openOwnerRemotes } from '../../parts/safety/guarded/owner-remotes.ts';

/** All profiles share them: a command of one must not add a remote that another takes for the owner's. */
export const openRemotesOfOwner = ({ root }: Home): OwnerRemotes =>
  openOwnerRemotes({
    folder: join(resolveProfileRoot(root), 'known-remotes'),
    agents: ['workspace', 'sandboxes'].map((name) => join(root, name)),
  });

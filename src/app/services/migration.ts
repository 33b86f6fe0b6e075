import { resolveHome } from '../../base/home.ts';
import type { MigrationService } from '../../contracts/services/migration.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import type { SessionStore } from '../../contracts/session-store.ts';
import { findHomes } from '../../parts/migrate/find-homes.ts';
import { readHermesHome } from '../../parts/migrate/hermes/read-home.ts';
import { planMigration } from '../../parts/migrate/migration.ts';
import { readOpenClawHome } from '../../parts/migrate/openclaw/read-home.ts';
import { findProviderProfile } from '../../parts/providers/catalog/all.ts';
import { openStoreCopy } from '../../parts/store/home-store.ts';
import { createMigrationTarget } from './migration-target.ts';

/** `store` opens the store to write to it; until something is taken, a copy of it is read. */
export function createMigrationService(options: ServiceOptions, store: () => Promise<SessionStore>): MigrationService {
  const home = resolveHome(options.processEnv);
  return {
    find: async (request) => findHomes(request, home.root),
    open: async (found, kinds) => {
      await using opened = new AsyncDisposableStack();
      const theirs = opened.use(
        found.source === 'hermes'
          ? readHermesHome(found.folder, found.shared)
          : await readOpenClawHome(found.folder, { variableOf: (name) => findProviderProfile(name)?.keyEnvs[0] }),
      );
      const known = await openStoreCopy(home);
      if (known !== undefined) opened.use(known);
      const target = await createMigrationTarget(options, home, { shared: found.shared, store, ...(known !== undefined && { known }) });
      const migration = await planMigration(found, theirs, target, kinds);
      const closing = opened.move();
      return { ...migration, [Symbol.asyncDispose]: () => closing.disposeAsync() };
    },
  };
}

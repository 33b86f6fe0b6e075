import { existsSync } from 'node:fs';
import { resolveHome } from '../../base/home.ts';
import type { ProfileService } from '../../contracts/services/profiles.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { readConfig, toAppConfig } from '../config/config.ts';
import { toSharedSettings } from '../../parts/config/shared-settings.ts';
import { listChannelSections } from '../../parts/profiles/contents.ts';
import { createProfiles } from '../../parts/profiles/profiles.ts';
import { openHomeStore } from '../../parts/store/home-store.ts';
import { openSecrets } from '../host/secrets.ts';
import { findHomeUser } from './home-users.ts';

export const createProfileService = ({ processEnv, registered }: ServiceOptions): ProfileService =>
  createProfiles({
    home: resolveHome(processEnv).root,
    now: Date.now,
    cleanSettings: async (text, { secrets }) => toSharedSettings(text, listChannelSections(), secrets),
    scrub: (home) => openSecrets(resolveHome({ HERMES_HOME: home }), processEnv).mask,
    readModel: async (file) => {
      const { 'model.default': model, 'model.provider': provider } = toAppConfig(await readConfig(file, {}, registered)).settings;
      return { ...(model !== '' && { model }), ...(provider !== 'auto' && { provider }) };
    },
    copyStore: async (from, to) => {
      const home = resolveHome({ HERMES_HOME: from });
      if (!existsSync(home.store)) return false;
      await using store = await openHomeStore(home);
      await store.care.backup(to);
      return true;
    },
    findUser: findHomeUser,
  });

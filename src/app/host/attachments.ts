import { homedir } from 'node:os';
import { relative } from 'node:path';
import type { Env } from '../../base/env.ts';
import type { Home } from '../../base/home.ts';
import { isWithin } from '../../base/within.ts';
import type { AttachmentSource } from '../../contracts/attachments.ts';
import { isSecret } from '../../parts/safety/command/places/sensitive.ts';
import { createCredentialLookup } from '../../parts/safety/secrets/credential-names.ts';
import { resolveCanonicalPath } from '../../parts/tools/builtin/files/locate.ts';
import type { Settings } from '../config/config.ts';

export interface AttachmentSourceOptions {
  /** The folder the session works in. */
  readonly cwd: string;
  readonly home: Home;
  readonly env: Env;
  readonly settings: Settings;
  readonly notice: (words: string) => void;
}

/** Files by the rules that hold for tools that read them, pages by those for tools that fetch them. */
export function createAttachmentSource({ cwd, home, env, settings, notice }: AttachmentSourceOptions): AttachmentSource {
  const base = resolveCanonicalPath(cwd);
  const profile = resolveCanonicalPath(home.root);
  const person = env['HOME'] ?? homedir();
  const place = { cwd: base, home: person, base, profile };
  const otherName = createCredentialLookup(person, profile);
  return {
    refuse: (path) => {
      const real = resolveCanonicalPath(path);
      if (!isWithin(base, real)) return `is outside of ${cwd}`;
      const names = [path, real, otherName(real) ?? real];
      return names.some((name) => isSecret(name, place)) ? 'holds credentials' : undefined;
    },
    listFiles: async (most, signal) => {
      const { findRipgrep, ripgrep } = await import('../../parts/tools/builtin/search/ripgrep.ts');
      const { walkingEngine } = await import('../../parts/tools/builtin/search/walk.ts');
      const binary = await findRipgrep();
      const engine = binary === undefined ? walkingEngine : ripgrep(binary);
      const found: string[] = [];
      for await (const { path } of engine({ pattern: '*', mode: 'files', root: base, context: 0 }, signal)) {
        found.push(relative(base, path));
        if (found.length >= most) break;
      }
      return found;
    },
    readPage: async (url, signal) => {
      const { openReach } = await import('../../parts/safety/urls/reach.ts');
      const { extract } = await import('../../parts/tools/builtin/web/extract.ts');
      const reach = (owned: readonly string[]) => openReach({ settings, home: home.root, owned, env, notice });
      const page = await extract(url, { settings, reach, variable: (name) => env[name] }, signal);
      return page.ok ? { ok: true, text: page.text } : { ok: false, why: page.reason };
    },
  };
}

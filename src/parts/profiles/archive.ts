import { isUtf8 } from 'node:buffer';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readOwnText } from '../../base/own-text.ts';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { CreatedProfile, ExportedProfile, ExportProfileOptions } from '../../contracts/services/profiles.ts';
import { HOME_ITEMS } from './contents.ts';
import type { ProfileDeps } from './deps.ts';
import { openStaging } from './staging.ts';
import { refuseOddFiles, refuseTarget, tar } from './tar.ts';

type Packed = Pick<ExportedProfile, 'taken' | 'left'>;

/** Lays out what may leave the machine in a folder of its own and packs that: what is not laid out cannot be in the file. */
export async function packProfile(
  home: string,
  file: string,
  { sessions }: ExportProfileOptions & { readonly name: string },
  deps: ProfileDeps,
): Promise<Packed> {
  refuseTarget(file);
  using staging = openStaging(tmpdir());
  const taken: string[] = [];
  const left: string[] = existsSync(join(home, '.env')) ? ['.env'] : [];
  for (const { name, exported } of [...HOME_ITEMS, { name: 'profile.json', exported: true } as const]) {
    const path = join(home, name);
    if (exported === undefined || !existsSync(path)) continue;
    if (name === 'config.yaml') {
      const { text, removed } = await deps.cleanSettings(readFileSync(path, 'utf8'), { secrets: false });
      writeFileSync(join(staging.folder, name), text, { mode: 0o600 });
      left.push(...removed);
    } else cpSync(path, join(staging.folder, name), { recursive: true, dereference: true, filter: isNoKey });
    taken.push(name);
  }
  if (sessions && (await deps.copyStore(home, join(staging.folder, 'sessions.db')))) taken.push('sessions');
  scrubFiles(staging.folder, deps.scrub(home));
  await tar(['-czf', resolve(file), '-C', staging.folder, '.']);
  chmodSync(file, 0o600);
  return { taken: taken.filter((name) => name !== 'profile.json'), left };
}

/** Skills may hold keys of their own. */
const isNoKey = (path: string): boolean => !/(?:^|\/)(?:\.env(?:\..*)?|.*\.(?:pem|key|p12)|id_(?:rsa|ed25519|ecdsa))$/.test(path);

/** A key that somebody wrote into a skill or a note stays behind; what is no text is not read. */
function scrubFiles(folder: string, scrub: (text: string) => string): void {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, String(name));
    if (!statSync(path).isFile() || String(name) === STORE_FILE) continue;
    const bytes = readFileSync(path);
    if (!isUtf8(bytes)) continue;
    const text = bytes.toString('utf8');
    const clean = scrub(text);
    if (clean !== text) writeFileSync(path, clean);
  }
}
/** Its words were cleaned when they were stored. */
const STORE_FILE = 'sessions.db';

/** Unpacks into a folder of its own, looks at all of it, and copies only what a profile has. */
export async function unpackProfile(file: string, home: string): Promise<Omit<CreatedProfile, 'profile'>> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new UsageError(`there is no file ${file}.`);
  using staging = openStaging(tmpdir());
  await tar(['-xzf', resolve(file), '-C', staging.folder, '--no-same-owner', '--no-same-permissions']);
  refuseOddFiles(staging.folder);
  const known = [...HOME_ITEMS.flatMap(({ name, exported }) => (exported === undefined ? [] : [name])), 'profile.json', 'sessions.db'];
  const found = readdirSync(staging.folder);
  const taken = known.filter((name) => found.includes(name));
  if (!taken.includes('config.yaml') && !taken.includes('SOUL.md') && !taken.includes('profile.json'))
    throw new UsageError(`${file} is no exported profile: it has neither config.yaml nor SOUL.md. Nothing was imported.`);
  for (const name of taken) cpSync(join(staging.folder, name), join(home, name), { recursive: true });
  return {
    taken: taken.filter((name) => name !== 'profile.json'),
    left: found.filter((name) => !known.includes(name)).toSorted(),
    powerful: await findPowerful(join(home, 'config.yaml')),
  };
}

/** Settings by which whoever packed the file could have something run, keep the owner from being asked, or speak to the agent. */
const POWERFUL =
  'mcp_servers quick_commands hooks plugins approvals command_allowlist security terminal platforms gateway unauthorized_dm_behavior'.split(
    ' ',
  );

async function findPowerful(configFile: string): Promise<readonly string[]> {
  const { parse } = await import('yaml');
  try {
    const settings: unknown = parse(readOwnText(configFile) ?? '');
    return isObject(settings) ? POWERFUL.filter((name) => Object.hasOwn(settings, name)) : [];
  } catch {
    // What cannot be read has no effect; whoever uses the profile is told.
    return [];
  }
}

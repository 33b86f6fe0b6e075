import { UsageError } from '../../../../base/errors.ts';
import { isObject } from '../../../../base/json.ts';
import type { JsonObject } from '../../../../base/json-types.ts';
import { DEFAULT_PROFILE } from '../../../../base/profile.ts';
import type { ProviderHome, ProviderHomeService } from '../../../../contracts/services/provider-homes.ts';
import { changeOwnFile, readOwnFile, toOwnPath } from '../own-file.ts';
import { readHoncho, type OpenHoncho } from './provider.ts';
import { HONCHO, pickHostValues, toHonchoSettings, type HonchoSettings } from './settings.ts';

/** What all commands of `hermes honcho` share. */
export const FACTS = { category: 'prompt', where: ['shell'], whileBusy: 'run', needs: ['providerHomes'], json: 'as JSON' } as const;
export const TARGET = {
  targetProfile: {
    kind: 'text',
    placeholder: 'profile',
    completes: 'profile',
    description: 'the profile it is about; this one when left out',
  },
} as const;

/** The settings of Honcho in one profile. */
export interface HonchoProfile {
  readonly profile: string;
  readonly path: string;
  readonly settings: HonchoSettings;
}

export async function readProfile(
  homes: ProviderHomeService,
  target: string | undefined,
): Promise<HonchoProfile & { readonly home: ProviderHome }> {
  const home = await homes.open(target);
  const file = readOwnFile(home.home.root, HONCHO.name);
  if (!file.ok) throw new UsageError(file.trouble);
  return { ...toView(home, file.values), home };
}

/** Changes the settings of one profile; those of others, and what we know nothing of, stay as they are. */
export async function changeProfile(
  homes: ProviderHomeService,
  target: string | undefined,
  change: (settings: HonchoSettings) => JsonObject,
): Promise<HonchoProfile> {
  const home = await homes.open(target);
  const values = changeOwn(home, (before) => {
    const wanted = change(toHonchoSettings(pickHostValues(before, home.profile)));
    const host = home.profile === DEFAULT_PROFILE ? 'hermes' : `hermes_${home.profile}`;
    const hosts = before['hosts'];
    const block = isObject(hosts) ? hosts[host] : undefined;
    // Where the file of the Python program has a block for us, that is what counts, so that is what is changed.
    return isObject(hosts) && isObject(block)
      ? { ...before, hosts: { ...hosts, [host]: { ...block, ...wanted } } }
      : { ...before, ...wanted };
  });
  return toView(home, values);
}

function changeOwn(home: ProviderHome, change: (before: JsonObject) => JsonObject): JsonObject {
  try {
    return changeOwnFile(home.home.root, HONCHO.name, change);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const toView = ({ profile, home }: ProviderHome, values: JsonObject): HonchoProfile => ({
  profile,
  path: toOwnPath(home.root, HONCHO.name),
  settings: toHonchoSettings(pickHostValues(values, profile)),
});

/** Honcho of one profile, when it can be asked. */
export async function openForCommand(
  homes: ProviderHomeService,
  target: string | undefined,
): Promise<OpenHoncho & { readonly home: ProviderHome }> {
  const home = await homes.open(target);
  const honcho = readHoncho(home);
  if (honcho.trouble !== undefined) throw new UsageError(honcho.trouble);
  return { ...honcho, home };
}

import type { Env } from '../../../base/env.ts';
import { readPath } from '../../../base/json.ts';
import type { IdentifyResult, PlatformKind } from '../../../contracts/platform-adapter.ts';
import type { PlatformNeeds } from '../../../contracts/services/gateway.ts';
import { MAIN_ACCOUNT } from './account.ts';
import { readAccounts, type GatewaySettings } from './accounts.ts';

/** Every platform lives by one or two tokens, or by what it says it needs; other secrets of it are for special ways. */
export function listNeeds(kinds: readonly PlatformKind[], env: Env, written: Readonly<Record<string, unknown>>): readonly PlatformNeeds[] {
  // What programs send needs no token and has no owner: hermes webhook add sets it up.
  const people = kinds.filter(({ traits }) => traits.isMachine !== true);
  return people.map(({ id, label, variables, userIds }) => ({
    id,
    label,
    ...(userIds !== undefined && { userIds }),
    needs: Object.entries(variables)
      .filter(([name, { secret, needed, asked }]) => needed === true || asked === true || (secret === true && name.endsWith('_TOKEN')))
      .map(([name, { to, secret, asked, describe }]) => ({
        name,
        describe,
        isOptional: asked === true,
        isSet: (env[name] ?? '') !== '' || (secret !== true && readPath(written, id, ...to.split('.')) !== undefined),
        ...(secret !== true && { setting: `platforms.${id}.${to}` }),
      })),
  }));
}

interface IdentifyDeps {
  readonly settings: GatewaySettings;
  readonly env: Env;
  readonly kinds: readonly PlatformKind[];
  readonly signal: AbortSignal;
}
/** Who the main account is with these variables; `undefined` where only connecting can show it. */
export async function identifyAccount(
  platform: string,
  given: Env,
  { settings, env, kinds, signal }: IdentifyDeps,
): Promise<IdentifyResult | undefined> {
  const { accounts } = readAccounts(settings, { ...env, ...given }, kinds);
  const found = accounts.find((each) => each.platform === platform && each.account === MAIN_ACCOUNT);
  if (found?.kind.identify === undefined) return undefined;
  const why = found.kind.check(found.settings);
  return why === undefined ? found.kind.identify(found.settings, signal) : { type: 'unreached', why };
}

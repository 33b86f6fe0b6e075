import type { Home } from '../../base/home.ts';
import type { Finding } from '../../contracts/services/insight.ts';
import { splitEnvironment } from '../../parts/terminals/environment.ts';
import type { Config } from '../config.ts';
import type { Env } from '../../base/env.ts';
import { openSecrets, passedOver } from '../host/secrets.ts';

/** How many names a line takes before it says how many more there are. */
const SHOWN = 8;
const listed = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** How many values are redacted, and which of those named as secrets or kept in `.env` are not: to hide a common word would spoil every text. */
export function lookAtSecrets(home: Home, processEnv: Env): Finding {
  const known = openSecrets(home, processEnv).names().length;
  const skipped = passedOver(home, processEnv);
  const words = `${known} ${known === 1 ? 'value is' : 'values are'} redacted wherever they would leave`;
  if (skipped.length === 0) return { name: 'secrets', ok: true, words };
  return {
    name: 'secrets',
    ok: true,
    words: `${words}; not treated as secrets: ${listed(skipped)}`,
    cure: 'If one of these is a real secret, use a longer, random one.',
  };
}

/** Variables of the owner's shell that commands do not see. */
export function lookAtCommandEnvironment({ settings }: Config, env: Env): Finding {
  const { env: passed, withheld } = splitEnvironment(env, settings['terminal.env_passthrough']);
  const words = `commands get ${Object.keys(passed).length} variables`;
  if (withheld.length === 0) return { name: 'command environment', ok: true, words };
  return {
    name: 'command environment',
    ok: true,
    words: `${words}; held back, besides secrets: ${listed(withheld)}`,
    cure: 'To hand one on: hermes config set terminal.env_passthrough "[NAME, MY_*]"',
  };
}

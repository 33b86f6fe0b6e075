import { UsageError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import type { CommandContext } from '../contracts/command.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { PlatformNeeds } from '../contracts/services/gateway.ts';

type SetupQuestions = Pick<CommandContext, 'ask' | 'choose' | 'readSecret' | 'signal'>;

/** Asks what a platform needs and writes it down: tokens to `.env`, the owner to the settings. */
export const gatewaySetup = defineCommand({
  name: 'gateway setup',
  category: 'conversation',
  where: ['shell'],
  whileBusy: 'run',
  summary: 'Set up a chat platform: its token, and who you are there',
  options: {
    platform: { kind: 'text', description: 'the platform, such as telegram' },
    owner: { kind: 'text', placeholder: 'id', description: 'your user id there; you may do everything the owner may' },
  },
  json: 'as JSON',
  ownerOnly: true,
  needs: ['gateway', 'configuration'],
  examples: ['hermes gateway setup', 'hermes gateway setup --platform telegram --owner 123456789 < token.txt'],
  run: async (values, { gateway, configuration }, context) => {
    const platform = await choosePlatform(values.platform, await gateway.platforms(), context);
    const written: string[] = [];
    for (const secret of platform.secrets) {
      if (secret.isSet) continue;
      await configuration.set(secret.name, await readToken(secret, context));
      written.push(secret.name);
    }
    const owner = (values.owner ?? (await context.ask?.(`Your user id on ${platform.label}? Leave it empty to pair later.`)) ?? '').trim();
    if (owner !== '') {
      if (/[\s,]/.test(owner)) throw new UsageError(`"${owner}" is no user id. Ids have no spaces; on Telegram they are numbers.`);
      const key = `platforms.${platform.id}`;
      await configuration.change({ [`${key}.owners`]: owner, [`${key}.allowed_users`]: owner });
      written.push(`${key}.owners`, `${key}.allowed_users`);
    }
    return { platform: platform.id, written, next: 'hermes gateway start' };
  },
  describe: ({ platform, written, next }) =>
    `${written.length === 0 ? `Nothing was missing for ${platform}.` : `Wrote ${written.join(', ')}.`} Start it with: ${next}`,
});

async function choosePlatform(
  named: string | undefined,
  platforms: readonly PlatformNeeds[],
  { choose }: SetupQuestions,
): Promise<PlatformNeeds> {
  const ids = platforms.map(({ id }) => id);
  const wanted =
    named?.toLowerCase() ??
    (await choose?.({ question: 'Which platform?', choices: platforms.map(({ id, label }) => ({ value: id, note: label })) }));
  if (wanted === undefined) throw new UsageError(`name the platform, as in: hermes gateway setup --platform ${ids[0] ?? 'telegram'}`);
  const found = platforms.find(({ id }) => id === wanted);
  const nearest = findNearest(wanted, ids);
  if (found === undefined)
    throw new UsageError(
      `there is no platform "${wanted}"${nearest === undefined ? '' : `; did you mean ${nearest}?`} There are: ${ids.join(', ')}`,
    );
  return found;
}

async function readToken({ name, describe }: PlatformNeeds['secrets'][number], { readSecret, signal }: SetupQuestions): Promise<string> {
  if (readSecret === undefined) throw new UsageError(`${name} is not set. Pipe it in, or run: hermes config set ${name} --secret`);
  const token = (await readSecret({ name, question: `${name} (${describe})?` }, signal)).trim();
  if (token === '') throw new UsageError(`no ${name} was given, so nothing more was changed. To start again: hermes gateway setup`);
  return token;
}

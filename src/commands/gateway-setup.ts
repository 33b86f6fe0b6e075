import { isUsageError, UsageError } from '../base/errors.ts';
import { readPath } from '../base/json.ts';
import { findNearest } from '../base/text.ts';
import { toVisibleLine } from '../base/visible.ts';
import type { CommandContext } from '../contracts/command.ts';
import { readWords } from '../contracts/platform-settings.ts';
import type { ConfigurationService } from '../contracts/services/configuration.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { Services } from '../contracts/services/services.ts';
import type { GatewayService, PlatformNeed, PlatformNeeds } from '../contracts/services/gateway.ts';

type SetupQuestions = Pick<CommandContext, 'ask' | 'choose' | 'readPiped' | 'readSecret' | 'signal'>;

/**
 * Asks what a platform needs and writes it down: tokens to `.env`, the owner to the settings. What is set already is asked for as
 * well, and stays without an answer: whoever runs this again may have to correct it.
 */
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
    if (values.owner !== undefined) refuseOddId(values.owner.trim(), platform);
    const { written, ...checked } = await askNeeds(platform, { gateway, configuration }, context);
    const owner = (values.owner ?? (await context.ask?.(askOwner(platform))) ?? '').trim();
    refuseOddId(owner, platform);
    if (owner !== '') written.push(...(await setOwner(`platforms.${platform.id}`, owner, configuration)));
    const { running } = await gateway.status();
    return { platform: platform.id, written, ...checked, next: running ? 'hermes gateway restart' : 'hermes gateway start' };
  },
  describe: ({ platform, written, account, unchecked, next }) =>
    [
      ...(account === undefined ? [] : [toVisibleLine(`The token belongs to ${account}.`)]),
      ...(unchecked === undefined ? [] : [toVisibleLine(`The token could not be checked. ${unchecked}`)]),
      `${written.length === 0 ? `Nothing was missing for ${platform}.` : `Wrote ${written.join(', ')}.`} Start it with: ${next}`,
    ].join('\n'),
});

/** What was written, and what the service said to the credentials. */
interface WrittenNeeds {
  readonly written: string[];
  /** Who the account is there. */
  readonly account?: string;
  /** Why nobody knows whether the service takes them. */
  readonly unchecked?: string;
}
type SetupServices = Pick<Services, 'gateway' | 'configuration'>;

/** A token that the service refuses is not written down. Without a network it is taken at the owner's word. */
async function askNeeds({ id, needs }: PlatformNeeds, services: SetupServices, context: SetupQuestions): Promise<WrittenNeeds> {
  const { gateway, configuration } = services;
  const written: string[] = [];
  const piped: string[] = [];
  let checked: Omit<WrittenNeeds, 'written'> = {};
  for (const need of needs) {
    const { name, setting } = need;
    const token = setting === undefined ? await askToken(id, need, piped, { gateway }, context) : undefined;
    if (token !== undefined) checked = { ...checked, ...token.checked };
    const value = setting === undefined ? token?.value : await readAnswer(need, context);
    if (value === undefined) continue;
    await (setting === undefined ? configuration.set(name, value) : configuration.change({ [setting]: value }));
    written.push(setting ?? name);
  }
  return { written, ...checked };
}

interface CheckedToken {
  readonly value: string;
  readonly checked: Omit<WrittenNeeds, 'written'>;
}
/** A person may type another token in place of one that is refused. */
async function askToken(
  platform: string,
  need: PlatformNeed,
  piped: string[],
  { gateway }: Pick<Services, 'gateway'>,
  context: SetupQuestions,
): Promise<CheckedToken | undefined> {
  for (let describe = need.describe; ;) {
    const value = await readToken({ ...need, describe }, piped, context);
    if (value === undefined) return undefined;
    try {
      return { value, checked: await checkToken(platform, { [need.name]: value }, gateway, context.signal) };
    } catch (error) {
      if (!isUsageError(error) || context.ask === undefined || context.readPiped !== undefined) throw error;
      describe = `${need.describe}. ${error.message}`;
    }
  }
}

async function checkToken(
  platform: string,
  given: Readonly<Record<string, string>>,
  gateway: GatewayService,
  signal: AbortSignal,
): Promise<Omit<WrittenNeeds, 'written'>> {
  const found = await gateway.identify(platform, given, signal);
  if (found?.type === 'refused') throw new UsageError(`${found.why} This one was not written down.`);
  return found === undefined ? {} : found.type === 'known' ? { account: found.name } : { unchecked: found.why };
}

const askOwner = ({ label, userIds }: PlatformNeeds): string =>
  `Your user id on ${label}${userIds === undefined ? '' : ` (${userIds.describe})`}? Leave it empty to keep what is set. Without one nobody there can approve what the agent asks.`;

function refuseOddId(id: string, { label, userIds }: PlatformNeeds): void {
  if (id === '' || (userIds?.shape ?? /^[^\s,]+$/).test(id)) return;
  const how = userIds === undefined ? 'Ids have no spaces or commas.' : `It is ${userIds.describe}.`;
  throw new UsageError(`"${toVisibleLine(id)}" is no user id on ${label}. ${how}`);
}

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
      `there is no platform "${wanted}"${nearest === undefined ? '.' : `; did you mean ${nearest}?`} There are: ${ids.join(', ')}`,
    );
  return found;
}

/** People who were let in stay; a former owner, who may have been mistyped, does not. An owner needs no place on their list. */
async function setOwner(key: string, owner: string, configuration: ConfigurationService): Promise<readonly string[]> {
  const table = (await configuration.standing()).settings.find((setting) => setting.key === 'platforms')?.value;
  const listed = (list: string): readonly string[] => readWords(readPath(table, ...key.split('.').slice(1), list));
  const [former, allowed] = [listed('owners'), listed('allowed_users')];
  const others = allowed.filter((id) => id === owner || !former.includes(id));
  const isChanged = others.length !== allowed.length && !allowed.includes('*');
  await configuration.change({
    [`${key}.owners`]: owner,
    ...(isChanged && { [`${key}.allowed_users`]: others.length === 0 ? undefined : others.join(',') }),
  });
  return [`${key}.owners`, ...(isChanged ? [`${key}.allowed_users`] : [])];
}

async function readAnswer({ name, describe, isSet, isOptional }: PlatformNeed, { ask }: SetupQuestions): Promise<string | undefined> {
  const canStay = isSet || isOptional;
  if (canStay && ask === undefined) return undefined;
  const first = `${describe}?${isOptional ? ' Leave it empty if you do not know it.' : ''}`;
  const answer = (await ask?.(isSet ? askAgain(name, describe) : first))?.trim() ?? '';
  if (answer === '' && canStay) return undefined;
  if (answer === '')
    throw new UsageError(
      `${name} is not set (${describe}). Add a line ${name}=VALUE to the .env of your home folder, or run this in a terminal, which asks for it.`,
    );
  return answer;
}

/** Tokens that are piped in stand in a line each: the first is taken, the others wait for their turn. */
async function readToken(need: PlatformNeed, piped: string[], context: SetupQuestions): Promise<string | undefined> {
  const { name, describe, isSet } = need;
  const { ask, readPiped, readSecret, signal } = context;
  const next = piped.shift();
  if (next !== undefined) return next;
  if (isSet && ask === undefined && readPiped === undefined) return undefined;
  if (readSecret === undefined) throw new UsageError(`${name} is not set. Pipe it in, or run: hermes config set ${name} --secret`);
  const given = await readSecret({ name, question: isSet ? askAgain(name, describe) : `${name} (${describe})?` }, signal);
  const [token, ...others] = given.split('\n').flatMap((line) => line.trim() || []);
  piped.push(...others);
  if (token === undefined && !isSet)
    throw new UsageError(`no ${name} was given, so nothing more was changed. To start again: hermes gateway setup`);
  return token;
}

const askAgain = (name: string, describe: string): string => `${name} is set (${describe}). A new one? Leave it empty to keep it.`;

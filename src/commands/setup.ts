import { UsageError } from '../base/errors.ts';
import type { ChoiceOption, CommandContext, CommandValues } from '../contracts/command.ts';
import type { ConfigurationService } from '../contracts/services/configuration.ts';
import { defineCommand } from '../contracts/services/define-command.ts';
import type { CheckupService } from '../contracts/services/insight.ts';
import type { RouteTrouble } from '../contracts/services/models.ts';
import { formatOptionName } from './usage-line.ts';
import type { FolderChoice } from './setup-trust.ts';
import { setUpRoute, type FailedRoute, type SetupProgress, type SetupRoute } from './setup-route.ts';

/** What was set up, and the one line to type next. */
export interface SetupResult {
  readonly route?: SavedRoute;
  /** Where commands run, by name and in words. */
  readonly backend: { readonly name: string; readonly words: string };
  /** What may run in the folder, where nothing contains it and somebody was asked. */
  readonly folder?: FolderChoice;
  /** Why there is no route, or why its model did not answer. */
  readonly trouble?: RouteTrouble;
  readonly next: string;
  readonly ok: boolean;
}
export interface SavedRoute {
  readonly provider: string;
  readonly model: string;
  readonly offered?: number;
  /** `answered`: the model did. `listed`: its server has it. */
  readonly checked: 'answered' | 'listed' | 'no';
  readonly config: string;
  /** Where a typed key went. */
  readonly key?: { readonly variable: string; readonly file: string };
}

/** Somebody at a terminal begins there; a script asks one question. */
const nameFirstStep = ({ choose }: CommandContext): string => (choose === undefined ? 'hermes chat -q "hello"' : 'hermes');

/** Connects a model. Everything is asked and checked first and saved at the end: broken off, it leaves nothing behind. */
export const setup = defineCommand({
  category: 'settings',
  where: ['shell'],
  whileBusy: 'refuse',
  name: 'setup',
  summary: 'Connect a model: choose a provider, check its key and save both',
  arguments: { section: { kind: 'choice', choices: ['model', 'terminal'], description: 'set up only this part: model or terminal' } },
  options: {
    provider: { kind: 'text', placeholder: 'name', description: 'use this provider' },
    baseUrl: { kind: 'text', placeholder: 'url', description: 'use the model server at this address' },
    keyStdin: { kind: 'flag', description: 'read the API key from standard input' },
    keyEnv: { kind: 'text', placeholder: 'name', description: 'use the API key in this environment variable', conflicts: 'keyStdin' },
    model: { kind: 'text', letter: 'm', placeholder: 'name', description: 'use this model' },
    terminal: { kind: 'text', placeholder: 'backend', description: 'run commands in this back end' },
    yes: { kind: 'flag', description: 'ask nothing: use what is found' },
  },
  ownerOnly: true,
  json: 'as JSON',
  examples: [
    'hermes setup',
    'hermes setup --provider openrouter --key-env OPENROUTER_API_KEY --yes',
    'pass show anthropic | hermes setup --provider anthropic --key-stdin',
    'hermes setup terminal',
  ],
  needs: ['models', 'configuration', 'checkup', 'trust'],
  run: async (values, { models, configuration, checkup, trust }, context: CommandContext<SetupProgress>): Promise<SetupResult> => {
    const { section, provider, baseUrl, keyStdin, keyEnv, model, terminal, yes = false } = values;
    const line = formatSetupLine(values);
    // Before anything is asked: what cannot be saved need not be typed.
    const home = checkup.home();
    if (!home.ok) throw new UsageError(`${home.words}. To use another folder: HERMES_HOME="$HOME/hermes-home" ${line}`);
    const backend = await pickBackend({ named: terminal, asks: section === 'terminal' && !yes }, configuration, checkup, context);
    const decide = async () => (yes ? undefined : (await import('./setup-trust.ts')).chooseTrust(backend.name, trust, context));
    const keep = async (folder: FolderChoice | undefined) => {
      if (folder?.choice === 'trust') await trust.add(folder.folder);
      return folder === undefined ? {} : { folder };
    };
    if (section === 'terminal') {
      const folder = await decide();
      await configuration.change({ 'terminal.backend': backend.name });
      return { backend, ...(await keep(folder)), next: nameFirstStep(context), ok: true };
    }
    const key = keyStdin === true ? readPipedKey(context) : undefined;
    const tried = await setUpRoute({ provider, baseUrl, model, key, keyVariable: keyEnv, yes }, models, context);
    if ('trouble' in tried) return { backend, trouble: tried.trouble, next: describeRetry(tried, line), ok: false };
    const folder = await decide();
    const route = await save(tried, terminal === undefined ? undefined : backend.name, configuration);
    const trouble = typeof tried.check === 'string' ? undefined : tried.check;
    return {
      route,
      backend,
      ...(await keep(folder)),
      ...(trouble !== undefined && { trouble }),
      next: trouble === undefined ? nameFirstStep(context) : 'hermes doctor',
      ok: trouble === undefined,
    };
  },
});

function readPipedKey({ readPiped }: CommandContext): string {
  const key = readPiped?.().trim() ?? '';
  if (key === '') throw new UsageError('standard input holds no key. Pipe it in: pass show openrouter | hermes setup --key-stdin');
  return key;
}

/** What to type when a key cannot be typed again here. */
function describeRetry({ trouble, provider }: FailedRoute, line: string): string {
  const { keyVariable, isKeyInherited } = provider;
  const again = line.includes('--provider') || line.includes('--base-url') ? line : `${line} --provider ${provider.id}`;
  return trouble.why === 'wrong_key' && isKeyInherited === true && keyVariable !== undefined ? `unset ${keyVariable} && ${again}` : again;
}

/** What was typed, to be typed again. */
const formatSetupLine = (values: CommandValues): string =>
  [
    'hermes setup',
    ...Object.entries(values).flatMap(([name, value]) =>
      name === 'section' ? [String(value)] : value === true ? [formatOptionName(name)] : [formatOptionName(name), String(value)],
    ),
  ].join(' ');

/** The key first: a provider in the settings without its key would be half a setup. */
async function save(
  { provider, candidate, model, offered, check }: SetupRoute,
  backend: string | undefined,
  configuration: ConfigurationService,
): Promise<SavedRoute> {
  const { key, keyVariable, baseUrl } = candidate;
  const stored = key === undefined || provider.keyVariable === undefined ? undefined : await configuration.set(provider.keyVariable, key);
  const { file } = await configuration.change({
    'model.provider': provider.id,
    'model.default': model,
    // An address of another provider would lead its requests, and its key, elsewhere.
    'model.base_url': baseUrl ?? (provider.state === 'chosen' ? provider.setAddress : undefined),
    ...(keyVariable !== undefined && { [`providers.${provider.id}.key_env`]: keyVariable }),
    ...(backend !== undefined && { 'terminal.backend': backend }),
  });
  return {
    provider: provider.id,
    model,
    ...(offered !== undefined && { offered }),
    checked: typeof check === 'string' ? check : 'no',
    config: file,
    ...(stored !== undefined && { key: { variable: stored.key, file: stored.file } }),
  };
}

interface BackendWish {
  readonly named: string | undefined;
  readonly asks: boolean;
}

/** Where commands run, beside the name in a list to pick from. */
const BACKEND_NOTES: Readonly<Record<string, string>> = {
  auto: 'in a sandbox if this machine can make one, otherwise like local',
  local: 'on this machine with all of your rights, without a sandbox',
  sandbox: 'in a sandbox on this machine, or not at all',
  docker: 'in a container on this machine (docker or podman)',
  ssh: 'on another machine that you reach by ssh',
  singularity: 'in a container (apptainer or singularity)',
  modal: 'in the cloud, at modal.com',
  daytona: 'in the cloud, at daytona.io',
};
const describeBackend = (value: string): ChoiceOption => ({
  value,
  ...(BACKEND_NOTES[value] !== undefined && { note: BACKEND_NOTES[value] }),
});

/** The one that is named or picked, if it works here; else the one in the settings. */
async function pickBackend(
  { named, asks }: BackendWish,
  configuration: ConfigurationService,
  checkup: CheckupService,
  { choose }: CommandContext<SetupProgress>,
): Promise<SetupResult['backend']> {
  const { settings } = await configuration.standing();
  const setting = settings.find(({ key }) => key === 'terminal.backend');
  const choices = setting?.field.kind === 'choice' ? setting.field.choices : [];
  const now = typeof setting?.value === 'string' ? setting.value : '';
  if (asks && named === undefined && choose === undefined) throw new UsageError('there is no terminal to ask in. Add --terminal BACKEND.');
  const wanted =
    named ??
    (asks ? await choose?.({ question: 'Where do commands run?', choices: choices.map(describeBackend), suggested: now }) : undefined);
  if (wanted !== undefined && !choices.includes(wanted))
    throw new UsageError(`there is no terminal back end ${wanted}. There are ${choices.join(', ')}.`);
  const { ok, words } = await checkup.backend(wanted ?? now);
  if (!ok && wanted !== undefined) throw new UsageError(`${words}. Nothing was changed.`);
  return { name: wanted ?? now, words };
}

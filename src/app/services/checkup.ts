import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { windowEngine } from '../../parts/context/window.ts';
import { splitEnvironment } from '../../parts/terminals/process/environment.ts';
import { describeSandboxCure } from '../../parts/terminals/sandbox/cure.ts';
import type { FloorTools, SandboxTools } from '../../parts/terminals/sandbox/tools.ts';
import type { RegistrySnapshot } from '../../contracts/registries.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { openSecrets, describeSkippedSecrets } from '../host/secrets.ts';
import { FIRST_REQUEST_BYTES, previewSession, type PreviewOptions } from '../host/preview.ts';
import { toErrorMessage } from '../../base/errors.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { resolveHome, type Home } from '../../base/home.ts';
import type { Env } from '../../base/env.ts';
import type { CheckupFix, CheckupService, CheckupFinding } from '../../contracts/services/insight.ts';
import type { ConfigProblem } from '../../parts/config/problem.ts';
import { formatConfigProblem } from '../../parts/config/config.ts';
import { describeEnvLines, mergeEnvironment } from '../../parts/config/environment.ts';
import { collectSettingFields, FIELDS, toAppConfig, readConfig, type Config } from '../config/config.ts';
import { checkHome, checkModes, checkNode, checkParts, checkSecretFile } from '../../commands/machine-checks.ts';
import { checkPythonPeers } from '../../commands/python-peers.ts';
import { checkChats } from './check-chats.ts';
import { checkHost, checkKeys, checkLocal, checkRoute } from '../../parts/providers/checkup.ts';
import { describeLearntWindow } from '../../parts/providers/routes.ts';
import { CACHE_SEEN_MS, describeCaching } from '../../parts/providers/caching.ts';
import { checkSessionStore } from '../../parts/store/checkup.ts';
import { findStore, openHomeStore } from '../../parts/store/home-store.ts';

export const createCheckupService = (options: ServiceOptions): CheckupService => ({
  look: () => checkup(options),
  home: () => checkHome(resolveHome(options.processEnv)),
  backend: checkBackend,
  nextSession: async () => {
    const home = resolveHome(options.processEnv);
    const env = readEnvironment(home, options.processEnv).value;
    const { registered } = options;
    const { config } = await readSettings(home, env, registered);
    const { finding } = await checkRoute(config, env, registered.providers);
    const chats = (await checkChats({ home, settings: config.settings, env })).filter(({ ok }) => !ok);
    return [finding, ...(await checkTools({ home, config, env, registered, notice: () => {}, cwd: process.cwd() })), ...chats];
  },
});

async function checkup(options: ServiceOptions): Promise<CheckupFinding[]> {
  const { processEnv, notice, registered } = options;
  const home = resolveHome(processEnv);
  const env = readEnvironment(home, processEnv);
  const settings = await readSettings(home, env.value, registered);
  return [
    checkNode(process.version, process.execPath),
    checkHome(home),
    ...env.findings,
    ...checkSecretFile(home),
    checkModes(home),
    settings.finding,
    ...(await checkOldSettings(options, settings.finding.ok)),
    await checkSessionStore(home),
    checkKeys(env.value, registered.providers.values()),
    checkSecrets(home, processEnv),
    checkCommandEnvironment(settings.config, env.value),
    ...(await checkModel({ home, config: settings.config, env: env.value, notice, registered })),
    ...(await checkChats({ home, settings: settings.config.settings, env: env.value })),
    ...(await checkParts()),
    ...checkPythonPeers(env.value, process.cwd()),
  ];
}

function readEnvironment(home: Home, processEnv: Env): { readonly value: Env; readonly findings: readonly CheckupFinding[] } {
  try {
    const value = mergeEnvironment(home.env, processEnv);
    const [first, ...more] = describeEnvLines(home.env);
    if (first === undefined) return { value, findings: [] };
    const words = more.length === 0 ? first : `${first} (and ${more.length} more)`;
    return { value, findings: [{ name: 'secrets', ok: false, words, cure: `Correct the line in ${home.env}.` }] };
  } catch (error) {
    return {
      value: processEnv,
      findings: [{ name: 'secrets', ok: false, words: toErrorMessage(error), cure: `chmod 600 ${home.env}`, fix: makeReadable(home.env) }],
    };
  }
}

const makeReadable = (target: string): CheckupFix => ({
  id: 'private_file',
  words: 'make .env readable only by you',
  isSafe: true,
  target,
});

/** With a broken file the rest is looked at as far as the file can be read. */
async function readSettings(
  home: Home,
  env: Env,
  registered: RegistrySnapshot,
): Promise<{ readonly finding: CheckupFinding; readonly config: Config }> {
  const reading = await readConfig(home.config, env, registered);
  const { sources, values, problems } = reading;
  const [problem, ...more] = problems;
  const changed = Object.keys(sources).filter((key) => !isDeepStrictEqual(values[key], FIELDS.get(key)?.default)).length;
  const finding: CheckupFinding =
    problem === undefined
      ? { name: 'settings', ok: true, words: changed === 0 ? 'all defaults' : `${changed} differ from their defaults (hermes config get)` }
      : {
          name: 'settings',
          ok: false,
          words: formatConfigProblem(home.config, problem),
          cure: more.length > 0 ? `And ${more.length} more: hermes config check` : 'To edit the file: hermes config edit',
          ...describeSettingFix(problem, home.config),
        };
  return { finding, config: toAppConfig(reading) };
}

/** A value that cannot be used goes; a file that cannot be read is moved away. A variable is the owner's to change. */
function describeSettingFix({ key, variable }: ConfigProblem, file: string): { readonly fix?: CheckupFix } {
  if (variable !== undefined) return {};
  const name = basename(file);
  if (key === '') return { fix: { id: 'move_away', words: `move ${name} away and start with the defaults`, isSafe: false, target: file } };
  return { fix: { id: 'unset_setting', words: `remove ${key} from ${name}, so that its default applies`, isSafe: false, target: key } };
}

/** Settings under names of earlier versions, which nobody reads. */
async function checkOldSettings(options: ServiceOptions, isReadable: boolean): Promise<readonly CheckupFinding[]> {
  if (!isReadable) return [];
  const { migrateSettings } = await import('./migrate-config.ts');
  const { moves } = migrateSettings(options, collectSettingFields(options.registered), true);
  if (moves.length === 0) return [];
  return [
    {
      name: 'old settings',
      ok: false,
      words: `Without effect under their old names: ${listed(moves.map(({ from }) => from))}`,
      cure: 'To move them: hermes config migrate',
      fix: {
        id: 'migrate_settings',
        words: 'move them to where they are read today; a backup of the file is kept',
        isSafe: false,
        target: 'config.yaml',
      },
    },
  ];
}

/** The route, whether its host is there, and how much the first request weighs on it. */
async function checkModel(
  parts: Pick<PreviewOptions, 'home' | 'config' | 'env' | 'notice'> & { readonly registered: RegistrySnapshot },
): Promise<CheckupFinding[]> {
  const { config, env } = parts;
  const { finding, runtime } = await checkRoute(config, env, parts.registered.providers);
  const host = runtime === undefined ? [] : [await checkHost(runtime, env), ...(await checkLearntWindow(parts.home, runtime))];
  const scene = { ...parts, cwd: process.cwd() };
  const weighed = await sessionFinding('first request', () => checkFirstRequest(scene, runtime));
  return [
    finding,
    ...host,
    ...(runtime === undefined ? [] : await checkCaching(parts, runtime)),
    await checkLocal(env),
    ...(await checkTools(scene)),
    weighed,
    await sessionFinding('prompt files', () => checkPrompt(scene)),
  ];
}

/** A window that a refusal of the server has named, where there is one: it decides how much a session may hold. */
async function checkLearntWindow(home: Home, runtime: Runtime): Promise<CheckupFinding[]> {
  if (runtime.limits.stated === true || (await findStore(home)) === undefined) return [];
  try {
    await using store = await openHomeStore(home);
    const words = await describeLearntWindow(store, runtime);
    return words === undefined
      ? []
      : [{ name: 'window', ok: true, words, cure: 'If it is another: hermes config set model.context_length TOKENS' }];
  } catch {
    // What is wrong with the store is a finding of its own.
    return [];
  }
}

/** What is known of prompt caching on this route. */
async function checkCaching({ home, config, registered }: CachingScene, runtime: Runtime): Promise<CheckupFinding[]> {
  const known = { ttl: config.settings['prompt_caching.cache_ttl'], profile: registered.providers.get(runtime.provider) };
  try {
    await using store = (await findStore(home)) === undefined ? undefined : await openHomeStore(home);
    const calls = (await store?.calls({ since: Date.now() - CACHE_SEEN_MS })) ?? [];
    return [{ name: 'prompt cache', ok: true, words: describeCaching(runtime, { ...known, calls }) }];
  } catch {
    // What is wrong with the store is a finding of its own.
    return [];
  }
}
type CachingScene = Pick<PreviewOptions, 'home' | 'config'> & { readonly registered: RegistrySnapshot };

/** Which tools the next session here has, and where its commands run. */
async function checkTools(scene: CheckupOptions): Promise<readonly CheckupFinding[]> {
  try {
    const { request, callable, toolsets, backend } = await previewSession({ ...scene, notice: UNTOLD, contextFiles: false });
    const more = callable.tools.length - request.tools.length;
    const bridged = more > 0 ? `, ${more} more through tool_search` : '';
    const tools = `${request.tools.length} in the table${bridged}, from ${toolsets.join(', ')}`;
    return [
      { name: 'tools', ok: true, words: tools, cure: 'To list them: hermes tools list' },
      await checkBackend(scene.config.settings['terminal.backend'] === 'auto' ? 'auto' : backend),
    ];
  } catch (error) {
    return [
      {
        name: 'tools',
        ok: false,
        words: toErrorMessage(error),
        cure: 'Correct the setting toolsets, platform_toolsets or custom_toolsets.',
      },
    ];
  }
}

/** Where commands run by this choice, and what of a sandbox works here. */
async function checkBackend(name: string): Promise<CheckupFinding> {
  const words = (where: string): string => `commands run ${where} (terminal.backend: ${name})`;
  if (name !== 'sandbox' && name !== 'auto')
    return {
      name: 'terminal',
      ok: true,
      ...(name === 'local' && { warn: true, cure: 'To run them in a sandbox: hermes config set terminal.backend auto' }),
      words: words(BACKEND_WORDS[name] ?? `by the back end ${name}`),
    };
  const here = await (await import('../../parts/terminals/sandbox/probe.ts')).sandboxHere();
  if (here.ok) return { name: 'terminal', ok: true, words: `${words(BACKEND_WORDS['sandbox'] ?? '')}${lacking(here.tools)}` };
  if (name === 'auto')
    return {
      name: 'terminal',
      ok: true,
      warn: true,
      words: `${words(UNWALLED)}, because ${here.why}`,
      cure: `${describeSandboxCure()}. To keep it like this: hermes config set terminal.backend local`,
    };
  return {
    name: 'terminal',
    ok: false,
    words: `commands cannot run: the sandbox does not work here: ${here.why}`,
    cure: `${describeSandboxCure()}. Or run them with all of your rights, without a sandbox: hermes config set terminal.backend local`,
    fix: { id: 'local_terminal', words: 'run commands on this machine, without a sandbox', isSafe: false, target: 'terminal.backend' },
  };
}

/** What makes the sandbox whole, where it is missing. */
function lacking(tools: SandboxTools): string {
  if (tools.tier === 'macos') return '; there is no network but by terminal.sandbox_network, and nobody has tried this on a Mac';
  if (tools.tier === 'floor') return `; ${describeFloor(tools)}`;
  const missing = [
    ...(tools.launcher === undefined ? ['system calls are not filtered, because the launcher does not run here'] : []),
    ...(tools.unshare === undefined ? ['programs inside have no pseudo-terminals, and your caches are not seen'] : []),
  ];
  return missing.length === 0 ? '' : `; ${missing.join('; ')}`;
}
/** What the floor holds, and what older kernels leave open. */
export const describeFloor = ({ level, instead }: FloorTools): string =>
  [
    `made of Landlock (level ${level}) and seccomp, because ${instead}`,
    'names of hidden files can be seen, there are no pseudo-terminals inside, and /tmp is the folder in TMPDIR',
    ...listLost(level),
  ].join('; ');
/** What a level of Landlock loses against the newest. */
export const listLost = (level: number): readonly string[] => LOST.flatMap(([from, words]) => (level < from ? [words] : []));
/** What a level of Landlock brings, for those who have an older one. */
const LOST: readonly (readonly [level: number, words: string])[] = [
  [2, 'files cannot be moved between folders by this kernel, so programs copy them'],
  [5, 'commands can send requests to devices that you let them read'],
];
const UNWALLED = 'on this machine with all of your rights, without a sandbox';
const BACKEND_WORDS: Readonly<Record<string, string>> = {
  local: UNWALLED,
  sandbox: 'in a sandbox on this machine',
  docker: 'in a container',
  singularity: 'in a container',
  ssh: 'on another machine',
  modal: 'on another machine',
  daytona: 'on another machine',
};

/** Settings that name no real toolset end here: that is a finding too. */
const sessionFinding = (name: string, look: () => Promise<CheckupFinding>): Promise<CheckupFinding> =>
  look().catch((error: unknown) => ({ name, ok: false, words: toErrorMessage(error), cure: 'To list them: hermes tools list' }));

/** What a session would be told at its start a row of the checkup tells. */
const UNTOLD = (): void => {};

type CheckupOptions = Pick<PreviewOptions, 'home' | 'config' | 'env' | 'cwd' | 'notice' | 'registered'>;

/** What the owner should know of the files a session here would begin with: blocked, broken, cut. */
async function checkPrompt(options: CheckupOptions): Promise<CheckupFinding> {
  const { prompt } = await previewSession({ ...options, notice: UNTOLD, contextFiles: true });
  const [first, ...more] = prompt.notices;
  if (first === undefined)
    return { name: 'prompt files', ok: true, words: 'SOUL.md, project files, memory and skills loaded without problems' };
  const words = `${first.split('\n')[0] ?? ''}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
  return { name: 'prompt files', ok: false, words, cure: 'To see each: hermes prompt' };
}

/** Builds the request that `chat -q hi` would send first, without project files, and weighs it. */
async function checkFirstRequest(options: CheckupOptions, runtime?: Runtime): Promise<CheckupFinding> {
  const { request, bytes, prompt } = await previewSession({
    ...options,
    notice: UNTOLD,
    ...(runtime !== undefined && { runtime }),
    contextFiles: false,
  });
  const tokens = windowEngine.estimate({ system: request.system, tools: request.tools, view: request.messages });
  const words = `${bytes} bytes (about ${tokens} tokens) with ${request.tools.length} tools; limit ${FIRST_REQUEST_BYTES}`;
  if (bytes <= FIRST_REQUEST_BYTES) return { name: 'first request', ok: true, words };
  const [heaviest] = prompt.slots.toSorted((a, b) => b.text.length - a.text.length);
  return {
    name: 'first request',
    ok: false,
    words: `${words}; the largest section is ${heaviest?.name ?? 'the tool table'}`,
    cure: 'Shorten a section, hide skills (skills.disabled) or use fewer toolsets. To see the size of each section: hermes prompt',
  };
}

/** How many names a line takes before it says how many more there are. */
const SHOWN = 8;
const listed = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** How many values are redacted, and which of those named as secrets or kept in `.env` are not: to hide a common word would spoil every text. */
function checkSecrets(home: Home, processEnv: Env): CheckupFinding {
  const known = openSecrets(home, processEnv).names().length;
  const skipped = describeSkippedSecrets(home, processEnv);
  const words = `${known} known ${known === 1 ? 'secret' : 'secrets'}, hidden from output, logs and requests`;
  if (isReadByOthers(home.env))
    return {
      name: 'secrets',
      ok: false,
      words: `${home.env} can be read by other users of this machine`,
      cure: `To keep it to yourself: chmod 600 ${home.env}`,
      fix: makeReadable(home.env),
    };
  if (skipped.length === 0) return { name: 'secrets', ok: true, words };
  return {
    name: 'secrets',
    ok: true,
    words: `${words}; not treated as secrets: ${listed(skipped)}`,
    cure: 'If one of these is a real secret, use a longer, random one.',
  };
}

/** Windows has no such bits. */
const isReadByOthers = (path: string): boolean =>
  process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/** Variables of the owner's shell that commands do not see. */
function checkCommandEnvironment({ settings }: Config, env: Env): CheckupFinding {
  const { env: passed, withheld } = splitEnvironment(env, settings['terminal.env_passthrough']);
  const words = `commands see ${Object.keys(passed).length} environment variables`;
  if (withheld.length === 0) return { name: 'command environment', ok: true, words };
  return {
    name: 'command environment',
    ok: true,
    words: `${words}; not passed, besides secrets: ${listed(withheld)}`,
    cure: 'To pass one: hermes config set terminal.env_passthrough "[NAME, MY_*]"',
  };
}

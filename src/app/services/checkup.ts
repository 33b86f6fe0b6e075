import { windowEngine } from '../../parts/context/window.ts';
import { splitEnvironment } from '../../parts/terminals/environment.ts';
import type { Registered } from '../../contracts/registries.ts';
import type { Runtime } from '../../contracts/runtime.ts';
import { openSecrets, passedOver } from '../host/secrets.ts';
import { FIRST_REQUEST_BYTES, previewSession, type PreviewOptions } from '../host/preview.ts';
import { messageOf } from '../../base/errors.ts';
import type { ServiceOptions } from '../../contracts/services/services.ts';
import { homeAt, type Home } from '../../base/home.ts';
import type { Env } from '../../base/env.ts';
import type { CheckupService, Finding } from '../../contracts/services/insight.ts';
import { tell } from '../../parts/config/config.ts';
import { mergeEnvironment } from '../../parts/config/environment.ts';
import { configOf, readConfig, type Config } from '../config/config.ts';
import { lookAtHome, lookAtNode, lookAtParts } from '../../commands/machine-checks.ts';
import { lookAtHost, lookAtKeys, lookAtLocal, lookAtRoute } from '../../parts/providers/checkup.ts';
import { lookAtStore } from '../../parts/store/checkup.ts';

export const checkupService = (options: ServiceOptions): CheckupService => ({
  look: () => checkup(options),
  nextSession: async () => {
    const home = homeAt(options.processEnv);
    const env = readEnvironment(home, options.processEnv).value;
    const { registered } = options;
    const { config } = await readSettings(home, env, registered);
    const { finding } = await lookAtRoute(config, env, registered.providers);
    return [finding, ...(await lookAtTools({ home, config, env, registered, notice: () => {}, cwd: process.cwd() }))];
  },
});

async function checkup({ processEnv, notice, registered }: ServiceOptions): Promise<Finding[]> {
  const home = homeAt(processEnv);
  const env = readEnvironment(home, processEnv);
  const settings = await readSettings(home, env.value, registered);
  return [
    lookAtNode(process.version, process.execPath),
    lookAtHome(home),
    ...env.findings,
    settings.finding,
    await lookAtStore(home),
    lookAtKeys(env.value, registered.providers.values()),
    lookAtSecrets(home, processEnv),
    lookAtCommandEnvironment(settings.config, env.value),
    ...(await lookAtModel({ home, config: settings.config, env: env.value, notice, registered })),
    ...(await lookAtParts()),
  ];
}

function readEnvironment(home: Home, processEnv: Env): { readonly value: Env; readonly findings: readonly Finding[] } {
  try {
    return { value: mergeEnvironment(home.env, processEnv), findings: [] };
  } catch (error) {
    return { value: processEnv, findings: [{ name: 'secrets', ok: false, words: messageOf(error) }] };
  }
}

/** With a broken file the rest is looked at as far as the file can be read. */
async function readSettings(home: Home, env: Env, registered: Registered): Promise<{ readonly finding: Finding; readonly config: Config }> {
  const reading = await readConfig(home.config, env, registered);
  const { sources, problems } = reading;
  const [problem, ...more] = problems;
  const changed = Object.keys(sources).length;
  const finding: Finding =
    problem === undefined
      ? { name: 'settings', ok: true, words: changed === 0 ? 'all defaults' : `${changed} differ from their defaults (hermes config get)` }
      : {
          name: 'settings',
          ok: false,
          words: tell(home.config, problem),
          ...(more.length > 0 && { cure: `And ${more.length} more: hermes config check` }),
        };
  return { finding, config: configOf(reading) };
}

/** The route, whether its host is there, and how much the first request weighs on it. */
async function lookAtModel(
  parts: Pick<PreviewOptions, 'home' | 'config' | 'env' | 'notice'> & { readonly registered: Registered },
): Promise<Finding[]> {
  const { config, env } = parts;
  const { finding, runtime } = await lookAtRoute(config, env, parts.registered.providers);
  const host = runtime === undefined ? [] : [await lookAtHost(runtime)];
  const scene = { ...parts, cwd: process.cwd() };
  const weighed = await sessionFinding('first request', () => lookAtFirstRequest(scene, runtime));
  return [
    finding,
    ...host,
    await lookAtLocal(env),
    ...(await lookAtTools(scene)),
    weighed,
    await sessionFinding('prompt files', () => lookAtPrompt(scene)),
  ];
}

/** Which tools the next session here has, and where its commands run. */
async function lookAtTools(scene: CheckupOptions): Promise<readonly Finding[]> {
  try {
    const { request, toolsets, backend } = await previewSession({ ...scene, contextFiles: false });
    const tools = `${request.tools.length} in the table, from ${toolsets.join(', ')}`;
    return [{ name: 'tools', ok: true, words: tools, cure: 'hermes tools list shows each of them.' }, await lookAtBackend(backend)];
  } catch (error) {
    return [
      { name: 'tools', ok: false, words: messageOf(error), cure: 'Correct the setting toolsets, platform_toolsets or custom_toolsets.' },
    ];
  }
}

async function lookAtBackend(name: string): Promise<Finding> {
  const words = `commands run ${BACKEND_WORDS[name] ?? `by the back end ${name}`} (terminal.backend: ${name})`;
  if (name !== 'sandbox') return { name: 'terminal', ok: true, words };
  const here = await (await import('../../parts/terminals/sandbox/probe.ts')).sandboxHere();
  if (here.ok) return { name: 'terminal', ok: true, words };
  return {
    name: 'terminal',
    ok: false,
    words: `no command can run: the sandbox does not work here, because ${here.why}`,
    cure: 'hermes config set terminal.backend local',
  };
}
const BACKEND_WORDS: Readonly<Record<string, string>> = {
  local: 'on this machine',
  sandbox: 'in a sandbox on this machine',
  docker: 'in a container',
  singularity: 'in a container',
  ssh: 'on another machine',
  modal: 'on another machine',
  daytona: 'on another machine',
};

/** Settings that name no real toolset end here: that is a finding too. */
const sessionFinding = (name: string, look: () => Promise<Finding>): Promise<Finding> =>
  look().catch((error: unknown) => ({ name, ok: false, words: messageOf(error), cure: 'hermes tools list shows what there is.' }));

type CheckupOptions = Pick<PreviewOptions, 'home' | 'config' | 'env' | 'cwd' | 'notice' | 'registered'>;

/** What the owner should know of the files a session here would begin with: blocked, broken, cut. */
async function lookAtPrompt(options: CheckupOptions): Promise<Finding> {
  const { prompt } = await previewSession({ ...options, contextFiles: true });
  const [first, ...more] = prompt.notices;
  if (first === undefined) return { name: 'prompt files', ok: true, words: 'SOUL.md, project files, memory and skills can all be used' };
  const words = `${first.split('\n')[0] ?? ''}${more.length === 0 ? '' : ` (and ${more.length} more)`}`;
  return { name: 'prompt files', ok: false, words, cure: 'hermes prompt tells about each of them.' };
}

/** Builds the request that `chat -q hi` would send first, without project files, and weighs it. */
async function lookAtFirstRequest(options: CheckupOptions, runtime?: Runtime): Promise<Finding> {
  const { request, bytes, prompt } = await previewSession({ ...options, ...(runtime !== undefined && { runtime }), contextFiles: false });
  const tokens = windowEngine.estimate({ system: request.system, tools: request.tools, view: request.messages });
  const words = `${bytes} bytes (about ${tokens} tokens) with ${request.tools.length} tools; the bound is ${FIRST_REQUEST_BYTES}`;
  if (bytes <= FIRST_REQUEST_BYTES) return { name: 'first request', ok: true, words };
  const [heaviest] = prompt.slots.toSorted((a, b) => b.text.length - a.text.length);
  return {
    name: 'first request',
    ok: false,
    words: `${words}; the largest section is ${heaviest?.name ?? 'the tool table'}`,
    cure: 'hermes prompt shows what each section takes: shorten it, hide skills (skills.disabled), or take fewer toolsets.',
  };
}

/** How many names a line takes before it says how many more there are. */
const SHOWN = 8;
const listed = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;

/** How many values are redacted, and which of those named as secrets or kept in `.env` are not: to hide a common word would spoil every text. */
function lookAtSecrets(home: Home, processEnv: Env): Finding {
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
function lookAtCommandEnvironment({ settings }: Config, env: Env): Finding {
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

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describeBriefly } from '../../../base/brief.ts';
import { toErrorMessage, UsageError } from '../../../base/errors.ts';
import { plainEnvironment } from '../../../base/process-group.ts';
import { HOOK_KINDS } from '../../../contracts/hook-catalog.ts';
import type { HookLine } from '../../../contracts/services/hooks.ts';
import { HOOK_EXAMPLES } from '../entries/examples.ts';
import type { HookEntry, HookSourceDeps } from '../entries/hook-entry.ts';
import { judgeTrust, toLineState } from '../entries/trust.ts';
import { readShellAnswer } from './read-answer.ts';
import { readShellHooks, type ShellHook, type ShellHookReading } from './read-shell-hooks.ts';
import { selectAnswer } from './register-shell-hooks.ts';
import { runShellHook, toShellPayload, type ShellRunOptions } from './run-shell-hook.ts';
import { createScriptHash } from './script-hash.ts';

/** Every command under the setting `hooks`. */
export const listShellHooks = (deps: HookSourceDeps): readonly HookEntry[] =>
  readShellHooks(deps.table).map((reading) => (reading.ok ? toEntry(reading.hook, deps) : toBroken(reading)));

const toBroken = ({ name, why, blocks }: Extract<ShellHookReading, { readonly ok: false }>): HookEntry => {
  const line: HookLine = {
    kind: 'shell',
    name,
    path: `hooks.${name}`,
    state: 'refused',
    why,
    ...(blocks !== undefined && { failClosed: true }),
  };
  return { name, line: async () => line, fix: `Correct hooks.${name} in config.yaml.` };
};

function toEntry(hook: ShellHook, { root, store }: HookSourceDeps): HookEntry {
  const { name, event, command, matcher, failClosed, trustName } = hook;
  const hashed = () => createScriptHash(root)(hook);
  const about = {
    kind: 'shell',
    name,
    path: command,
    events: [event],
    ...(matcher !== '' && { matcher }),
    ...(failClosed && HOOK_KINDS[event] === 'decide' && ({ failClosed: true } as const)),
  } as const;
  const missing = explainMissing(hook, root);
  if (missing !== undefined) return { name, line: async () => ({ ...about, state: 'refused', why: missing.why }), fix: missing.fix };
  return {
    name,
    line: async () => {
      try {
        const found = hashed();
        return { ...about, files: found.files, state: toLineState(await judgeTrust(found, store)) };
      } catch (error) {
        return { ...about, state: 'refused', why: toErrorMessage(error) };
      }
    },
    trust: { name: trustName, hashed },
    fix: `Read the script (${command}), then type: hermes hooks trust ${name}`,
    test: async (wanted, signal) => {
      if (wanted !== undefined && wanted !== event) throw new UsageError(`hook ${name} listens only to ${event}.`);
      return testHook(hook, { root, signal });
    },
  };
}

async function testHook(hook: ShellHook, options: ShellRunOptions): Promise<Awaited<ReturnType<NonNullable<HookEntry['test']>>>> {
  const { event } = hook;
  try {
    const output = await runShellHook(hook, toShellPayload(event, HOOK_EXAMPLES[event], options.root), options);
    const printed = [output.stdout, output.stderr]
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join('\n');
    try {
      const answer = selectAnswer(hook, readShellAnswer(output));
      return { ok: true, event, output: printed, answer: answer === undefined ? 'no opinion' : describeBriefly(answer) };
    } catch (error) {
      return { ok: false, event, output: printed, why: toErrorMessage(error) };
    }
  } catch (error) {
    return { ok: false, event, output: '', why: toErrorMessage(error) };
  }
}

/** Why the program of a command cannot be run, and what to do. */
function explainMissing({ argv, name, command }: ShellHook, root: string): { readonly why: string; readonly fix: string } | undefined {
  const [program = ''] = argv;
  if (!program.includes('/')) {
    const folders = (plainEnvironment()['PATH'] ?? '').split(delimiter);
    if (folders.some((folder) => existsSync(join(folder, program)))) return explainMissingScript(argv, root, name);
    return {
      why: `${program} is not installed`,
      fix: `Install ${program}, or correct the command of hooks.${name} in config.yaml: ${command}`,
    };
  }
  const path = resolve(root, program);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    return { why: `there is no file ${path}`, fix: `Correct the command of hooks.${name} in config.yaml; paths begin in ${root}.` };
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return { why: `${path} is not executable`, fix: `Type: chmod +x ${path}` };
  }
}

/** `python3 audit.py` without its script. */
function explainMissingScript(
  argv: readonly string[],
  root: string,
  name: string,
): { readonly why: string; readonly fix: string } | undefined {
  const [, script = ''] = argv;
  const isScript = /^[^-].*\.(?:py|js|mjs|cjs|ts|mts|sh|rb|pl|php)$/.test(script);
  if (!isScript || existsSync(resolve(root, script))) return undefined;
  return {
    why: `there is no file ${resolve(root, script)}`,
    fix: `Correct the command of hooks.${name} in config.yaml; paths begin in ${root}.`,
  };
}

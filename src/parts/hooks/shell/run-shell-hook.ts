import { toErrorMessage } from '../../../base/errors.ts';
import { plainEnvironment, runInGroup } from '../../../base/process-group.ts';
import { toSnakeCase } from '../../../base/snake-case.ts';
import type { ShellOutput } from './read-answer.ts';
import type { ShellHook } from './read-shell-hooks.ts';

export interface ShellRunOptions {
  /** The profile's folder: told as `HERMES_HOME`, and where the command runs. */
  readonly root: string;
  readonly signal?: AbortSignal;
}

const MAX_STDOUT = 200_000;
const MAX_STDERR = 16_000;

/**
 * Runs the command of a hook as a process of its own, without a shell: the event as JSON on stdin, no variable but the usual
 * ones, so that no key of the owner's reaches it. It runs in the profile's folder and never in that of a session: no file
 * of a project can take the place of one that is named. Throws where it could not be run to its end.
 */
export async function runShellHook(
  { argv, event, timeoutMs }: Pick<ShellHook, 'argv' | 'event' | 'timeoutMs'>,
  payload: object,
  { root, signal }: ShellRunOptions,
): Promise<ShellOutput> {
  const output = { stdout: '', stderr: '' };
  const { code, why } = await runInGroup(argv, {
    cwd: root,
    env: { ...plainEnvironment(), HERMES_HOME: root, HERMES_HOOK_EVENT: event },
    input: `${JSON.stringify(payload)}\n`,
    timeoutMs,
    signal,
    onOutput: (text, stream) => {
      const most = stream === 'stdout' ? MAX_STDOUT : MAX_STDERR;
      if (output[stream].length <= most) output[stream] += text;
    },
  });
  if (why instanceof Error) throw new Error(`it could not be started: ${toErrorMessage(why)}`);
  if (why === 'timeout') throw new Error(`it took longer than ${timeoutMs / 1_000} s and was ended`);
  if (why === 'stopped' || typeof code !== 'number') throw new Error(`it was ended${typeof code === 'string' ? ` by ${code}` : ''}`);
  if (output.stdout.length > MAX_STDOUT) throw new Error(`it printed more than ${MAX_STDOUT} characters`);
  return { code, ...output };
}

/** What a command reads: the keys that hooks of Claude Code know, and all else under `extra`. */
export function toShellPayload(event: string, input: object, cwd: string): object {
  const { tool, args, sessionId, ...extra }: { tool?: unknown; args?: unknown; sessionId?: unknown } = input;
  return {
    hook_event_name: event,
    tool_name: tool ?? null,
    tool_input: event === 'pre_command' ? null : (args ?? null),
    session_id: sessionId ?? null,
    cwd,
    extra: toSnakeCase(event === 'pre_command' ? { ...extra, args } : extra),
  };
}

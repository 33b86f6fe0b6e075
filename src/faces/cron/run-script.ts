import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { toErrorMessage } from '../../base/errors.ts';
import { parseJson, isObject } from '../../base/json.ts';
import { plainEnvironment, runInGroup, type GroupEnd } from '../../base/process-group.ts';
import { takeStart } from '../../base/text.ts';

/** What a script printed, and how it ended. */
export interface JobScriptResult {
  /** What it printed for the job; without the line that says whether the agent is wanted. */
  readonly output: string;
  /** It said `{"wakeAgent": false}` on its last line: there is nothing to do. */
  readonly isSilent: boolean;
  /** Why it did not end well, and what it complained of. */
  readonly failure?: { readonly why: string; readonly complaints: string };
}

const MAX_OUTPUT = 200_000;

export const findScriptFolder = (root: string): string => join(root, 'scripts');

/** The file a job names, where links lead to; or why it cannot be run. Only files in the folder of scripts are. */
export function findScript(name: string, root: string): { readonly path: string } | { readonly why: string } {
  const folder = findScriptFolder(root);
  const path = resolve(folder, name);
  if (!path.startsWith(`${folder}${sep}`)) return { why: `a script must be in the folder scripts of the profile, and ${name} is not.` };
  if (!existsSync(path)) return { why: `there is no script ${name} in the folder scripts of the profile.` };
  const real = realpathSync(path);
  return real.startsWith(`${realpathSync(folder)}${sep}`)
    ? { path: real }
    : { why: `${name} leads out of the folder scripts of the profile.` };
}

const NODE = (file: string): readonly string[] => [process.execPath, file];
/** How a script is started, by the end of its name; as Python where nothing is said here. */
const STARTS: Readonly<Record<string, (file: string) => readonly string[]>> = {
  '.sh': (file) => ['bash', file],
  '.bash': (file) => ['bash', file],
  '.js': NODE,
  '.mjs': NODE,
  '.ts': NODE,
};

export interface JobScriptOptions {
  readonly root: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly jobId: string;
  /** Hears of the script's process before it begins, and says whether it may. */
  readonly hold: (pid: number) => Promise<boolean>;
}

/** Runs the script of a job, without any of the owner's keys. Never rejects. */
export async function runScript(name: string, { root, timeoutMs, signal, jobId, hold }: JobScriptOptions): Promise<JobScriptResult> {
  const found = findScript(name, root);
  if ('why' in found) return { output: '', isSilent: false, failure: { why: found.why, complaints: '' } };
  const said = { stdout: '', stderr: '' };
  const start = STARTS[extname(found.path)] ?? ((file: string) => ['python3', file]);
  const end = await runInGroup(start(found.path), {
    cwd: dirname(found.path),
    env: { ...plainEnvironment(), HERMES_HOME: root, HERMES_CRON_JOB: jobId },
    timeoutMs,
    signal,
    hold,
    onOutput: (text, stream) => void (said[stream].length < MAX_OUTPUT && (said[stream] += text)),
  });
  const why = describeEnd(end, timeoutMs);
  const complaints = takeStart(said.stderr.trim(), 4_000);
  return { ...readOutput(takeStart(said.stdout, MAX_OUTPUT)), ...(why !== undefined && { failure: { why, complaints } }) };
}

function describeEnd({ code, why }: GroupEnd, timeoutMs: number): string | undefined {
  if (why instanceof Error) return `it could not be started: ${toErrorMessage(why)}.`;
  if (why === 'timeout') return `it took longer than ${timeoutMs / 1_000} s and was ended.`;
  if (why === 'stopped') return 'it was ended because the program stopped.';
  return code === 0 ? undefined : `it ended with ${code}.`;
}

function readOutput(stdout: string): Pick<JobScriptResult, 'output' | 'isSilent'> {
  const lines = stdout.trimEnd().split('\n');
  const last = parseJson(lines.at(-1) ?? '');
  const wakes = isObject(last) ? last['wakeAgent'] : undefined;
  if (typeof wakes !== 'boolean') return { output: stdout.trimEnd(), isSilent: false };
  return { output: lines.slice(0, -1).join('\n').trimEnd(), isSilent: !wakes };
}

import { withoutAnsi } from '../command-line/ansi.ts';
import type { ScriptResult } from './script.ts';

/** What the script printed, and last how it ended. */
export function render(ended: ScriptResult, program: string, limitSeconds: number, file: string | undefined): string {
  const output = withoutAnsi(ended.output).trimEnd();
  const kept = ended.lost === 0 ? 'the whole output' : `the output, without about ${ended.lost} bytes from its middle,`;
  return [
    output === '' ? '[no output: only what is printed comes back]' : output,
    ...(file === undefined ? [] : [`[${kept} is in ${file}; read it with read_file or search_files]`]),
    `[${[ended.status + detail(ended, program, limitSeconds), counted(ended.calls), `${ended.seconds.toFixed(1)} s`, ...describeOpenCalls(ended)].join(', ')}]`,
  ].join('\n');
}

function detail({ status, exitCode, stopped }: ScriptResult, program: string, limitSeconds: number): string {
  if (stopped !== undefined) return `: ${stopped}`;
  if (status === 'timeout') return `: ended after ${limitSeconds} s with everything it had started`;
  if (status === 'interrupted') return ': ended by the user, parts of it may have taken effect';
  if (status === 'error') return exitCode === NO_PROGRAM ? `: there is no ${program} here` : `: exit code ${exitCode ?? 'unknown'}`;
  return '';
}
const NO_PROGRAM = 127;

const counted = (calls: number): string => `${calls} tool ${calls === 1 ? 'call' : 'calls'}`;
const describeOpenCalls = ({ open }: ScriptResult): string[] => (open === 0 ? [] : [`${open} of them not through when it was ended`]);

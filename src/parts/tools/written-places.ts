import type { TouchingCall } from '../../contracts/safety.ts';
import type { ResolvedCall, ToolOutput, ToolRun } from '../../contracts/tool.ts';
import { refusing } from './race.ts';
import { summaryOf, unanswered } from './sinks.ts';
import type { ToolkitOptions } from './toolkit.ts';

type Runnable = Extract<ResolvedCall, { ok: true }>;

/** Where a call says it will write is judged as a command's output would be: a file tool is no way round the rules of a shell. */
export async function refusedPlace(
  { tool, input, effects }: Runnable,
  { cwd }: TouchingCall,
  { signal, sessionId, turnId }: ToolRun,
  { approval, judgeWrite }: ToolkitOptions,
): Promise<ToolOutput | undefined> {
  if (judgeWrite === undefined || effects.kind !== 'write') return undefined;
  for (const resource of effects.resources) {
    const path = resource.startsWith('path:/') ? resource.slice('path:'.length) : undefined;
    const verdict = path === undefined ? undefined : await judgeWrite(path, cwd);
    if (path === undefined || verdict === undefined || verdict.type === 'fine') continue;
    if (verdict.type === 'refuse') return refusing(`Not run, and nobody can allow it: ${verdict.reason} (${path}).`);
    const action = { tool: tool.name, summary: summaryOf(input, path), reason: verdict.reason, key: verdict.key, cwd, sessionId, turnId };
    const answer = await approval.ask(action, signal).catch(unanswered);
    if (!answer.allow) return refusing(`Not run: ${verdict.reason} (${path}), and ${answer.reason}`);
  }
  return undefined;
}

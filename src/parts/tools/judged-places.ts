import type { CommandVerdict, TouchingCall } from '../../contracts/safety.ts';
import type { Effects, ResolvedCall, ToolOutput, ToolRun } from '../../contracts/tool.ts';
import { canonical } from './builtin/files/locate.ts';
import { sharesFiles } from '../../contracts/terminal.ts';
import { refusing } from './race.ts';
import { summaryOf, unanswered } from './sinks.ts';
import type { ToolkitOptions } from './toolkit.ts';

type Runnable = Extract<ResolvedCall, { ok: true }>;

/** What is thought of a tool touching a place. */
export type JudgePlace = (path: string, cwd: string) => CommandVerdict | Promise<CommandVerdict>;

/** The places a call says it will read or write are judged as a command's would be: a file tool is no way round the rules of a shell. */
export async function refusedPlace(
  { tool, input, effects }: Runnable,
  { cwd }: TouchingCall,
  { signal, sessionId, turnId }: ToolRun,
  { approval, terminal, ...judges }: ToolkitOptions,
): Promise<ToolOutput | undefined> {
  // A tool that writes to a lasting place of its own names it, scans and asks by itself.
  if (tool.sink !== undefined) return undefined;
  for (const { judge, summary } of judgesOf(effects, input, judges))
    for (const path of effects.resources.flatMap(pathIn)) {
      const verdict = await judge(path, cwd);
      if (verdict.type === 'fine') continue;
      if (verdict.type === 'refuse') return refusing(`Not run, and nobody can allow it: ${verdict.reason} (${path}).`);
      const { type: _, ...why } = verdict;
      const at = [sharesFiles(terminal.kind) ? canonical(path) : path];
      const action = { tool: tool.name, summary: summary(path), ...why, at, cwd, sessionId, turnId };
      const answer = await approval.ask(action, signal).catch(unanswered);
      if (!answer.allow) return refusing(`Not run: ${verdict.reason} (${path}), and ${answer.reason}`);
    }
  return undefined;
}

const pathIn = (resource: string): readonly string[] => (resource.startsWith('path:/') ? [resource.slice('path:'.length)] : []);

interface Judged {
  readonly judge: JudgePlace;
  summary(path: string): string;
}

function judgesOf(
  { kind, shows }: Effects,
  input: unknown,
  { judgeRead, judgeWrite }: Pick<ToolkitOptions, 'judgeRead' | 'judgeWrite'>,
): readonly Judged[] {
  const reads = kind === 'read' || shows === true;
  return [
    ...(reads && judgeRead !== undefined ? [{ judge: judgeRead, summary: (path: string) => `read ${path}` }] : []),
    ...(kind === 'write' && judgeWrite !== undefined ? [{ judge: judgeWrite, summary: (path: string) => summaryOf(input, path) }] : []),
  ];
}

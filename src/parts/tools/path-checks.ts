import type { JudgePath } from './options.ts';
import type { CommandVerdict, ToolCallInfo } from '../../contracts/safety.ts';
import { hasLocalFiles } from '../../contracts/terminal.ts';
import type { RequiredConsent } from '../../contracts/consent.ts';
import { ToolRefusal, type RunnableCall } from '../../contracts/tool.ts';
import type { Effects } from '../../contracts/effects.ts';
import { resolveCanonicalPath } from './builtin/files/locate.ts';
import { describeWrite } from './foreign-write-check.ts';
import type { ToolkitOptions } from './options.ts';

/** The places a call says it will read or write are judged as a command's would be: a file tool is no way round the rules of a shell. */
export async function collectPathObjections(
  { tool, input, effects }: RunnableCall,
  { cwd }: ToolCallInfo,
  { terminal, ...judges }: ToolkitOptions,
): Promise<readonly RequiredConsent[]> {
  // A tool that writes to a lasting place of its own names it, scans and asks by itself.
  if (tool.sink !== undefined) return [];
  const objections: RequiredConsent[] = [];
  for (const { judge, how, summary } of judgesOf(effects, input, judges))
    for (const path of effects.resources.flatMap(pathIn)) {
      const judged = await judge(path, cwd);
      const isKept = judged.type === 'fine' && terminal.wall?.files.keepsFrom(path, how) === true;
      const verdict = isKept ? OUTSIDE[how] : judged;
      if (verdict.type === 'fine') continue;
      if (verdict.type === 'refuse') throw new ToolRefusal(`Not run, and nobody can allow it: ${verdict.reason} (${path}).`);
      const { type: _, ...why } = verdict;
      const place = hasLocalFiles(terminal.kind) ? resolveCanonicalPath(path) : path;
      const at = Object.fromEntries(verdict.key.split('+').map((name) => [name, [place]]));
      objections.push({
        action: { tool: tool.name, summary: summary(path), ...why, at, cwd },
        refusal: (reason) => `Not run: ${verdict.reason} (${path}), and ${reason}`,
        file: { path, how },
      });
    }
  return objections;
}

const pathIn = (resource: string): readonly string[] => (resource.startsWith('path:/') ? [resource.slice('path:'.length)] : []);

/** What nobody minds by its name, but the wall keeps from commands. */
const OUTSIDE = {
  read: { type: 'ask', reason: 'it reads a file that lies outside the sandbox', key: 'secret_read' },
  write: { type: 'ask', reason: 'it writes to a file that lies outside the sandbox', key: 'overwrite_outside' },
} as const satisfies Record<string, CommandVerdict>;

interface PathCheck {
  readonly judge: JudgePath;
  readonly how: 'read' | 'write';
  summary(path: string): string;
}

function judgesOf(
  { kind, shows }: Effects,
  input: unknown,
  { judgeRead, judgeWrite }: Pick<ToolkitOptions, 'judgeRead' | 'judgeWrite'>,
): readonly PathCheck[] {
  const reads = kind === 'read' || shows === true;
  return [
    ...(reads && judgeRead !== undefined ? [{ judge: judgeRead, how: 'read' as const, summary: (path: string) => `read ${path}` }] : []),
    ...(kind === 'write' && judgeWrite !== undefined
      ? [{ judge: judgeWrite, how: 'write' as const, summary: (path: string) => describeWrite(input, path) }]
      : []),
  ];
}

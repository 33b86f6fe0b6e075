import { isObject, readStringAt } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json-types.ts';
import { takeStart } from '../../../base/text.ts';
import type { ToolCallDecision } from '../../../contracts/hooks.ts';

/** What a command answered. */
export interface ShellAnswer {
  readonly decision?: ToolCallDecision;
  /** Words to add. */
  readonly context?: string;
  /** Words in place of others. */
  readonly text?: string;
}
export interface ShellOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command says no, with its reason on stderr. */
const BLOCKS = 2;
const MAX_REASON = 1_000;

/**
 * Reads what a command printed: our own answer, or that of a hook of Claude Code. Throws where it failed, or printed JSON that is
 * none. An answer that cannot be understood is a no.
 */
export function readShellAnswer({ code, stdout, stderr }: ShellOutput): ShellAnswer {
  if (code === BLOCKS) return block(stderr);
  if (code !== 0) throw new Error(`it ended with ${code}${stderr.trim() === '' ? '' : `: ${reason(stderr)}`}`);
  const printed = stdout.trim();
  if (!printed.startsWith('{')) return printed === '' ? {} : { context: printed };
  return readJsonAnswer(parseObject(printed));
}

function parseObject(printed: string): JsonObject {
  try {
    const value: unknown = JSON.parse(printed);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new Error('it printed JSON that cannot be read');
}

function readJsonAnswer(answer: JsonObject): ShellAnswer {
  const decision = readOwnDecision(answer) ?? readClaudeDecision(answer);
  const context = readStringAt(answer, 'context') ?? readStringAt(answer['hookSpecificOutput'], 'additionalContext');
  const text = readStringAt(answer, 'text');
  return {
    ...(decision !== undefined && { decision }),
    ...(context !== undefined && { context }),
    ...(text !== undefined && { text }),
  };
}

/** As a hook in this process answers: `{"action": "block", "message": "…"}`. */
function readOwnDecision(answer: JsonObject): ToolCallDecision | undefined {
  const { action, args } = answer;
  if (action === undefined) return undefined;
  const [message, ruleKey] = [readStringAt(answer, 'message'), readStringAt(answer, 'ruleKey')];
  if (action === 'block') return { action, message: reason(message ?? '') };
  if (action === 'approve')
    return { action, ...(message !== undefined && { message: reason(message) }), ...(ruleKey !== undefined && { ruleKey }) };
  if (action === 'modify' && isObject(args)) return { action, args };
  return notUnderstood('action');
}

/** `allow` and `approve` of Claude Code would skip consent, which no hook can: they are no opinion here. */
function readClaudeDecision(answer: JsonObject): ToolCallDecision | undefined {
  if (answer['continue'] === false) return block(readStringAt(answer, 'stopReason') ?? '').decision;
  const { decision, hookSpecificOutput } = answer;
  if (decision === 'block' || decision === 'deny') return block(readStringAt(answer, 'reason') ?? '').decision;
  if (decision !== undefined && decision !== 'approve' && decision !== 'allow') return notUnderstood('decision');
  if (!isObject(hookSpecificOutput)) return undefined;
  const { permissionDecision, updatedInput } = hookSpecificOutput;
  const why = reason(readStringAt(hookSpecificOutput, 'permissionDecisionReason') ?? '');
  if (permissionDecision === 'deny') return { action: 'block', message: why };
  if (permissionDecision === 'ask') return { action: 'approve', message: why };
  if (permissionDecision !== undefined && permissionDecision !== 'allow') return notUnderstood('permissionDecision');
  return isObject(updatedInput) ? { action: 'modify', args: updatedInput } : undefined;
}

const block = (words: string) => ({ decision: { action: 'block', message: reason(words) } }) as const;
const reason = (words: string): string => takeStart(words.trim(), MAX_REASON) || 'it gave no reason';
const notUnderstood = (key: string): ToolCallDecision => ({
  action: 'block',
  message: `its answer cannot be understood (${key}), and without a decision the call does not run`,
});

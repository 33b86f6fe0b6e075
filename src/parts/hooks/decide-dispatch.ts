import { toErrorMessage } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { GatewayMessageInput } from '../../contracts/hook-inputs.ts';
import type { Hooks, RegisteredHook } from '../../contracts/hooks.ts';

/** Why a message is not to be handled, or nothing: every hook is asked in order, and what cannot be decided or understood is a no. */
export async function decideDispatch(input: GatewayMessageInput, hooks: Hooks | undefined): Promise<string | undefined> {
  for (const hook of hooks?.of('pre_gateway_dispatch') ?? []) {
    const why = await askHook(hook, input);
    if (why !== undefined) return `${hook.owner}: ${why}`;
  }
  return undefined;
}

async function askHook(
  { run, timeoutMs }: RegisteredHook<'pre_gateway_dispatch'>,
  input: GatewayMessageInput,
): Promise<string | undefined> {
  try {
    const late = new Error(`no answer within ${timeoutMs / 1_000} s`);
    const answer: unknown = await runWithTimeout(async () => run({ ...input }), timeoutMs, late);
    if (answer === undefined) return undefined;
    if (!isObject(answer) || answer['action'] !== 'block')
      return 'its answer is not a decision, and without a decision the message is not handled';
    const { message } = answer;
    return typeof message === 'string' && message.trim() !== '' ? message : 'it gave no reason';
  } catch (error) {
    return `it failed (${toErrorMessage(error)}), and without a decision the message is not handled`;
  }
}

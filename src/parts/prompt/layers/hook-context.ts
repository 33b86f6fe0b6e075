import { toErrorMessage } from '../../../base/errors.ts';
import { runWithTimeout } from '../../../base/waits.ts';
import type { TurnStartInput } from '../../../contracts/hook-inputs.ts';
import type { Hooks, RegisteredHook } from '../../../contracts/hooks.ts';
import { labelOverlay, type PromptLayer } from '../../../contracts/prompt.ts';
import type { TextBlock } from '../../../contracts/message.ts';
import type { AdmitText } from '../../../contracts/scan.ts';

export interface HookContextOptions {
  readonly hooks: Hooks;
  readonly platform: string;
  readonly model: () => string;
  readonly judged: <Result>(work: (admit: AdmitText) => Result) => Promise<Result>;
  readonly notice: (words: string) => void;
}

/** What hooks have to say to a message, beside it: each judged as a whole and labelled by whose it is, all of them together capped. */
export const hookContextLayer = ({ hooks, platform, model, judged, notice }: HookContextOptions): PromptLayer => ({
  name: 'hook-context',
  order: 50,
  lifetime: 'turn',
  cap: 8_000,
  render: async ({ text, sessionId, first, signal }) => {
    const input: TurnStartInput = { sessionId, platform, model: model(), userMessage: text, isFirstTurn: first };
    // Whoever stops the turn does not wait for them.
    const said = await Promise.all(hooks.of('pre_llm_call').map((hook) => askHook(hook, input, { notice, signal })));
    const beside = labelOverlay(
      await admitBlocks(
        said.flatMap((block) => block ?? []),
        { judged, notice },
      ),
    );
    return beside.length === 0 ? undefined : { beside };
  },
});

/** What gives the agent orders stays out, and the owner hears of it. */
async function admitBlocks(
  blocks: readonly TextBlock[],
  { judged, notice }: Pick<HookContextOptions, 'judged' | 'notice'>,
): Promise<readonly TextBlock[]> {
  if (blocks.length === 0) return [];
  const seen = await judged((admit) =>
    blocks.map((block) => ({
      block,
      admission: admit(block.text, { kind: 'memory', name: `What ${block.source ?? 'a hook'} adds`, owned: block.trust !== 'foreign' }),
    })),
  );
  for (const { admission } of seen) for (const words of admission.allow ? admission.notices : [admission.notice]) notice(words);
  return seen.flatMap(({ block, admission }) => (admission.allow ? [block] : []));
}

/** Told once for each hook: one that is broken would be told of with every message. */
const told = new WeakSet<object>();

async function askHook(
  hook: RegisteredHook<'pre_llm_call'>,
  input: TurnStartInput,
  { notice, signal }: Pick<HookContextOptions, 'notice'> & { readonly signal: AbortSignal },
): Promise<TextBlock | undefined> {
  const { owner, timeoutMs, run, isOwners } = hook;
  try {
    const given = await runWithTimeout(
      async () => run({ ...input }),
      timeoutMs,
      new Error(`no answer within ${timeoutMs / 1_000} s`),
      signal,
    );
    const text = typeof given === 'string' ? given : given?.context;
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    return { type: 'text', text, trust: isOwners === true ? 'tool' : 'foreign', source: owner };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!told.has(hook)) notice(`${owner} failed beside a message and added nothing: ${toErrorMessage(error)}`);
    told.add(hook);
    return undefined;
  }
}

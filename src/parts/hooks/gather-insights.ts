import { toErrorMessage } from '../../base/errors.ts';
import { runWithTimeout } from '../../base/waits.ts';
import type { CompressInput } from '../../contracts/hook-inputs.ts';
import type { Hooks, RegisteredHook } from '../../contracts/hooks.ts';
import type { TextBlock } from '../../contracts/message.ts';
import type { AdmitText } from '../../contracts/scan.ts';

export interface InsightDeps {
  readonly hooks: Hooks;
  /** Loaded with the first words that need it. */
  readonly admit: () => Promise<AdmitText>;
  readonly notice: (words: string) => void;
}

/** A turn waits for all of them together. */
const DEADLINE_MS = 10_000;
const MAX_WORDS = 8_000;

/** What hooks want kept in a summary, each labelled by whose words they are. What fails or is late is left out and told once. */
export async function gatherInsights(input: CompressInput, { hooks, admit, notice }: InsightDeps): Promise<readonly TextBlock[]> {
  const said = await Promise.all(hooks.of('pre_compress').map((hook) => askHook(hook, input, notice)));
  const blocks = said.filter((block) => block !== undefined);
  if (blocks.length === 0) return [];
  const judge = await admit();
  return blocks.filter(({ text, source = '' }) => {
    const admission = judge(text, { kind: 'memory', name: source, owned: false });
    for (const words of admission.allow ? admission.notices : [admission.notice]) notice(words);
    return admission.allow;
  });
}

const told = new WeakSet<object>();

async function askHook(
  hook: RegisteredHook<'pre_compress'>,
  input: CompressInput,
  notice: (words: string) => void,
): Promise<TextBlock | undefined> {
  const { owner, run, isOwners } = hook;
  const timeoutMs = Math.min(hook.timeoutMs, DEADLINE_MS);
  try {
    const given = await runWithTimeout(async () => run({ ...input }), timeoutMs, new Error(`no answer within ${timeoutMs / 1_000} s`));
    const text = typeof given === 'string' ? given : given?.context;
    if (typeof text !== 'string' || text.trim() === '') return undefined;
    if (text.length > MAX_WORDS) throw new Error(`it gave ${text.length} characters, and at most ${MAX_WORDS} are taken`);
    return { type: 'text', text, trust: isOwners === true ? 'tool' : 'foreign', source: owner };
  } catch (error) {
    if (!told.has(hook)) notice(`${owner} failed before a compaction and added nothing: ${toErrorMessage(error)}`);
    told.add(hook);
    return undefined;
  }
}

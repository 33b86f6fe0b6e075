import { escapeFences } from '../../../base/fence.ts';
import { takeStart } from '../../../base/text.ts';
import type { PromptSlot } from '../../../contracts/prompt.ts';
import type { AdmitText } from '../../../contracts/scan.ts';

export interface ExternalMemoryOptions {
  readonly name: string;
  systemBlock(): string | undefined;
  /** Runs work with what decides whether a text may reach the model. */
  readonly judged: <Result>(work: (admit: AdmitText) => Result) => Promise<Result>;
}

/** What the first request has room for. */
const MAX_BLOCK = 4_000;

/** The static words of the one memory provider in use, if it has any: words of others, so they are judged and cut. */
export const externalMemorySlot = ({ name, systemBlock, judged }: ExternalMemoryOptions): PromptSlot => ({
  name: 'external-memory',
  order: 90,
  lifetime: 'session',
  volatile: true,
  cap: MAX_BLOCK,
  render: async () => {
    const text = systemBlock();
    if (text === undefined || text.trim() === '') return undefined;
    const admission = await judged((admit) => admit(text, { kind: 'memory', name: `the words of the memory ${name}`, owned: false }));
    if (!admission.allow) return { notices: [admission.notice] };
    const cut =
      text.length <= MAX_BLOCK ? [] : [`The memory ${name} has ${text.length} characters for the prompt; ${MAX_BLOCK} are shown.`];
    return { text: takeStart(escapeFences(text.trim()), MAX_BLOCK), notices: [...admission.notices, ...cut] };
  },
});

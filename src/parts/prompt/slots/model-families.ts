import { disciplineBlock, enforcementBlock, operationBlock, type AdviceBlock } from './model-blocks.ts';

export interface ModelFamily {
  readonly name: string;
  /** Words in a model's name that tell the family. */
  readonly words: readonly string[];
  readonly blocks: readonly AdviceBlock[];
}

/** Families that need firmer words to act; the first that fits holds. Source: seed 000 §5.7. */
export const FAMILIES: readonly ModelFamily[] = [
  { name: 'openai', words: ['gpt', 'codex'], blocks: [enforcementBlock, disciplineBlock] },
  { name: 'google', words: ['gemini', 'gemma'], blocks: [enforcementBlock, operationBlock] },
  { name: 'xai', words: ['grok'], blocks: [enforcementBlock] },
];

export const findModelFamily = (model: string): ModelFamily | undefined => FAMILIES.find(({ words }) => hasWord(model, words));

/**
 * Whether one of the words ends a run of letters in the model's own name. The vendor before the last slash does not count
 * (`nano-gpt/claude-opus` is no GPT) and a longer word is another word (`Qwen3-32B-GPTQ-Int4` names a file format), while
 * `gemma3`, `chatgpt-4o-latest` and `codegemma` belong to the family, and so does a stranger like `biggpt`.
 */
export const hasWord = (model: string, words: readonly string[]): boolean =>
  (ownName(model).match(/[a-z]+/g) ?? []).some((run) => words.some((word) => run.endsWith(word)));

const ownName = (model: string): string => model.toLowerCase().split('/').findLast(Boolean) ?? '';

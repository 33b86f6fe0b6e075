import type { PromptContext } from '../../../contracts/prompt.ts';
import { hasWord } from './model-families.ts';

interface MisreportingModel {
  readonly name: string;
  readonly providers: readonly string[];
  /** Words in a model's name, as for families. */
  readonly words: readonly string[];
}

/** Routes on which a model is told a wrong name for itself. Source: seed 001 §3.3 and reference core §4.1 (11). */
export const MISREPORTED: readonly MisreportingModel[] = [
  { name: 'alibaba', providers: ['alibaba', 'alibaba-coding-plan'], words: ['qwen', 'qwq'] },
];

/** Tells the model its name where its API does not. */
export const renderNameCorrection = ({ provider, model }: Pick<PromptContext, 'provider' | 'model'>): string | undefined =>
  MISREPORTED.some(({ providers, words }) => providers.includes(provider) || hasWord(model, words))
    ? `If asked which model you are, say ${model}, whatever the service or your training suggests.`
    : undefined;

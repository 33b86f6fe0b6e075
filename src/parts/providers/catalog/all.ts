import type { ProviderProfile } from '../../../contracts/provider-profile.ts';
import { aiGateway } from './ai-gateway.ts';
import { alibaba } from './alibaba.ts';
import { alibabaCodingPlan } from './alibaba-coding-plan.ts';
import { anthropic } from './anthropic.ts';
import { arcee } from './arcee.ts';
import { azureFoundry } from './azure-foundry.ts';
import { commandcode } from './commandcode.ts';
import { commandcodeAnthropic } from './commandcode-anthropic.ts';
import { custom } from './custom.ts';
import { deepinfra } from './deepinfra.ts';
import { deepseek } from './deepseek.ts';
import { fireworks } from './fireworks.ts';
import { gemini } from './gemini.ts';
import { gmi } from './gmi.ts';
import { huggingface } from './huggingface.ts';
import { kilocode } from './kilocode.ts';
import { kimiCoding } from './kimi-coding.ts';
import { kimiCodingCn } from './kimi-coding-cn.ts';
import { llamaCpp } from './llama.cpp.ts';
import { lmstudio } from './lmstudio.ts';
import { metaAi } from './meta-ai.ts';
import { minimax } from './minimax.ts';
import { minimaxCn } from './minimax-cn.ts';
import { nous } from './nous.ts';
import { novita } from './novita.ts';
import { nvidia } from './nvidia.ts';
import { ollama } from './ollama.ts';
import { ollamaCloud } from './ollama-cloud.ts';
import { openaiApi } from './openai-api.ts';
import { opencodeGo } from './opencode-go.ts';
import { opencodeZen } from './opencode-zen.ts';
import { openrouter } from './openrouter.ts';
import { stepfun } from './stepfun.ts';
import { tencentTokenhub } from './tencent-tokenhub.ts';
import { upstage } from './upstage.ts';
import { vllm } from './vllm.ts';
import { xai } from './xai.ts';
import { xiaomi } from './xiaomi.ts';
import { zai } from './zai.ts';

/** Every provider. When nothing is named, the first whose key is in the environment is taken, in this order. */
export const PROFILES: readonly ProviderProfile[] = [
  openrouter,
  anthropic,
  openaiApi,
  gemini,
  aiGateway,
  alibaba,
  alibabaCodingPlan,
  arcee,
  azureFoundry,
  commandcode,
  commandcodeAnthropic,
  deepinfra,
  deepseek,
  fireworks,
  gmi,
  huggingface,
  kilocode,
  kimiCoding,
  kimiCodingCn,
  llamaCpp,
  lmstudio,
  metaAi,
  minimax,
  minimaxCn,
  nous,
  novita,
  nvidia,
  ollama,
  ollamaCloud,
  opencodeGo,
  opencodeZen,
  stepfun,
  tencentTokenhub,
  upstage,
  vllm,
  xai,
  xiaomi,
  zai,
  custom,
];

/** The providers of one run: those of its host and those the owner named in the settings. */
export interface Catalog {
  readonly profiles: readonly ProviderProfile[];
  /** By id or alias; the owner's own names come first. */
  readonly profileOf: (name: string) => ProviderProfile | undefined;
}

export function createProviderCatalog(named: readonly ProviderProfile[], known: readonly ProviderProfile[] = PROFILES): Catalog {
  const taken = new Set(named.map((profile) => profile.id));
  const profiles = [...known.filter((profile) => !taken.has(profile.id)), ...named];
  return { profiles, profileOf: (name) => named.find((profile) => profile.id === name) ?? find(profiles, name) };
}

export const BUILT_IN: Catalog = createProviderCatalog([]);

/** By id or alias. */
export const findProviderProfile = (name: string): ProviderProfile | undefined => BUILT_IN.profileOf(name);

function find(profiles: readonly ProviderProfile[], name: string): ProviderProfile | undefined {
  const wanted = name.toLowerCase();
  return profiles.find((profile) => profile.id === wanted) ?? profiles.find((profile) => profile.aliases.includes(wanted));
}

/** Variables that name a provider's key or its address. */
export const listProfileVariables = (profiles: Iterable<ProviderProfile>): string[] =>
  [...profiles].flatMap(({ keyEnvs, baseUrlEnv }) => (baseUrlEnv === undefined ? keyEnvs : [...keyEnvs, baseUrlEnv]));

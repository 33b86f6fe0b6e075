import type { Profile } from '../profile.ts';
import { anthropic } from './anthropic.ts';
import { custom } from './custom.ts';
import { openaiApi } from './openai-api.ts';
import { openrouter } from './openrouter.ts';

/** Every provider. When nothing is named, the first whose key is in the environment is taken, in this order. */
export const PROFILES: readonly Profile[] = [openrouter, anthropic, openaiApi, custom];

/** By id or alias. */
export const profileOf = (name: string): Profile | undefined => PROFILES.find((profile) => profile.id === name || profile.aliases.includes(name));

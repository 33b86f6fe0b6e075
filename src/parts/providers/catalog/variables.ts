import { PROFILES } from './all.ts';

/** Variables that name a provider's key or its address. */
export const profileNames = (): string[] =>
  PROFILES.flatMap(({ keyEnvs, baseUrlEnv }) => (baseUrlEnv === undefined ? keyEnvs : [...keyEnvs, baseUrlEnv]));

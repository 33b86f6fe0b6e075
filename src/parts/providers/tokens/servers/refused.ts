import type { JsonObject } from '../../../../contracts/message.ts';
import type { ModelRequest } from '../../../../contracts/provider.ts';

/** Parameters without those this server refused before. */
export const withoutRefused = (parameters: JsonObject, { adjust }: ModelRequest): JsonObject =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !adjust.without.includes(name)));

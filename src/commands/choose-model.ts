import { UsageError } from '../base/errors.ts';
import { findNearest } from '../base/text.ts';
import type { ModelLine } from '../contracts/services/models.ts';

/** The model that a name means: exactly that one, or the only one whose name holds it. Any name will do where there is no list. */
export function findModel(name: string, offered: readonly ModelLine[], provider: string): ModelLine {
  const exact = offered.find(({ id }) => id === name) ?? offered.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (exact !== undefined || offered.length === 0) return exact ?? { id: name };
  const holding = offered.filter(({ id }) => id.toLowerCase().includes(name.toLowerCase()));
  const [only] = holding;
  if (only !== undefined && holding.length === 1) return only;
  throw new UsageError(
    `${provider} has no model ${name}. ${describeNearest(name, holding, offered)} To list them: hermes model --provider ${provider}`,
  );
}

const MAX_NAMED = 5;

function describeNearest(name: string, holding: readonly ModelLine[], offered: readonly ModelLine[]): string {
  const names = holding.slice(0, MAX_NAMED).map(({ id }) => id);
  if (names.length > 0) return `It could be ${names.join(', ')}${holding.length > names.length ? ', …' : ''}.`;
  const nearest = findNearestModel(name, offered);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  const some = offered.slice(0, MAX_NAMED).map(({ id }) => id);
  return `It offers ${some.join(', ')}${offered.length > some.length ? ', …' : ''}.`;
}

/** By the whole name, or by what stands behind the vendor. */
export function findNearestModel(name: string, offered: readonly ModelLine[]): string | undefined {
  const ids = offered.map(({ id }) => id);
  const short = new Map(ids.toReversed().map((id) => [id.split('/').at(-1) ?? id, id]));
  const near = findNearest(name, [...ids, ...short.keys()]);
  return near === undefined ? undefined : (short.get(near) ?? near);
}

/** The first of the wishes that is offered; else the first model something is known of. Without a list the first wish. */
export function chooseDefaultModel(offered: readonly ModelLine[], wishes: readonly (string | undefined)[]): string | undefined {
  const named = wishes.filter((wish) => wish !== undefined);
  if (offered.length === 0) return named[0];
  const wish = named.find((name) => offered.some(({ id }) => id === name));
  return wish ?? (offered.find(({ window }) => window !== undefined) ?? offered[0])?.id;
}

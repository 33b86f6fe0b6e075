import { readStringAt } from '../../../../base/json.ts';
import { toPersonId, type PersonScope } from '../person.ts';
import type { AskService, ServiceRequest } from '../service-client.ts';

/** Asks as one user of the server, after the server said that it takes us for that user. */
export interface VikingUser {
  readonly user: string;
  readonly ask: AskService;
}
export interface VikingIdentityOptions {
  readonly ask: AskService;
  readonly account?: string;
  /** What the owner is called there; the user of the key when left out. */
  readonly user?: string;
}

/** Stands for the owner until the server has said who that is. */
const OWNER = '';

/**
 * A key may belong to one user, and then the server may take everybody for that user. So it is asked once for each person: when
 * it answers with another one, nothing is kept or looked up for that person.
 */
export function createVikingUsers({
  ask,
  account,
  user,
}: VikingIdentityOptions): (scope: PersonScope, signal: AbortSignal) => Promise<VikingUser> {
  const known = new Map<string, VikingUser>();
  return async (scope, signal) => {
    const person = toPersonId(scope, user ?? OWNER);
    const before = known.get(person);
    if (before !== undefined) return before;
    const headers = {
      ...(account !== undefined && { 'x-openviking-account': account }),
      ...(person !== OWNER && { 'x-openviking-user': person }),
    };
    const asUser = (request: ServiceRequest) => ask({ ...request, headers: { ...request.headers, ...headers } });
    const said = readStringAt(await asUser({ method: 'GET', path: '/api/v1/system/status', signal }), 'result', 'user');
    if (said === undefined || (person !== OWNER && said !== person))
      throw new Error(
        `OpenViking takes ${person === OWNER ? 'the owner' : person} for ${said ?? 'nobody'}, so nothing is kept or looked up. A key of one user cannot keep people apart: use a root key, or set user in openviking.json to the user of the key and leave other people out.`,
      );
    const one = { user: said, ask: asUser };
    known.set(person, one);
    return one;
  };
}

import { isObject, readNumberAt, readPath, readStringAt } from '../../../base/json.ts';
import type { Json } from '../../../contracts/message.ts';
import type { TokenLogprob } from '../../../contracts/provider.ts';
import type { ReplyDraft } from './draft.ts';

/** A server's list of tokens joined to the draft's. Both wires that have one spell its items alike. */
export function addLogprobs(draft: ReplyDraft, list: Json | undefined): ReplyDraft {
  if (!Array.isArray(list) || list.length === 0 || draft.request.sampling?.logprobs === undefined) return draft;
  return { ...draft, logprobs: [...(draft.logprobs ?? []), ...list.filter(isObject).map(tokenOf)] };
}

function tokenOf(item: Json): TokenLogprob {
  const top = readPath(item, 'top_logprobs');
  return { ...chanceOf(item), top: Array.isArray(top) ? top.map(chanceOf) : [] };
}

const chanceOf = (item: Json) => ({
  token: readStringAt(item, 'token') ?? '',
  logprob: readNumberAt(item, 'logprob') ?? Number.NEGATIVE_INFINITY,
});

import type { RecordedRequest } from './request.ts';

const RELEASED = Date.UTC(2026, 0, 1);

/** The list of models in the shape of the asking wire; the Anthropic one is known by the version header it always sends. */
export function modelList(ids: readonly string[], request: RecordedRequest): object {
  return 'anthropic-version' in request.headers ? anthropicList(ids) : { object: 'list', data: ids.map(openAiModel) };
}

function openAiModel(id: string): object {
  return { id, object: 'model', created: RELEASED / 1000, owned_by: 'wire-server' };
}

function anthropicList(ids: readonly string[]): object {
  const data = ids.map((id) => ({ type: 'model', id, display_name: id, created_at: new Date(RELEASED).toISOString() }));
  return { data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
}

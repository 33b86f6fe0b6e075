import type { WireRequest } from './backend.ts';

/** A question as JSON, with the key in a header of the service's own. */
export const post = (path: string, headers: WireRequest['headers'], body: WireRequest['body']): WireRequest => ({
  method: 'POST',
  path,
  headers,
  ...(body !== undefined && { body }),
});
export const bearer = (key: string): WireRequest['headers'] => ({ authorization: `Bearer ${key}` });
export const apiKey = (key: string): WireRequest['headers'] => ({ 'x-api-key': key });

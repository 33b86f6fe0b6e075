import type { BackendRequest } from './backend.ts';

/** A question as JSON, with the key in a header of the service's own. */
export const post = (path: string, headers: BackendRequest['headers'], body: BackendRequest['body']): BackendRequest => ({
  method: 'POST',
  path,
  headers,
  ...(body !== undefined && { body }),
});
export const toBearerHeader = (key: string): BackendRequest['headers'] => ({ authorization: `Bearer ${key}` });
export const toApiKeyHeader = (key: string): BackendRequest['headers'] => ({ 'x-api-key': key });

/** The host (with port) an address points at; '' for what is no address. */
export const parseHost = (url: string): string => URL.parse(url)?.host ?? '';

/** Scheme, host and port: what a secret may be bound to. '' for what is no address. */
export const parseOrigin = (url: string): string => {
  const origin = URL.parse(url)?.origin ?? '';
  // All addresses of unknown schemes ("local-model:8080") share this word, so it tells none from another.
  return origin === 'null' ? '' : origin;
};

/** An address as it may be shown: without name, password, query and fragment, which may hold secrets. Takes what is no address too. */
export const redactUrl = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^([^/]*\/\/)?[^/]*@/, '$1');

const LOCAL_HOST =
  /^(localhost|.*\.localhost|.*\.local|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2})$/;

/** This machine or the network around it. */
export const isLocal = (url: string): boolean => LOCAL_HOST.test(URL.parse(url)?.hostname ?? '');

/** Base and path with one slash between them; a first segment that the base already ends with is not doubled, a query stays last. */
export function joinUrl(base: string, path: string): string {
  const [head = '', query] = base.split('?', 2);
  const trunk = head.replace(/\/+$/, '');
  const first = /^\/[^/]+(?=\/)/.exec(path)?.[0] ?? '';
  const branch = first !== '' && trunk.endsWith(first) ? path.slice(first.length) : path;
  return `${trunk}${branch}${query === undefined ? '' : `?${query}`}`;
}

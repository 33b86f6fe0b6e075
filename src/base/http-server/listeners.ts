import { handleRequest } from './handle.ts';
import { startServer, type RunningServer } from './server.ts';
import { HTTP_TIMES, type HttpListeners, type HttpListenersOptions, type HttpPlace, type HttpRoute } from './contract.ts';

interface Listener extends AsyncDisposable {
  /** Gives the port. */
  add(route: HttpRoute): Promise<number>;
  /** Says whether that was the last one. */
  remove(route: HttpRoute): boolean;
  readonly places: HttpListeners['places'];
}

/** One server for each address and port that something listens at, opened with its first route and closed with the last. */
export function createHttpListeners(options: HttpListenersOptions): HttpListeners {
  const listeners = new Map<string, Listener>();
  /** Those that nothing listens at any more, until what they have in hand is answered. */
  const closing = new Map<string, Promise<void>>();
  let isClosing = false;
  const close = async (key: string, listener: Listener): Promise<void> => {
    listeners.delete(key);
    await listener[Symbol.asyncDispose]();
    closing.delete(key);
  };
  return {
    listen: async (route, at = {}) => {
      const place: HttpPlace = { host: at.host ?? options.host, port: at.port ?? options.port };
      const key = `${place.host} ${place.port}`;
      await closing.get(key);
      if (isClosing) throw new Error('The listeners are closing.');
      const listener = listeners.get(key) ?? createListener(place, options);
      listeners.set(key, listener);
      const port = await listener.add(route);
      const remove = async (): Promise<void> => {
        // An answer that is in hand may wait for whoever gives its route back, so nobody waits for it here.
        if (listener.remove(route) && !isClosing) closing.set(key, close(key, listener));
      };
      return { host: place.host, port, [Symbol.asyncDispose]: remove };
    },
    get places() {
      return [...listeners.values()].flatMap(({ places }) => places);
    },
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      await Promise.all([...[...listeners.values()].map((listener) => listener[Symbol.asyncDispose]()), ...closing.values()]);
    },
  };
}

function createListener(place: HttpPlace, options: HttpListenersOptions): Listener {
  const routes = new Map<string, HttpRoute>();
  const times = { ...HTTP_TIMES, ...options.times };
  let opening: Promise<RunningServer> | undefined;
  let port: number | undefined;
  let isClosing = false;
  const deps = { ...options, ...place, times, routes, isClosing: () => isClosing };
  return {
    add: async (route) => {
      if (routes.has(route.path)) throw new Error(`Something listens at ${route.path} already. Give one of them another path.`);
      routes.set(route.path, route);
      opening ??= startServer({ ...place, times, advice: options.advice }, (exchange) => handleRequest(exchange, deps));
      try {
        return (port = (await opening).port);
      } catch (error) {
        opening = undefined;
        routes.delete(route.path);
        throw error;
      }
    },
    get places() {
      const at = port;
      return at === undefined || isClosing ? [] : [...routes.keys()].map((path) => ({ host: place.host, port: at, path }));
    },
    remove: (route) => routes.get(route.path) === route && routes.delete(route.path) && routes.size === 0,
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      await (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

import { handleRequest } from './handle.ts';
import { startServer, type RunningServer } from './server.ts';
import { HTTP_TIMES, type HttpListeners, type HttpListenersOptions, type HttpPlace, type HttpRoute } from './contract.ts';

interface Listener extends AsyncDisposable {
  /** Gives the port. */
  add(route: HttpRoute): Promise<number>;
  remove(route: HttpRoute): void;
  readonly places: HttpListeners['places'];
}

/** One server for each address and port that something listens at, opened with its first route and closed with the last. */
export function createHttpListeners(options: HttpListenersOptions): HttpListeners {
  const listeners = new Map<string, Listener>();
  let isClosing = false;
  return {
    listen: async (route, at = {}) => {
      if (isClosing) throw new Error('The listeners are closing.');
      const place: HttpPlace = { host: at.host ?? options.host, port: at.port ?? options.port };
      const key = `${place.host} ${place.port}`;
      const listener = listeners.get(key) ?? createListener(place, options);
      listeners.set(key, listener);
      const port = await listener.add(route);
      return { host: place.host, port, [Symbol.asyncDispose]: async () => listener.remove(route) };
    },
    get places() {
      return [...listeners.values()].flatMap(({ places }) => places);
    },
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      await Promise.all([...listeners.values()].map((listener) => listener[Symbol.asyncDispose]()));
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
    remove: (route) => void (routes.get(route.path) === route && routes.delete(route.path)),
    [Symbol.asyncDispose]: async () => {
      isClosing = true;
      await (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

import type { HttpListeners } from '../../base/http-server/contract.ts';
import type { AccountSettings, AdapterOptions } from '../../contracts/platform-adapter.ts';
import type { SliceValues } from '../../contracts/settings.ts';
import type { gatewaySettings } from './settings.ts';

/** How adapters hear requests from outside: through the HTTP server of the gateway. */
export const listenThrough =
  (listeners: HttpListeners): NonNullable<AdapterOptions['listen']> =>
  ({ path, maxBytes, host, port, names, answer }) =>
    listeners.listen(
      {
        path,
        maxBytes,
        ...(names !== undefined && { names }),
        answer: ({ body, method, path: asked, headers }) => answer({ method, path: asked, headers, body }),
      },
      { ...(host !== undefined && { host }), ...(port !== undefined && { port }) },
    );

type ListenSettings = Pick<SliceValues<typeof gatewaySettings>, 'gateway.listen_host' | 'gateway.listen_port' | 'gateway.listen_names'>;

/** Where the gateway listens. An account that says by which address it is called, or at which port, is believed. */
export function describeListener(settings: ListenSettings, accounts: readonly { readonly settings: AccountSettings }[]) {
  const extras = accounts.map(({ settings: { extra } }) => extra);
  const named = extras.flatMap(({ webhook_url: url }) => (typeof url === 'string' && URL.canParse(url) ? [new URL(url).hostname] : []));
  const port = extras.map(({ webhook_port: one }) => one).find((one) => typeof one === 'number');
  return {
    host: settings['gateway.listen_host'],
    port: port ?? settings['gateway.listen_port'],
    names: [...settings['gateway.listen_names'], ...named],
  };
}

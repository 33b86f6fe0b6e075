import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Site {
  /** A name, not an address: it has to be looked up. */
  readonly url: string;
  readonly port: number;
  /** Paths that were asked for, in order, with what was sent. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}
type Answer = (request: IncomingMessage, response: ServerResponse, port: number) => void;

const html =
  (body: string, title = 'A page'): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><title>${title}</title>${body}`);

/** Real pages for a real browser. */
const PAGES: Readonly<Record<string, Answer>> = {
  '/form': html(
    `<h1>Order</h1><form action="/ordered"><input name="who" value="old name" aria-label="Name">
    <select name="size" aria-label="Size"><option>small<option>large</select>
    <input type="checkbox" name="gift" aria-label="Gift"><button>Send</button></form>`,
    'Order form',
  ),
  '/ordered': (request, response, port) =>
    html(`<p>Thanks for ${new URL(request.url ?? '', 'http://x').search}</p>`, 'Ordered')(request, response, port),
  '/dynamic': html(
    `<button id="add" onclick="setTimeout(() => { const p = document.createElement('p'); p.textContent = 'Arrived later'; document.body.append(p); this.remove(); }, 50)">Add</button>`,
  ),
  '/frames': html('<h1>Outer</h1><iframe src="/inner" title="inner"></iframe>'),
  '/inner': html(`<button onclick="this.textContent = 'Was pressed'">Press me</button>`),
  '/dialogs': html(`<button onclick="document.title = String(confirm('Really delete everything?')) + alert('Done')">Delete</button>`),
  '/files': html('<a href="/report.csv">Report</a>'),
  '/report.csv': (_request, response) =>
    void response.writeHead(200, { 'content-disposition': 'attachment; filename="..%2f..%2fevil name.csv"' }).end('a,b\n1,2\n'),
  '/noisy': html(
    `<script>console.log('hello', 42); console.error('it broke'); setTimeout(() => { throw new Error('nobody caught me') })</script>`,
  ),
  '/huge': html(`<main>${Array.from({ length: 6_000 }, (_, n) => `<p>Row number ${n}</p>`).join('')}<button>The last one</button></main>`),
  '/circle': (_request, response) => void response.writeHead(302, { location: '/circle' }).end(),
  '/to-metadata': (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/tabs': html('<a href="/form" target="_blank">Open it</a>'),
  '/images': html('<img src="/dot.png" alt="A dot"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="inline">'),
  '/dot.png': (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'image/png' })
      .end(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==', 'base64')),
  '/hangs': html('<button onclick="for (;;);">Hang</button>'),
  '/tall': html('<div style="height: 5000px">Top</div><p>Bottom</p>'),
  '/picture': html(
    `<body style="margin:0;background:#fff"><h1>Blue square</h1><div style="width:200px;height:200px;background:#00f"></div><button>Go on</button>`,
  ),
  '/missing': (_request, response) =>
    void response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Nothing</title><p>No such page</p>'),
  '/snoop': (request, response, port) =>
    html(
      `<ul id="list"></ul><script>
      const tell = (what, ok) => { const li = document.createElement('li'); li.textContent = what + (ok ? ' REACHED' : ' blocked'); list.append(li); };
      const tries = ['http://10.1.2.3/x', 'http://169.254.169.254/y', 'http://localhost:${port}/secret', 'http://[::1]:${port}/secret', 'http://private.test:${port}/secret',
        'https://192.168.7.7/z', 'file:///etc/passwd', 'http://127.0.0.2:${port}/secret'];
      for (const url of tries) fetch(url).then((answer) => answer.text()).then(() => tell(url, true)).catch(() => tell(url, false));
      for (const url of ['ws://10.9.9.9/ws', 'ws://localhost:${port}/ws']) { const socket = new WebSocket(url); socket.onopen = () => tell(url, true); socket.onerror = () => tell(url, false); }
      const frame = document.createElement('iframe'); frame.src = 'http://private.test:${port}/secret'; document.body.append(frame);
      </script>`,
      'Snoop',
    )(request, response, port),
  '/secret': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('<p>The inner secret</p>'),
};

export async function startSite(): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    asked.push(`${request.headers.host?.split(':')[0]}${request.url}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens
    const { port } = server.address() as AddressInfo;
    (PAGES[path] ?? ((_request, unknown) => unknown.writeHead(404).end()))(request, response, port);
  });
  // On every address of this machine's loopback, so that a way round the gate would be noticed.
  await new Promise<void>((resolve) => server.listen(0, '::', resolve).unref());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://site.test:${port}`,
    port,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

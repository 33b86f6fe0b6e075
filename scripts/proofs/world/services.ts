import { createSocket } from 'node:dgram';
import { appendFileSync, chmodSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { readHelloName } from '../../../src/parts/terminals/network/client-hello.ts';
import { RELAYED } from './relay.ts';
import type { WorldOrder } from './row.ts';

/** The servers of the throw-away machine: somebody else's host that keeps what it is sent, and services of the owner's own. */
const LOG = process.env['SINK_LOG'] ?? '/var/log/world/sink.log';
const ELSEWHERE = '8.7.6.5';
const note = (words: string | Buffer): void => appendFileSync(LOG, Buffer.concat([Buffer.from(words), Buffer.from('\n')]));

/** A page with the words a row has for the agent. */
const order = JSON.parse(readFileSync('/mnt/order.json', 'utf8')) as Pick<WorldOrder, 'foreign' | 'online'>;
const PAGE = Buffer.from(order.foreign?.text ?? 'ok');
const reply = (body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
    ),
    body,
  ]);

/** Everything that arrives, to the byte, and a plain yes. */
function collect(socket: Socket): void {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const head = chunk.toString('latin1');
    if (head.startsWith('GET /page ')) return void socket.write(reply(PAGE));
    note(chunk);
    if (/^[A-Z]+ \S+ HTTP/.test(head)) socket.write(reply(Buffer.from('ok')));
  });
}
/** With a network, registries are reached by the relay outside; the name they are called by stands in the first bytes. */
function relay(socket: Socket): void {
  socket.on('error', () => {});
  let hello = Buffer.alloc(0);
  socket.on('data', function read(chunk: Buffer) {
    hello = Buffer.concat([hello, chunk]);
    const told = readHelloName(hello);
    if (told.type === 'partial') return;
    socket.off('data', read);
    const host = told.type === 'tls' ? told.name : undefined;
    if (host === undefined || !RELAYED.has(host)) return void socket.destroy();
    const outside = connect('/mnt/relay/socket');
    outside.on('error', () => socket.destroy());
    outside.write(`${host}\n`);
    outside.write(hello);
    outside.pipe(socket).pipe(outside);
  });
}
const listen = (port: number, host: string): Promise<void> =>
  new Promise((ready) => createServer(port === 443 && order.online === true ? relay : collect).listen(port, host, () => ready()));

/** Names below `leak.example` are noted; every name but ours is unknown. */
function answerNames(): Promise<void> {
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
      at += length + 1;
    }
    const name = labels.join('.');
    note(`dns ${name}`);
    const known = name === 'collect.example' || name.endsWith('.leak.example') || (order.online === true && RELAYED.has(name));
    const question = query.subarray(12, at + 5);
    const isAddress = query.readUInt16BE(at + 1) === 1;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(known && isAddress ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...ELSEWHERE.split('.').map(Number)]);
    server.send(Buffer.concat([head, question, ...(known && isAddress ? [answer] : [])]), from.port, from.address);
  });
  return new Promise((ready) => server.bind(53, ELSEWHERE, () => ready()));
}

const owners = (what: string) =>
  createHttpServer((request, response) => {
    if (what !== 'local' || request.method !== 'GET') note(`${what} ${request.method} ${request.url}`);
    request.resume();
    response.end(what === 'local' ? 'CANARY-local' : '{}');
  });

await Promise.all([
  ...[80, 443, 8080, 8081, 22].map((port) => listen(port, ELSEWHERE)),
  answerNames(),
  new Promise<void>((ready) => owners('local').listen(9200, '127.0.0.1', () => ready())),
  new Promise<void>((ready) => owners('docker').listen('/run/docker.sock', () => ready())),
]);
chmodSync('/run/docker.sock', 0o666);
console.log('ready');

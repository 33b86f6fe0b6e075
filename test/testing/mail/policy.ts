import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** What postfix asks about a mail: who sends it to whom. */
export interface PolicyQuestion {
  readonly sender: string;
  readonly recipient: string;
}
/** Asked by postfix for every recipient (its policy protocol). The answer is an action: `DUNNO`, `450 4.7.1 …`, `PREPEND Field: …`. */
export interface MailPolicy extends AsyncDisposable {
  readonly port: number;
  decide: (question: PolicyQuestion) => string;
}

export async function startPolicy(): Promise<MailPolicy> {
  const sockets = new Set<Socket>();
  const policy: Pick<MailPolicy, 'decide'> = { decide: () => 'DUNNO' };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let said = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      for (let end = said.indexOf('\n\n'); end >= 0; end = said.indexOf('\n\n')) {
        const attributes = new Map(
          said
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
        );
        said = said.slice(end + 2);
        socket.write(
          `action=${policy.decide({ sender: attributes.get('sender') ?? '', recipient: attributes.get('recipient') ?? '' })}\n\n`,
        );
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(policy, {
    port: Number(Object(server.address()).port),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

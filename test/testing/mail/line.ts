import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A line to a server on which things go wrong when they are told to. */
export interface FaultyLine extends AsyncDisposable {
  readonly port: number;
  /** Connections that are open now. */
  count(): number;
  /** The most there ever were. */
  most(): number;
  /** Cuts all of them. */
  drop(): void;
  /** Whoever connects is cut off before anything is read. */
  refuse(): Disposable;
  /** Nothing comes from the server any more, and nothing says so. */
  deafen(): Disposable;
  /** After the next mail that is handed over, nothing comes from the server on that connection: its answer to it is lost. */
  withholdNext(): Disposable;
  /** Called when the server has taken a mail, before that is told. */
  onTaken: (() => void) | undefined;
}

/** `rewrite` changes what the server says. */
export async function openLine(to: () => number, rewrite = (bytes: Buffer): Buffer => bytes): Promise<FaultyLine> {
  const faults = { refused: 0, deaf: 0, withheld: 0 };
  const open = new Set<Socket>();
  let most = 0;
  const begin = (fault: keyof typeof faults): Disposable => {
    faults[fault]++;
    return { [Symbol.dispose]: () => void (faults[fault] = Math.max(0, faults[fault] - 1)) };
  };
  const server = createServer({ allowHalfOpen: false }, (client) => {
    client.on('error', () => client.destroy());
    if (faults.refused > 0) return void client.destroy();
    open.add(client);
    most = Math.max(most, open.size);
    const far = connect(to(), '127.0.0.1');
    const state = { isMute: false, isHandedOver: false };
    far.on('error', () => client.destroy());
    far.on('close', () => client.destroy());
    client.on('close', () => {
      open.delete(client);
      far.destroy();
    });
    client.on('data', (bytes: Buffer) => {
      state.isHandedOver ||= bytes.subarray(-5).toString('latin1') === '\r\n.\r\n';
      if (faults.withheld > 0 && state.isHandedOver) {
        faults.withheld--;
        state.isMute = true;
      }
      far.write(bytes);
    });
    far.on('data', (bytes: Buffer) => {
      if (state.isHandedOver && bytes.toString('latin1', 0, 3) === '250') line.onTaken?.();
      if (faults.deaf === 0 && !state.isMute) client.write(rewrite(bytes));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of open) socket.destroy();
  };
  const line: FaultyLine = {
    port: Number(Object(server.address()).port),
    count: () => open.size,
    most: () => most,
    drop,
    refuse: () => {
      drop();
      return begin('refused');
    },
    deafen: () => begin('deaf'),
    withholdNext: () => begin('withheld'),
    onTaken: undefined,
    [Symbol.asyncDispose]: async () => {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}

import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** Hands a mail to dovecot as postfix does (LMTP), or to postfix as a program of a person does. */
export interface PostOptions {
  readonly port: number;
  readonly protocol: 'lmtp' | 'smtp';
  readonly from: string;
  readonly to: string;
}

export async function postMail(raw: string | Buffer, { port, protocol, from, to }: PostOptions): Promise<void> {
  await using line = await openPost({ port, protocol });
  await line.post(raw, from, to);
}

export interface OpenPost extends AsyncDisposable {
  /** One after the other, in order. `from` is empty for a mail that wants no answer. */
  post(raw: string | Buffer, from: string, to: string): Promise<void>;
}
export async function openPost({ port, protocol }: Pick<PostOptions, 'port' | 'protocol'>): Promise<OpenPost> {
  const connection = new SMTPConnection({ port, host: '127.0.0.1', lmtp: protocol === 'lmtp', ignoreTLS: true });
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject);
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  return {
    post: (raw, from, to) =>
      new Promise<void>((resolve, reject) => {
        const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
        connection.send({ from: from === '' ? false : from, to: [to] }, bytes, (error, info) => {
          const refused = error ?? info?.rejectedErrors?.[0];
          if (refused) reject(refused);
          else resolve();
        });
      }),
    [Symbol.asyncDispose]: async () => connection.quit(),
  };
}

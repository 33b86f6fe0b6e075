import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';
import { UsageError } from '../../../base/errors.ts';

/** How every file in the age format begins. */
const AGE_HEAD = 'age-encryption.org/v1\n';

export function isEncryptedFile(file: string): boolean {
  const head = Buffer.alloc(AGE_HEAD.length);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, head, 0, head.length, 0);
  } finally {
    closeSync(opened);
  }
  return head.toString('latin1') === AGE_HEAD;
}

/** In the age format: the program `age` opens it as well. */
export async function encrypt(plain: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return Readable.from(await encrypter.encrypt(toBytes(plain)));
}

export const decrypt = (file: string, passphrase: string): Readable => Readable.from(readDecrypted(file, passphrase));

/** Every piece has a tag of its own, so damage can show up anywhere in the file, not only at its beginning. */
async function* readDecrypted(file: string, passphrase: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    yield* await decrypter.decrypt(toBytes(createReadStream(file)));
  } catch (error) {
    throw new UsageError(`${file} could not be opened: the passphrase is wrong, or the file is damaged.`, { cause: error });
  }
}

const toBytes = (stream: Readable): ReadableStream<Uint8Array> =>
  ReadableStream.from(
    (async function* () {
      for await (const chunk of stream) yield new Uint8Array(chunk);
    })(),
  );

import { randomBytes } from 'node:crypto';
import type { JsonObject } from '../../base/json-types.ts';

/** What stands before and behind the one file of a form. */
export interface MultipartFrame {
  readonly type: string;
  readonly length: number;
  readonly head: Buffer;
  readonly tail: Buffer;
}

export function frameMultipart(
  params: JsonObject,
  file: { readonly field: string; readonly name: string; readonly mime: string; readonly bytes: number },
): MultipartFrame {
  const boundary = `hermes-${randomBytes(12).toString('hex')}`;
  const part = (disposition: string): string => `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n`;
  const fields = Object.entries(params).map(
    ([name, value]) => `${part(`name="${name}"`)}\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  );
  // A name can neither end its quotes nor begin another header.
  const name = file.name.replaceAll(/["\r\n\\]/g, '_');
  const mime = file.mime.replaceAll(/[^\w/.+-]/g, '');
  const head = Buffer.from(`${fields.join('')}${part(`name="${file.field}"; filename="${name}"`)}content-type: ${mime}\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return { type: `multipart/form-data; boundary=${boundary}`, length: head.length + file.bytes + tail.length, head, tail };
}

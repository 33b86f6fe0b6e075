/** One field of a multipart form; a file has a name. */
export interface FormPart {
  readonly name: string;
  readonly fileName?: string;
  readonly mime?: string;
  readonly bytes: Uint8Array;
}

/** As lenient as Telegram: clients write the names of files with and without quotes. */
export function parseMultipart(body: Buffer, contentType: string): FormPart[] {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const mark = Buffer.from(`\r\n--${boundary?.[1] ?? boundary?.[2] ?? ''}`);
  const all = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: FormPart[] = [];
  let start = all.indexOf(mark);
  while (start >= 0) {
    const from = start + mark.length;
    const end = all.indexOf(mark, from);
    if (end < 0) break;
    parts.push(parsePart(all.subarray(from + 2, end)));
    start = end;
  }
  return parts;
}

function parsePart(part: Buffer): FormPart {
  const split = part.indexOf('\r\n\r\n');
  const head = part.subarray(0, split).toString('utf8');
  const fileName = parameterOf(head, 'filename');
  const mime = /^content-type:\s*([^\r\n;]+)/im.exec(head)?.[1];
  return {
    name: parameterOf(head, 'name') ?? '',
    ...(fileName !== undefined && { fileName }),
    ...(mime !== undefined && { mime }),
    bytes: part.subarray(split + 4),
  };
}

const parameterOf = (head: string, name: string): string | undefined => {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\r\\n]+))`, 'i').exec(head);
  return found?.[1] ?? found?.[2];
};

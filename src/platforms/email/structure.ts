import type { MediaKind } from '../../contracts/platform-adapter.ts';

/** The parts of a mail as the server describes them (BODYSTRUCTURE). */
export interface MailNode {
  /** The number by which it can be fetched; absent for a mail that is one part. */
  readonly part?: string | undefined;
  /** In lower case: `text/plain`. */
  readonly type: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly disposition?: string | undefined;
  readonly dispositionParameters?: Readonly<Record<string, string>> | undefined;
  /** As it is sent, encoded. */
  readonly size?: number | undefined;
  readonly encoding?: string | undefined;
  readonly envelope?: { readonly subject?: string | undefined } | undefined;
  readonly childNodes?: readonly MailNode[] | undefined;
}
/** What a mail is made of: words to read in order, and files. */
export interface MailParts {
  /** Each is one text; of several forms of it all are named, the plain one first. */
  readonly texts: readonly TextForms[];
  readonly files: readonly FilePart[];
}
export interface TextForms {
  readonly plain?: MailNode;
  readonly html?: MailNode;
}
export interface FilePart {
  readonly kind: Exclude<MediaKind, 'sticker' | 'voice'>;
  readonly mime: string;
  readonly name?: string;
  /** Absent: the mail itself is the file. */
  readonly part?: string;
  /** As it is sent, encoded. */
  readonly size?: number;
}

const MAX_DEPTH = 20;
const MAX_TEXTS = 10;
const MAX_FILES = 50;
/** Parts that only machines read. */
const UNREAD =
  /^(?:application\/(?:pgp-signature|(?:x-)?pkcs7-signature|pgp-encrypted|ms-tnef-signature)|message\/(?:delivery-status|disposition-notification)|text\/x-amp-html)$/;

export function readParts(root: MailNode): MailParts {
  const { texts, files } = walk(root, 0);
  return { texts: texts.slice(0, MAX_TEXTS), files: files.slice(0, MAX_FILES) };
}

const NOTHING: MailParts = { texts: [], files: [] };

function walk(node: MailNode, depth: number): MailParts {
  if (depth > MAX_DEPTH || UNREAD.test(node.type)) return NOTHING;
  const children = node.type === 'message/rfc822' ? undefined : node.childNodes;
  if (children !== undefined) {
    const parts = children.map((child) => walk(child, depth + 1));
    const texts = parts.flatMap((each) => each.texts);
    return { texts: node.type === 'multipart/alternative' ? mergeForms(texts) : texts, files: parts.flatMap(({ files }) => files) };
  }
  if (isFile(node)) return { texts: [], files: [toFile(node)] };
  return { texts: [node.type === 'text/html' ? { html: node } : { plain: node }], files: [] };
}

/** Alternatives are one text in several forms; what stands in only one of them (a picture between words) makes it longer. */
function mergeForms(texts: readonly TextForms[]): TextForms[] {
  const plain = texts.flatMap((text) => text.plain ?? []);
  const html = texts.flatMap((text) => text.html ?? []);
  const count = Math.max(plain.length, html.length);
  return Array.from({ length: count }, (_, index) => ({
    ...(plain[index] !== undefined && { plain: plain[index] }),
    ...(html[index] !== undefined && { html: html[index] }),
  }));
}

const READ_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/html', 'text/enriched', 'text', '']);
const isFile = ({ type, disposition, ...node }: MailNode): boolean =>
  disposition?.toLowerCase() === 'attachment' || !READ_TYPES.has(type) || nameOf({ type, ...node }) !== undefined;

const nameOf = ({ parameters, dispositionParameters }: MailNode): string | undefined =>
  dispositionParameters?.['filename'] ?? parameters?.['name'];

function toFile(node: MailNode): FilePart {
  const { type, part, size, envelope } = node;
  const name = nameOf(node) ?? usualName(type, envelope?.subject);
  return {
    kind: kindOf(type),
    mime: type,
    ...(name !== undefined && { name }),
    ...(part !== undefined && { part }),
    ...(size !== undefined && { size }),
  };
}

const kindOf = (type: string): FilePart['kind'] => {
  const [major] = type.split('/');
  return major === 'image' || major === 'audio' || major === 'video' ? major : 'document';
};

/** Names of files that come without one. */
const usualName = (type: string, subject: string | undefined): string | undefined => {
  if (type === 'text/calendar') return 'invite.ics';
  return type === 'message/rfc822'
    ? `${
        subject
          ?.replaceAll(/[^\p{L}\p{N}._-]+/gu, ' ')
          .trim()
          .slice(0, 80) || 'mail'
      }.eml`
    : undefined;
};

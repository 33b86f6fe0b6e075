/** Mails as they come in the wild: every common character set in every encoding, and structures that are odd or broken. Generated. */
export interface OddMail {
  readonly what: string;
  /** Fields besides those that every mail has. */
  readonly fields: readonly string[];
  /** From its content fields on, with the blank line before the body. */
  readonly content: Buffer;
  /** What is read of it. */
  readonly text: string;
  /** Names of its files. */
  readonly files?: readonly string[];
}

/** A phrase in a character set; its bytes are as other programs make them. */
const PHRASES: readonly (readonly [charset: string, text: string, base64: string])[] = [
  ['utf-8', 'Grüße aus Köln, 你好, שלום, 😀', 'R3LDvMOfZSBhdXMgS8O2bG4sIOS9oOWlvSwg16nXnNeV150sIPCfmIA='],
  ['UTF8', 'naïve façade 日本', 'bmHDr3ZlIGZhw6dhZGUg5pel5pys'],
  ['iso-8859-1', 'Grüße, señor, ça va', 'R3L832UsIHNl8W9yLCDnYSB2YQ=='],
  ['latin1', 'Æther øl åre', 'xnRoZXIg+Gwg5XJl'],
  ['iso-8859-2', 'Zażółć gęślą jaźń', 'WmG/87PmIGfqtmyxIGphvPE='],
  ['iso-8859-5', 'Привет, мир', 'v+DY0tXiLCDc2OA='],
  ['iso-8859-7', 'Καλημέρα κόσμε', 'yuHr5+zd8eEg6vzz7OU='],
  ['iso-8859-8', 'שלום עולם', '+ezl7SDy5ezt'],
  ['iso-8859-9', 'Iğdır şöyle', 'SfBk/XIg/vZ5bGU='],
  ['iso-8859-15', 'Zehn Euro: 10 €, œuvre', 'WmVobiBFdXJvOiAxMCCkLCC9dXZyZQ=='],
  ['windows-1250', 'Příliš žluťoučký kůň', 'UPjtbGmaIJ5sdZ1vdehr/SBr+fI='],
  ['windows-1251', 'Съешь ещё этих булок', '0frl+Pwg5fm4IP3y6PUg4fPr7uo='],
  ['windows-1252', '“Quotes” – and €uro', 'k1F1b3Rlc5QgliBhbmQggHVybw=='],
  ['windows-1253', 'Ελληνικά εδώ', 'xevr5+3p6twg5eT+'],
  ['windows-1254', 'Türkçe ağaç', 'VPxya+dlIGHwYec='],
  ['windows-1255', 'עברית כאן', '8uH46fog6+Dv'],
  ['windows-1256', 'مرحبا بالعالم', '49HNyMcgyMfh2sfh4w=='],
  ['windows-1257', 'Ąžuolas žydi', 'wP51b2xhcyD+eWRp'],
  ['koi8-r', 'Русский текст', '8tXT08vJyiDUxcvT1A=='],
  ['koi8-u', 'Українська мова її', '9cvSwafO09jLwSDNz9fBIKen'],
  ['cp866', 'Старый текст', 'keKg4OupIOKlquHi'],
  ['shift_jis', 'こんにちは世界', 'grGC8YLJgr+CzZCiikU='],
  ['euc-jp', '日本語の手紙', 'xvzL3LjspM686rvm'],
  ['iso-2022-jp', '日本語のメール', 'GyRCRnxLXDhsJE4lYSE8JWsbKEI='],
  ['gb2312', '你好世界', 'xOO6w8rAvec='],
  ['gbk', '漢字簡體', 'nWjX1rqG83c='],
  ['gb18030', '中文𠀀字符', '1tDOxJUygjbX1rf7'],
  ['big5', '繁體中文信件', 'wWPF6aSkpOWrSKXz'],
  ['euc-kr', '안녕하세요', 'vsiz58fPvLy/5A=='],
  ['ks_c_5601-1987', '한국어 편지', 'x9Gxub7uIMbtwfY='],
  ['tis-620', 'สวัสดีชาวโลก', 'ysfRyrTVqtLH4sWh'],
  ['macintosh', 'Größe naïve', 'R3Kap2UgbmGVdmU='],
];

/** All of them; each asks for the same thing, which stands in ASCII behind the odd words. */
export function createCorpus(order: (index: number) => string): readonly OddMail[] {
  const makers = [...PHRASES.flatMap((phrase) => ENCODINGS.map((encode) => (ask: string) => encode(phrase, ask))), ...STRUCTURES];
  return makers.map((make, index) => make(order(index)));
}

type Phrase = (typeof PHRASES)[number];
type MakeMail = (ask: string) => OddMail;

const bytesOf = ([, , base64]: Phrase, before: string, behind: string): Buffer =>
  Buffer.concat([Buffer.from(before), Buffer.from(base64, 'base64'), Buffer.from(behind)]);
const contentOf = (fields: readonly string[], body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n\r\n`), typeof body === 'string' ? Buffer.from(body) : body]);
const toQuotedPrintable = (bytes: Buffer): string =>
  Array.from(
    bytes,
    (byte, index) =>
      `${byte === 13 || byte === 10 || (byte > 32 && byte < 127 && byte !== 61) ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`}${index % 20 === 19 && byte !== 13 && byte !== 10 ? '=\r\n' : ''}`,
  ).join('');
const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll(/(.{20})/g, '$1\r\n');

/** One phrase in five encodings. */
const ENCODINGS: readonly ((phrase: Phrase, ask: string) => OddMail)[] = [
  (phrase, ask) => ({
    what: `${phrase[0]} as it is`,
    fields: ['MIME-Version: 1.0'],
    content: contentOf(
      [`Content-Type: text/plain; charset=${phrase[0]}`, 'Content-Transfer-Encoding: 8bit'],
      bytesOf(phrase, '', `\r\n${ask}\r\n`),
    ),
    text: `${phrase[1]}\n${ask}`,
  }),
  (phrase, ask) => ({
    what: `${phrase[0]} in quoted-printable, with signs that are cut in two`,
    fields: [],
    content: contentOf(
      [`Content-Type: TEXT/PLAIN; CHARSET="${phrase[0].toUpperCase()}"`, 'Content-Transfer-Encoding: Quoted-Printable'],
      toQuotedPrintable(bytesOf(phrase, '', `\r\n${ask}\r\n`)),
    ),
    text: `${phrase[1]}\n${ask}`,
  }),
  (phrase, ask) => ({
    what: `${phrase[0]} in base64`,
    fields: ['Subject: Re: again'],
    content: contentOf(
      [`Content-Type: text/plain;\r\n\tcharset=${phrase[0]};\r\n\tformat=fixed`, 'Content-Transfer-Encoding: BASE64'],
      toBase64(bytesOf(phrase, '', `\r\n${ask}`)),
    ),
    text: `${phrase[1]}\n${ask}`,
  }),
  (phrase, ask) => ({
    what: `${phrase[0]} as HTML`,
    fields: [],
    content: contentOf(
      [`Content-Type: text/html; charset=${phrase[0]}`, 'Content-Transfer-Encoding: quoted-printable'],
      toQuotedPrintable(bytesOf(phrase, '<html><body><p>', `</p><p>${ask}</p></body></html>`)),
    ),
    text: `${phrase[1]}\n\n${ask}`,
  }),
  (phrase, ask) => ({
    what: `${phrase[0]} in the subject, and in a form beside an empty one`,
    fields: [`Subject: =?${phrase[0]}?B?${phrase[2]}?=`],
    content: contentOf(
      ['Content-Type: multipart/alternative; boundary="=_b"'],
      Buffer.concat([
        Buffer.from('--=_b\r\nContent-Type: text/plain\r\n\r\n \r\n--=_b\r\n'),
        contentOf(
          [`Content-Type: text/html; charset=${phrase[0]}`, 'Content-Transfer-Encoding: base64'],
          toBase64(bytesOf(phrase, '<div>', `<br>${ask}</div>`)),
        ),
        Buffer.from('\r\n--=_b--\r\n'),
      ]),
    ),
    text: `[Subject: ${phrase[1]}]\n\n${phrase[1]}\n${ask}`,
  }),
];

const plain = (what: string, fields: readonly string[], body: string | Buffer, text: string, more: Partial<OddMail> = {}): OddMail => ({
  what,
  fields: [],
  content: contentOf(fields, body),
  text,
  ...more,
});
const part = (fields: readonly string[], body: string): string => `--B\r\n${fields.join('\r\n')}\r\n\r\n${body}\r\n`;
const multi = (what: string, kind: string, parts: readonly string[], text: string, more: Partial<OddMail> = {}): OddMail =>
  plain(what, [`Content-Type: multipart/${kind}; boundary=B`], `${parts.join('')}--B--\r\n`, text, more);
const TEXT = ['Content-Type: text/plain; charset=utf-8'];
const HTML = ['Content-Type: text/html; charset=utf-8'];
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const STRUCTURES: readonly MakeMail[] = [
  (ask) => plain('no content fields at all', [], ask, ask),
  (ask) => plain('UTF-8 that says nothing', ['Content-Type: text/plain'], `Grüße ✓\r\n${ask}`, `Grüße ✓\n${ask}`),
  (ask) => plain('UTF-8 that says it is ASCII', ['Content-Type: text/plain; charset=us-ascii'], `Grüße ✓\r\n${ask}`, `Grüße ✓\n${ask}`),
  (ask) =>
    plain('Latin-1 that says nothing', ['Content-Type: text/plain'], Buffer.from(`Gr\xfc\xdfe\r\n${ask}`, 'latin1'), `Grüße\n${ask}`),
  (ask) => plain('a character set nobody knows', ['Content-Type: text/plain; charset=x-unknown-8bit'], `Grüße\r\n${ask}`, `Grüße\n${ask}`),
  (ask) =>
    plain(
      'quoted-printable UTF-8 that says nothing',
      ['Content-Transfer-Encoding: quoted-printable'],
      `Gr=C3=BC=C3=9Fe=\r\n!\r\n${ask}`,
      `Grüße!\n${ask}`,
    ),
  (ask) =>
    plain(
      'UTF-16 in base64',
      ['Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64'],
      Buffer.from(`Grüße\r\n${ask}`, 'utf16le').toString('base64'),
      `Grüße\n${ask}`,
    ),
  (ask) =>
    plain(
      'base64 with blanks and dashes in it',
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64'],
      Buffer.from(`Hej\r\n${ask}`)
        .toString('base64')
        .replaceAll(/(.{8})/g, '$1 \r\n'),
      `Hej\n${ask}`,
    ),
  (ask) =>
    plain(
      'quoted-printable with signs that are none',
      [...TEXT, 'Content-Transfer-Encoding: quoted-printable'],
      `100=zz %=\r\n!\r\n${ask}`,
      `100=zz %!\n${ask}`,
    ),
  (ask) =>
    plain(
      'flowing lines',
      ['Content-Type: text/plain; charset=utf-8; format=flowed'],
      `These words \r\nflow on.\r\n${ask}`,
      `These words flow on.\n${ask}`,
    ),
  (ask) =>
    plain(
      'flowing lines without their blanks',
      ['Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes'],
      `漢 \r\n字\r\n${ask}`,
      `漢字\n${ask}`,
    ),
  (ask) => plain('a very long line', TEXT, `${'x'.repeat(20_000)}\r\n${ask}`, `${'x'.repeat(20_000)}\n${ask}`),
  (ask) => plain('signs that cannot be seen', TEXT, `a\u0007b\u001Bc\r\n${ask}`, `abc\n${ask}`),
  (ask) => plain('lines that end in every way', TEXT, `one\ntwo\r\nthree\r\n${ask}`, `one\ntwo\nthree\n${ask}`),
  (ask) => plain('families of signs and both directions', TEXT, `👩‍👩‍👧 שלום (a) 🇨🇭\r\n${ask}`, `👩‍👩‍👧 שלום (a) 🇨🇭\n${ask}`),
  (ask) =>
    plain('a subject in pieces of two encodings', TEXT, ask, `[Subject: Größe こんに done]\n\n${ask}`, {
      fields: ['Subject: =?utf-8?q?Gr=C3=B6=C3=9F?=', ' =?iso-8859-1?Q?e?= =?utf-8?B?IOOBk+OCk+OBqw==?= done'],
    }),
  (ask) => plain('a raw subject in UTF-8', TEXT, ask, `[Subject: Grüße 漢字]\n\n${ask}`, { fields: ['Subject: Grüße 漢字'] }),
  (ask) =>
    plain('a subject with an encoded line end', TEXT, ask, `[Subject: one two]\n\n${ask}`, {
      fields: ['Subject: =?utf-8?q?one=0D=0Atwo?='],
    }),
  (ask) => plain('a subject and nothing else', TEXT, '', ask, { fields: [`Subject: ${ask}`] }),
  (ask) =>
    plain('an answer with what it answers', TEXT, `${ask}\r\n\r\nOn Monday, Ann wrote:\r\n> old words\r\n> quoted n9x9x9`, ask, {
      fields: ['Subject: Re: x'],
    }),
  (ask) =>
    plain(
      'HTML with a quotation',
      HTML,
      `<div>${ask}</div><div class="gmail_quote">On Monday, Ann wrote:<br><blockquote>quoted n9x9x9</blockquote></div>`,
      ask,
      { fields: ['Subject: Re: x'] },
    ),
  (ask) => plain('HTML without an end', HTML, `<html><body><p>Hi <b>there</p><p>${ask}`, `Hi there\n\n${ask}`),
  (ask) => plain('HTML with entities', HTML, `<p>a &amp; b &lt;c&gt; &#x1F600; &eacute;</p><p>${ask}</p>`, `a & b <c> 😀 é\n\n${ask}`),
  (ask) =>
    plain(
      'HTML with styles, scripts and pixels',
      HTML,
      `<style>p{}</style><script>x()</script><img src="https://t.test/p.gif" width=1><p>${ask}</p>`,
      ask,
    ),
  (ask) => multi('two forms', 'alternative', [part(TEXT, ask), part(HTML, `<p>${ask}</p>`)], ask),
  (ask) =>
    multi(
      'a form that only says that there is another',
      'alternative',
      [part(TEXT, 'See HTML.'), part(HTML, `<p>${'Many words. '.repeat(20)}</p><p>${ask}</p>`)],
      `${'Many words. '
        .repeat(20)
        .trim()
        .replaceAll(/(.{1,80})(?: |$)/g, '$1\n')
        .trim()}\n\n${ask}`,
    ),
  (ask) =>
    multi(
      'words, a picture, words',
      'mixed',
      [
        part(TEXT, 'Before.'),
        part(['Content-Type: image/png; name=dot.png', 'Content-Transfer-Encoding: base64', 'Content-Disposition: inline'], PNG),
        part(TEXT, ask),
      ],
      `Before.\n\n${ask}`,
      { files: ['dot.png'] },
    ),
  (ask) =>
    multi(
      'HTML with a picture inside',
      'related',
      [
        part(HTML, `<p>${ask}</p><img src="cid:p">`),
        part(
          [
            'Content-Type: image/png',
            'Content-ID: <p>',
            'Content-Transfer-Encoding: base64',
            'Content-Disposition: inline; filename=inside.png',
          ],
          PNG,
        ),
      ],
      ask,
      { files: ['inside.png'] },
    ),
  (ask) =>
    multi(
      'an invitation',
      'alternative',
      [part(TEXT, ask), part(['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], 'BEGIN:VCALENDAR\r\nEND:VCALENDAR')],
      ask,
      { files: ['invite.ics'] },
    ),
  (ask) =>
    multi(
      'a mail within a mail',
      'mixed',
      [part(TEXT, ask), part(['Content-Type: message/rfc822'], 'From: x@y.test\r\nSubject: Inner words\r\n\r\nquoted n9x9x9')],
      ask,
      { files: ['Inner words.eml'] },
    ),
  (ask) =>
    multi(
      'a file name in pieces',
      'mixed',
      [
        part(TEXT, ask),
        part(
          [
            "Content-Type: application/octet-stream; name*0*=utf-8''Gr%C3%BC; name*1*=%C3%9Fe; name*2=.bin",
            'Content-Disposition: attachment',
            'Content-Transfer-Encoding: base64',
          ],
          'AAEC',
        ),
      ],
      ask,
      { files: ['Grüße.bin'] },
    ),
  (ask) =>
    multi(
      'a file name in encoded words',
      'mixed',
      [
        part(TEXT, ask),
        part(
          [
            'Content-Type: application/pdf; name="=?utf-8?B?R3LDvMOfZS5wZGY=?="',
            'Content-Disposition: attachment; filename="=?utf-8?B?R3LDvMOfZS5wZGY=?="',
            'Content-Transfer-Encoding: base64',
          ],
          'JVBERg==',
        ),
      ],
      ask,
      { files: ['Grüße.pdf'] },
    ),
  (ask) =>
    multi(
      'a signed mail',
      'signed',
      [part(TEXT, ask), part(['Content-Type: application/pgp-signature; name=signature.asc'], '-----BEGIN PGP SIGNATURE-----')],
      ask,
    ),
  (ask) => plain('parts without an end', ['Content-Type: multipart/mixed; boundary=B'], `preface\r\n${part(TEXT, ask)}`, ask),
  (ask) =>
    plain(
      'a border with odd signs',
      ['Content-Type: multipart/mixed; boundary="=_(odd) \'b\'+/:?"'],
      `--=_(odd) 'b'+/:?\r\nContent-Type: text/plain\r\n\r\n${ask}\r\n--=_(odd) 'b'+/:?--\r\nbehind it`,
      ask,
    ),
  (ask) =>
    plain(
      'parts in parts in parts',
      ['Content-Type: multipart/mixed; boundary=A'],
      `--A\r\nContent-Type: multipart/mixed; boundary=B\r\n\r\n--B\r\nContent-Type: multipart/alternative; boundary=C\r\n\r\n--C\r\nContent-Type: text/plain\r\n\r\n${ask}\r\n--C--\r\n--B--\r\n--A--\r\n`,
      ask,
    ),
  (ask) => plain('a type with comments', ['Content-Type: text/plain (plain) ; charset=(what?) utf-8'], `Grüße\r\n${ask}`, `Grüße\n${ask}`),
  (ask) =>
    plain(
      'rich text of long ago',
      ['Content-Type: text/enriched; charset=us-ascii'],
      `<bold>Hi</bold>\r\n${ask}`,
      `<bold>Hi</bold>\n${ask}`,
    ),
  (ask) =>
    plain(
      'fields that are folded over and over',
      ['Content-Type:\r\n text/plain;\r\n\tcharset\r\n =\r\n utf-8'],
      `Grüße\r\n${ask}`,
      `Grüße\n${ask}`,
      { fields: ['Subject: Re: one', '\ttwo', ' three'] },
    ),
  (ask) => plain('a raw name in Latin-1 and a field that is none', TEXT, ask, ask, { fields: ['this is no field'] }),
];

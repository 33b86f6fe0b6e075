import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessSettings } from '../../../src/faces/gateway/access/access.ts';
import { authorise } from '../../../src/faces/gateway/access/access.ts';
import { parseSender, toAddressId } from '../../../src/platforms/email/address.ts';
import { verifySender, type AuthenticationRules } from '../../../src/platforms/email/authentication.ts';
import { explainAutomatic } from '../../../src/platforms/email/automatic.ts';
import { toInbound } from '../../../src/platforms/email/codec.ts';
import { parseHeader } from '../../../src/platforms/email/headers.ts';
import { keyOf, readThread } from '../../../src/platforms/email/thread.ts';

const OWNER = 'ann@example.com';
const LIST: AccessSettings = {
  allowAll: false,
  allowedUsers: [OWNER, 'ben@mail.example.com', 'zoe@xn--mller-kva.example'],
  allowedRoles: [],
  groupAllowedChats: [],
  groupAllowedUsers: [],
  allowBots: 'all',
  owners: [OWNER],
  everywhere: { allowAll: false, allowedUsers: [] },
  strangers: 'pair',
};
const RULES: AuthenticationRules = { serverId: 'mx.home', headers: 1, trusted: new Set(['kim@nowhere.test']) };
const PASS = 'Authentication-Results: mx.home; dmarc=pass header.from=example.com';
const FROM = `From: Ann <${OWNER}>`;

interface Case {
  readonly fields: readonly string[];
  readonly rules?: Partial<AuthenticationRules>;
  readonly access?: Partial<AccessSettings>;
}
/** What becomes of a mail with this header: who the author is to us, or that it is left aside. */
function decide({ fields, rules, access }: Case): 'owner' | 'guest' | 'stranger' | 'left aside' {
  const header = parseHeader(Buffer.from(`${fields.join('\r\n')}\r\nMessage-ID: <1@x>\r\n\r\n`));
  const author = parseSender(header);
  if (author === undefined) return 'left aside';
  if (explainAutomatic({ header, author: author.address, own: 'hermes@home.test' }) !== undefined) return 'left aside';
  const { verified } = verifySender(author, header, { ...RULES, ...rules });
  const [key, thread] = [keyOf(header), readThread(header)];
  const mail = { key, uid: 1, validity: '1', at: 0, author, isVerified: verified, thread, names: { subject: '' }, text: 'x', files: [] };
  const { chat, sender, isAddressed } = toInbound(mail, { byThread: false, skipsAttachments: false, address: 'hermes@home.test' });
  // Somebody paired the address once; that helps nobody who only says it is theirs.
  const { role } = authorise({ chat, sender, isAddressed, botChain: 0 }, { ...LIST, ...access }, (id) => id === 'paired@example.com');
  return role;
}

const results = (text: string): string => `Authentication-Results: ${text}`;

const CASES: readonly (readonly [what: string, expected: ReturnType<typeof decide>, Case])[] = [
  // Proofs that count.
  ['DMARC passed for the author', 'owner', { fields: [PASS, FROM] }],
  ['a signature of the author’s domain', 'owner', { fields: [results('mx.home; dkim=pass header.d=example.com'), FROM] }],
  ['a signature named by its identity', 'owner', { fields: [results('mx.home; dkim=pass header.i=@example.com'), FROM] }],
  [
    'a signature of the domain above',
    'guest',
    { fields: [results('mx.home; dkim=pass header.d=example.com'), 'From: ben@mail.example.com'] },
  ],
  ['SPF for the author’s own address', 'owner', { fields: [results(`mx.home; spf=pass smtp.mailfrom=${OWNER}`), FROM] }],
  ['SPF for the author’s domain, without a name', 'owner', { fields: [results('mx.home; spf=pass smtp.mailfrom=example.com'), FROM] }],
  [
    'no policy, but a signature',
    'owner',
    { fields: [results('mx.home; dmarc=none header.from=example.com; dkim=pass header.d=example.com'), FROM] },
  ],
  [
    'the second of two signatures',
    'owner',
    { fields: [results('mx.home; dkim=pass header.d=list.test; dkim=pass header.d=example.com'), FROM] },
  ],
  ['letters of any case', 'owner', { fields: [results('MX.Home; DMARC=Pass header.from=EXAMPLE.com'), 'From: ANN@Example.COM'] }],
  ['a version and comments', 'owner', { fields: [results('mx.home (ours) 1; dmarc=pass (p=none) header.from=example.com'), FROM] }],
  ['trust_from without any proof', 'stranger', { fields: ['From: kim@nowhere.test'] }],
  [
    'trust_from and a list that has the address',
    'guest',
    { fields: ['From: kim@nowhere.test'], access: { allowedUsers: ['kim@nowhere.test'] } },
  ],
  [
    'the second field of a server that writes two',
    'owner',
    { fields: [results('mx.home; spf=none'), results('mx.home; dkim=pass header.d=example.com'), FROM], rules: { headers: 2 } },
  ],
  // No proof, or another one's.
  ['no result at all', 'stranger', { fields: [FROM] }],
  ['a server nobody named', 'stranger', { fields: [results('mx.other; dmarc=pass header.from=example.com'), FROM] }],
  ['no server is named in the settings', 'stranger', { fields: [PASS, FROM], rules: { serverId: undefined } }],
  [
    'the name of our server as the beginning of another',
    'stranger',
    { fields: [results('mx.home.evil.test; dmarc=pass header.from=example.com'), FROM] },
  ],
  ['a forged field below the true one', 'stranger', { fields: [results('mx.home; dmarc=fail header.from=example.com'), PASS, FROM] }],
  ['a forged field below one that says less', 'stranger', { fields: [results('mx.home; spf=softfail smtp.mailfrom=x.test'), PASS, FROM] }],
  [
    'a third field of a server that writes two',
    'stranger',
    { fields: [results('mx.home; spf=none'), results('mx.home; none'), PASS, FROM], rules: { headers: 2 } },
  ],
  [
    'DMARC failed although a signature passed',
    'stranger',
    { fields: [results('mx.home; dmarc=fail header.from=example.com; dkim=pass header.d=example.com'), FROM] },
  ],
  ['DMARC passed for another domain', 'stranger', { fields: [results('mx.home; dmarc=pass header.from=evil.test'), FROM] }],
  ['a signature of another domain', 'stranger', { fields: [results('mx.home; dkim=pass header.d=evil.test'), FROM] }],
  ['a signature of a domain below', 'stranger', { fields: [results('mx.home; dkim=pass header.d=sub.example.com'), FROM] }],
  ['a signature of a domain that ends alike', 'stranger', { fields: [results('mx.home; dkim=pass header.d=notexample.com'), FROM] }],
  ['a signature of everything that is called com', 'stranger', { fields: [results('mx.home; dkim=pass header.d=com'), FROM] }],
  ['a signature that failed', 'stranger', { fields: [results('mx.home; dkim=fail header.d=example.com'), FROM] }],
  ['SPF for somebody else at the domain', 'stranger', { fields: [results('mx.home; spf=pass smtp.mailfrom=eve@example.com'), FROM] }],
  ['SPF for another domain', 'stranger', { fields: [results('mx.home; spf=pass smtp.mailfrom=ann@evil.test'), FROM] }],
  ['SPF for what the other server called itself', 'stranger', { fields: [results('mx.home; spf=pass smtp.helo=example.com'), FROM] }],
  ['a result inside a comment', 'stranger', { fields: [results('mx.home; spf=none (dmarc=pass header.from=example.com)'), FROM] }],
  ['a result inside a reason', 'stranger', { fields: [results('mx.home; spf=fail reason="; dmarc=pass header.from=example.com"'), FROM] }],
  [
    'a result inside a quoted address',
    'stranger',
    { fields: [results('mx.home; spf=pass smtp.mailfrom="x; dmarc=pass header.from=example.com; y"@evil.test'), FROM] },
  ],
  ['a property that is a quoted string', 'stranger', { fields: [results('mx.home; dkim=pass "header.d=example.com"'), FROM] }],
  ['a property said twice', 'stranger', { fields: [results('mx.home; dkim=pass header.d=evil.test header.d=example.com'), FROM] }],
  ['a comment that never ends', 'stranger', { fields: [results('mx.home; dmarc=pass header.from=example.com (and'), FROM] }],
  ['a quoted string that never ends', 'stranger', { fields: [results('mx.home; dmarc=pass header.from=example.com reason="'), FROM] }],
  [
    'a forged field below a true one that is too long',
    'stranger',
    { fields: [results(`mx.home; dmarc=fail header.from=example.com (${'x'.repeat(9_000)})`), PASS, FROM] },
  ],
  [
    'a forged field below a true one whose name comes too late',
    'stranger',
    { fields: [results(`(${'x'.repeat(9_000)}) mx.home; dmarc=fail header.from=example.com`), PASS, FROM] },
  ],
  [
    'a forged field below a true one that does not end',
    'stranger',
    { fields: [results('mx.home; spf=fail smtp.mailfrom="x'), PASS, FROM] },
  ],
  [
    'a second field that is too long, of a server that writes two',
    'stranger',
    { fields: [PASS, results(`mx.home; dkim=fail (${'x'.repeat(9_000)})`), FROM], rules: { headers: 2 } },
  ],
  ['a field of another server that is too long', 'owner', { fields: [results(`mx.other; dkim=fail (${'x'.repeat(9_000)})`), PASS, FROM] }],
  ['a field below the true one that is too long', 'owner', { fields: [PASS, results(`mx.home; ${'x'.repeat(9_000)}`), FROM] }],
  [
    'results in a field of another name',
    'stranger',
    { fields: ['X-Authentication-Results: mx.home; dmarc=pass header.from=example.com', FROM] },
  ],
  ['ARC results', 'stranger', { fields: ['ARC-Authentication-Results: i=1; mx.home; dmarc=pass header.from=example.com', FROM] }],
  // Addresses that look like another.
  [
    'the owner’s address as a display name',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=evil.test'), `From: "${OWNER}" <eve@evil.test>`] },
  ],
  [
    'the owner’s address as an encoded display name',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=evil.test'), 'From: =?utf-8?q?ann=40example.com?= <eve@evil.test>'] },
  ],
  [
    'the owner’s address in a comment',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=evil.test'), `From: eve@evil.test (${OWNER})`] },
  ],
  [
    'the owner’s address in the Sender field',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=evil.test'), 'From: eve@evil.test', `Sender: ${OWNER}`] },
  ],
  [
    'the owner’s address to reply to',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=evil.test'), 'From: eve@evil.test', `Reply-To: ${OWNER}`] },
  ],
  ['two authors', 'left aside', { fields: [PASS, `From: ${OWNER}, eve@evil.test`] }],
  ['two From fields', 'left aside', { fields: [PASS, FROM, 'From: eve@evil.test'] }],
  ['two From fields, the owner’s below', 'left aside', { fields: [PASS, 'From: eve@evil.test', FROM] }],
  ['a group', 'left aside', { fields: [PASS, `From: friends: ${OWNER};`] }],
  ['no From field', 'left aside', { fields: [PASS, `Sender: ${OWNER}`] }],
  ['a quoted local part', 'left aside', { fields: [PASS, `From: "${OWNER}"@evil.test`] }],
  ['a comment inside the address', 'left aside', { fields: [PASS, 'From: ann(x)@example.com'] }],
  ['two angle brackets', 'left aside', { fields: [PASS, `From: <eve@evil.test> <${OWNER}>`] }],
  ['an address behind a route', 'left aside', { fields: [PASS, `From: <@evil.test:${OWNER}>`] }],
  ['an encoded word as the address, which nobody decodes', 'stranger', { fields: [PASS, 'From: =?utf-8?q?ann?=@example.com'] }],
  ['a letter that becomes ASCII in lower case', 'left aside', { fields: [PASS, 'From: ann@example.\u{212A}om'] }],
  ['a Cyrillic letter in the domain', 'left aside', { fields: [PASS, 'From: ann@ex\u{0430}mple.com'] }],
  [
    'its ASCII form',
    'stranger',
    { fields: [results('mx.home; dmarc=pass header.from=xn--exmple-4nf.com'), 'From: ann@xn--exmple-4nf.com'] },
  ],
  [
    'a name with letters of its own in the list',
    'guest',
    { fields: [results('mx.home; dmarc=pass header.from=xn--mller-kva.example'), 'From: zoe@xn--mller-kva.example'] },
  ],
  ['a full-width at sign', 'left aside', { fields: [PASS, 'From: ann＠example.com'] }],
  ['a null sign', 'left aside', { fields: [PASS, 'From: ann@example.com\0.evil.test'] }],
  ['a plus address of the owner', 'stranger', { fields: [PASS, 'From: ann+x@example.com'] }],
  // Where more is open.
  ['unproved where everybody may speak', 'guest', { fields: [FROM], access: { allowAll: true } }],
  ['unproved where the list says everybody', 'guest', { fields: [FROM], access: { allowedUsers: ['*'] } }],
  [
    'a paired address with a proof',
    'guest',
    { fields: [results('mx.home; dmarc=pass header.from=example.com'), 'From: paired@example.com'] },
  ],
  ['a paired address without one', 'stranger', { fields: ['From: paired@example.com'] }],
  // Programs.
  ['our own address', 'left aside', { fields: [PASS, 'From: hermes@home.test'] }],
  ['an automatic reply of the owner’s', 'left aside', { fields: [PASS, FROM, 'Auto-Submitted: auto-replied'] }],
  ['a bounce', 'left aside', { fields: [PASS, 'Return-Path: <>', FROM] }],
];

test('who may speak by mail is decided by what our own server proved', () => {
  for (const [what, expected, given] of CASES) assert.equal(decide(given), expected, what);
  assert.ok(CASES.length >= 60, String(CASES.length));
});

test('who only says who they are never meets the session of the one they name', () => {
  const chatOf = (isVerified: boolean): string => {
    const header = parseHeader(Buffer.from(`From: ${OWNER}\r\n`));
    const author = parseSender(header) ?? assert.fail();
    const mail = {
      key: 'k',
      uid: 1,
      validity: '1',
      at: 0,
      author,
      isVerified,
      thread: readThread(header),
      names: { subject: '' },
      text: 'x',
      files: [],
    };
    const { chat, sender } = toInbound(mail, { byThread: false, skipsAttachments: false, address: 'hermes@home.test' });
    return `${chat.chatId} ${sender.id}`;
  };
  assert.equal(chatOf(true), `${OWNER} ${OWNER}`);
  assert.equal(chatOf(false), `unverified:${OWNER} unverified:${OWNER}`);
});

test('addresses in the settings are meant as they are sent', () => {
  const written = ['Ann@Example.COM', ' ann@example.com ', 'Ann <Ann@Example.com>', 'zoe@müller.example', '*', 'ann@example.\u{212A}om'];
  assert.deepEqual(written.map(toAddressId), [OWNER, OWNER, OWNER, 'zoe@xn--mller-kva.example', '*', 'ann@example.kom']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorise,
  countBotChain,
  isOwnersChat,
  MAX_BOT_CHAIN,
  selectToolsets,
  type AccessDecision,
  type AccessFacts,
  type AccessSettings,
  type ToolPolicy,
} from '../../../../src/faces/gateway/access/access.ts';
import { forAll } from '../../../../src/testing/seeded-random.ts';

const CLOSED: AccessSettings = {
  allowAll: false,
  allowedUsers: [],
  allowedRoles: [],
  groupAllowedChats: [],
  groupAllowedUsers: [],
  allowBots: 'none',
  owners: [],
  everywhere: { allowAll: false, allowedUsers: [] },
  strangers: 'pair',
};
const PRIVATE: AccessFacts = { chat: { type: 'private', chatId: 'c' }, sender: { id: 'u', isBot: false }, isAddressed: true, botChain: 0 };
const GROUP: AccessFacts = { ...PRIVATE, chat: { type: 'group', chatId: 'g' } };
const THREAD: AccessFacts = { ...PRIVATE, chat: { type: 'thread', chatId: 't', parentId: 'g' } };
const BOT: AccessFacts = { ...GROUP, sender: { id: 'b', isBot: true }, botChain: 1 };
const guest = (by: AccessDecision['by']): AccessDecision => ({ allowed: true, role: 'guest', by });
const owner = (by: AccessDecision['by']): AccessDecision => ({ allowed: true, role: 'owner', by });
const stranger = (by: AccessDecision['by']): AccessDecision => ({ allowed: false, role: 'stranger', by });

type Row = readonly [string, AccessFacts, Partial<AccessSettings>, readonly string[], AccessDecision];
const LAYERS: readonly Row[] = [
  ['nothing set: nobody', PRIVATE, {}, [], stranger('default')],
  ['everybody on the platform', PRIVATE, { allowAll: true }, [], guest('allow_all')],
  ['the list', PRIVATE, { allowedUsers: ['u'] }, [], guest('allow_list')],
  ['the list has everybody', PRIVATE, { allowedUsers: ['*'] }, [], guest('allow_list')],
  ['the list of all platforms', PRIVATE, { everywhere: { allowAll: false, allowedUsers: ['u'] } }, [], guest('allow_list')],
  ['a list without the person', PRIVATE, { allowedUsers: ['v'] }, [], stranger('default')],
  ['paired', PRIVATE, {}, ['u'], guest('pairing')],
  ['paired, and a list without the person', PRIVATE, { allowedUsers: ['v'] }, ['u'], guest('pairing')],
  ['everybody everywhere', PRIVATE, { everywhere: { allowAll: true, allowedUsers: [] } }, [], guest('global_allow_all')],
  [
    'all at once: the first layer decides',
    PRIVATE,
    { allowAll: true, allowedUsers: ['u'], everywhere: { allowAll: true, allowedUsers: [] } },
    ['u'],
    guest('allow_all'),
  ],
  [
    'list and pairing: the list decides',
    PRIVATE,
    { allowedUsers: ['u'], everywhere: { allowAll: true, allowedUsers: [] } },
    ['u'],
    guest('allow_list'),
  ],
  ['pairing before everybody everywhere', PRIVATE, { everywhere: { allowAll: true, allowedUsers: [] } }, ['u'], guest('pairing')],
];
const PEOPLE: readonly Row[] = [
  ['an owner', PRIVATE, { owners: ['u'], allowedUsers: ['u'] }, [], owner('allow_list')],
  ['an owner who is on no list', PRIVATE, { owners: ['u'] }, [], owner('allow_list')],
  ['an owner where everybody may speak', PRIVATE, { owners: ['u'], allowAll: true }, [], owner('allow_all')],
  [
    'an owner by another id',
    { ...PRIVATE, sender: { id: 'x', isBot: false, otherIds: ['u'] } },
    { owners: ['u'] },
    [],
    owner('allow_list'),
  ],
  [
    'another id on the list',
    { ...PRIVATE, sender: { id: 'x', isBot: false, otherIds: ['u'] } },
    { allowedUsers: ['u'] },
    [],
    guest('allow_list'),
  ],
  ['another id that is paired', { ...PRIVATE, sender: { id: 'x', isBot: false, otherIds: ['u'] } }, {}, ['u'], guest('pairing')],
  [
    'a role the service vouches for',
    { ...PRIVATE, sender: { id: 'u', isBot: false, roles: ['r'] } },
    { allowedRoles: ['r'] },
    [],
    guest('allow_list'),
  ],
  [
    'a role named like a person',
    { ...PRIVATE, sender: { id: 'x', isBot: false, roles: ['u'] } },
    { allowedUsers: ['u'] },
    [],
    stranger('default'),
  ],
  ['nobody in particular', { ...PRIVATE, sender: { id: '', isBot: false } }, { allowAll: true }, [''], stranger('no_id')],
  [
    'nobody, on a list of empty ids',
    { ...PRIVATE, sender: { id: '', isBot: false, otherIds: [''] } },
    { allowedUsers: [''], owners: [''] },
    [''],
    stranger('no_id'),
  ],
];
const GROUPS: readonly Row[] = [
  ['a group that is open', GROUP, { groupAllowedChats: ['g'] }, [], guest('chat')],
  ['all groups', GROUP, { groupAllowedChats: ['*'] }, [], guest('chat')],
  ['a thread of a group that is open', THREAD, { groupAllowedChats: ['g'] }, [], guest('chat')],
  ['the owner in it', GROUP, { groupAllowedChats: ['g'], owners: ['u'] }, [], owner('chat')],
  ['somebody without an id in it', { ...GROUP, sender: { id: '', isBot: false } }, { groupAllowedChats: ['g'] }, [], guest('chat')],
  ['a private chat on the list of groups', PRIVATE, { groupAllowedChats: ['c', '*'] }, [], stranger('default')],
  ['another group', GROUP, { groupAllowedChats: ['h'] }, [], stranger('default')],
  ['another group, and a person on the list', GROUP, { groupAllowedChats: ['h'], allowedUsers: ['u'] }, [], guest('allow_list')],
  ['a person for groups, in a group', GROUP, { groupAllowedUsers: ['u'] }, [], guest('allow_list')],
  ['a person for groups, in private', PRIVATE, { groupAllowedUsers: ['u'] }, [], stranger('default')],
];
const ADDRESSED = { ...BOT, isAddressed: true };
const BOTS: readonly Row[] = [
  ['a bot', BOT, { allowAll: true, groupAllowedChats: ['g'], allowedUsers: ['b'] }, ['b'], stranger('bots')],
  ['a bot that mentions us', ADDRESSED, { allowBots: 'mentions' }, [], guest('bots')],
  ['a bot that does not', { ...BOT, isAddressed: false }, { allowBots: 'mentions' }, [], stranger('bots')],
  ['any bot', { ...BOT, isAddressed: false }, { allowBots: 'all' }, [], guest('bots')],
  ['a bot is never the owner', BOT, { allowBots: 'all', owners: ['b'] }, [], guest('bots')],
  ['the last of a chain', { ...BOT, botChain: MAX_BOT_CHAIN }, { allowBots: 'all' }, [], guest('bots')],
  ['one too many', { ...BOT, botChain: MAX_BOT_CHAIN + 1 }, { allowBots: 'all' }, [], stranger('bot_chain')],
];
const SAYS_SO = { ...PRIVATE, sender: { id: 'u', isBot: false, isUnverified: true } } as const;
const UNVERIFIED: readonly Row[] = [
  ['somebody who only says to be on the list', SAYS_SO, { allowedUsers: ['u'] }, [], stranger('unverified')],
  ['somebody who only says to be the owner', SAYS_SO, { owners: ['u'] }, [], stranger('unverified')],
  ['somebody who only says to be paired', SAYS_SO, {}, ['u'], stranger('unverified')],
  [
    'somebody who only says a role',
    { ...SAYS_SO, sender: { ...SAYS_SO.sender, roles: ['r'] } },
    { allowedRoles: ['r'] },
    [],
    stranger('unverified'),
  ],
  ['the same where everybody may speak', SAYS_SO, { allowAll: true, owners: ['u'] }, [], guest('allow_all')],
  ['the same where everybody is listed', SAYS_SO, { allowedUsers: ['*'] }, [], guest('allow_all')],
];
for (const [what, facts, access, paired, decision] of [...LAYERS, ...PEOPLE, ...GROUPS, ...BOTS, ...UNVERIFIED])
  test(`${what}: ${decision.role} by ${decision.by}`, () =>
    assert.deepEqual(
      authorise(facts, { ...CLOSED, ...access }, (id) => paired.includes(id)),
      decision,
    ));

test('two bots that answer each other fall silent, until a person speaks', () => {
  let chain = 0;
  const heard = ['person', ...Array.from({ length: 8 }, () => 'bot'), 'person', 'bot'].map((who) => {
    const sender = { id: who, isBot: who === 'bot' };
    chain = countBotChain(chain, sender);
    return authorise({ ...GROUP, sender, botChain: chain }, { ...CLOSED, allowAll: true, allowBots: 'all' }, () => false).allowed;
  });
  assert.deepEqual(heard, [true, true, true, true, true, true, false, false, false, true, true]);
});

test('whoever is allowed stands in a list, is paired, or everybody is allowed: names decide nothing', () =>
  forAll(2_000, (chance) => {
    const drawn = () => chance.list(0, 3, () => chance.pick(['a', 'b', 'c', '']));
    const access: AccessSettings = {
      ...CLOSED,
      allowedUsers: drawn(),
      groupAllowedUsers: drawn(),
      owners: drawn(),
      groupAllowedChats: drawn(),
    };
    const [paired, id] = [drawn(), chance.pick(['a', 'b', 'c', 'd', ''])];
    const chat = { type: chance.pick(['private', 'group'] as const), chatId: chance.pick(['a', 'z']), name: 'a' };
    const sender = { id, name: chance.pick(['a', 'b']), isBot: false };
    const decision = authorise({ ...PRIVATE, chat, sender }, access, (each) => paired.includes(each));
    const inGroup = chat.type === 'group';
    const listed =
      id !== '' && [access.allowedUsers, access.owners, paired, inGroup ? access.groupAllowedUsers : []].some((list) => list.includes(id));
    assert.equal(decision.allowed, listed || (inGroup && access.groupAllowedChats.includes(chat.chatId)));
    assert.equal(decision.role === 'owner', decision.allowed && id !== '' && access.owners.includes(id));
  }));

test('only in private with the owner is a chat the owner’s own', () => {
  const rows = (['private', 'group', 'channel', 'thread'] as const).map((type) => [
    isOwnersChat({ type }, 'owner'),
    isOwnersChat({ type }, 'guest'),
  ]);
  assert.deepEqual(rows, [
    [true, false],
    [false, false],
    [false, false],
    [false, false],
  ]);
});

const POLICY: ToolPolicy = {
  toolsets: ['all'],
  guests: ['safe'],
  chats: new Map([
    ['g', ['web']],
    ['c', ['file']],
  ]),
  users: new Map([
    ['u', ['terminal']],
    ['muted', []],
  ]),
};
const TOOLS: readonly (readonly [string, Parameters<typeof selectToolsets>[1], string, 'owner' | 'guest', readonly string[]])[] = [
  ['the owner in private', { type: 'private', chatId: 'o' }, 'o', 'owner', ['all']],
  ['a guest in private', { type: 'private', chatId: 'x' }, 'x', 'guest', ['safe']],
  ['a person of their own', { type: 'private', chatId: 'x' }, 'u', 'guest', ['terminal']],
  ['a person who has nothing', { type: 'private', chatId: 'x' }, 'muted', 'guest', []],
  ['a person wins over their private chat', { type: 'private', chatId: 'c' }, 'u', 'guest', ['terminal']],
  ['a private chat', { type: 'private', chatId: 'c' }, 'x', 'guest', ['file']],
  ['a group, whoever writes', { type: 'group', chatId: 'g' }, 'u', 'owner', ['web']],
  ['a thread of it', { type: 'thread', chatId: 't', parentId: 'g' }, 'u', 'guest', ['web']],
  ['the owner where others read', { type: 'group', chatId: 'h' }, 'o', 'owner', ['safe']],
  ['an id like a word of the language', { type: 'private', chatId: 'constructor' }, 'toString', 'guest', ['safe']],
];
for (const [what, chat, id, role, sets] of TOOLS)
  test(`tools of ${what}`, () => assert.deepEqual(selectToolsets(POLICY, chat, { id }, role), sets));
test('without a word about tools the owner has what the platform has', () => {
  const { toolsets: _dropped, ...rest } = POLICY;
  assert.equal(selectToolsets(rest, { type: 'private', chatId: 'o' }, { id: 'o' }, 'owner'), undefined);
});

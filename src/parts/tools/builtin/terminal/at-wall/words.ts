import { toVisibleLine } from '../../../../../base/visible.ts';
import { describeRef, type PushBlock, type WallBlock } from '../../../../../contracts/wall.ts';
import type { RecognizedBlock } from './failure.ts';
import type { WallOffer } from './offer.ts';

/** What a command could not do behind the wall: "it could not …". */
function describeBlock(block: WallBlock): string {
  switch (block.type) {
    case 'host':
      return `connect to ${block.host}${block.port === undefined || block.port === 443 || block.port === 80 ? '' : `, port ${block.port}`}`;
    case 'port':
      return `connect to port ${block.port} of this machine`;
    case 'socket':
      return `use the socket ${block.path}`;
    case 'write':
      return `write to ${block.path === '' ? 'a folder outside the project' : block.path}`;
    case 'read':
      return `see ${block.path}`;
    case 'privilege':
      return `become another user (${block.program})`;
    case 'key':
      return KEYS[block.what] ?? `use your credentials for ${block.what}`;
    case 'push':
      return PUSHES[block.loss](toVisibleLine(describeRef(block.ref)), block.remote);
  }
}
const PUSHES: Readonly<Record<PushBlock['loss'], (what: string, remote: string) => string>> = {
  deletes: (what, remote) => `delete ${what} at ${remote}`,
  replaces: (what, remote) => `${what.startsWith('tag ') ? 'move' : 'replace commits of'} ${what} at ${remote}`,
  unproven: (what, remote) => `push ${what} to ${remote} (it may replace commits there)`,
  special: (what, remote) => `set ${what} at ${remote} (it is no branch, tag or note)`,
};
const KEYS: Readonly<Record<string, string>> = {
  ssh: 'use your SSH keys',
  gpg: 'use your GPG keys',
  git: 'use your git credentials',
};

const listBlocks = (blocks: readonly RecognizedBlock[]): string => {
  const said = [...new Set(blocks.map(({ block }) => describeBlock(block)))];
  return said.length < 2 ? said.join('') : `${said.slice(0, -1).join(', ')} or ${said.at(-1)}`;
};

const MAX_WORDS = 160;
/** Words of a program stand in quotes, in one line, with nothing hidden in them. */
const quoteWords = (blocks: readonly RecognizedBlock[]): string => {
  const said = blocks.find(({ words }) => words !== '')?.words;
  if (said === undefined) return '';
  const shown = toVisibleLine(said);
  return ` (it said: "${shown.length > MAX_WORDS ? `${shown.slice(0, MAX_WORDS)}…` : shown}")`;
};

const AGAIN = 'It may already have done part of its work';

/** Why somebody is asked, as the end of "Asked because …". */
export function explainOffer(offer: Exclude<WallOffer, { type: 'none' }>, blocks: readonly RecognizedBlock[]): string {
  const failed = `it failed in the sandbox, where it could not ${listBlocks(blocks)}${quoteWords(blocks)}`;
  if (offer.type === 'outside') return `${failed}. ${AGAIN}; a yes runs all of it again, outside the sandbox and with your rights`;
  const risk = offer.at.some((path) => /(?:docker|podman|containerd|buildkitd)\.sock$/.test(path))
    ? ' Whoever can use this socket can control this machine.'
    : '';
  return `${failed}. A yes opens that for every command in the sandbox until this session ends.${risk} ${AGAIN}; a yes runs all of it again, in the sandbox`;
}

/** For the model: what stopped its command, and what becomes of it. */
export const AT_WALL = {
  ranOutside: (blocks: readonly RecognizedBlock[], by: string) =>
    `[This first failed in the sandbox, where it could not ${listBlocks(blocks)}. It then ran again outside the sandbox, allowed by ${sayWho(by)}; this is the result of that run.]`,
  widened: (blocks: readonly RecognizedBlock[], by: string) =>
    `[This first failed in the sandbox, where it could not ${listBlocks(blocks)}. It ran again after that was opened, allowed by ${sayWho(by)}; this is the result of that run. Later commands can do it too.]`,
  notWidened: (why: string) => `[The sandbox could not be opened for it: ${why.replace(/\.$/, '')}. Tell the user.]`,
  stopped: (blocks: readonly RecognizedBlock[], why: string) =>
    `[The sandbox stopped this: it could not ${listBlocks(blocks)}. Running it again will not help.${why === '' ? '' : ` ${why}`}]`,
  outside: (runs: 'ran' | 'runs', by: string) => `[This ${runs} outside the sandbox, allowed by ${sayWho(by)}.]`,
  refused: (reason: string) => `The user was not asked to run it outside: ${reason}.`,
  denied: (reason: string) => `It did not run outside: ${reason}`,
  hosts: 'The user can allow a host when asked, or in terminal.allowed_hosts.',
  meanwhile: (blocks: readonly RecognizedBlock[], why: string) =>
    `[Blocked meanwhile: it could not ${listBlocks(blocks)}.${why === '' ? '' : ` ${why}`}]`,
  background: 'To ask the user to run it outside the sandbox, start it again with outside and a reason.',
} as const;
/** Why hosts were turned away; where nobody knows more, how one can be allowed. */
export function explainHosts(blocks: readonly RecognizedBlock[]): string {
  const hosts = blocks.flatMap(({ block }) => (block.type === 'host' ? [block] : []));
  const whys = new Set(
    hosts.map(({ why }) =>
      why === undefined ? AT_WALL.hosts : why.replace(/^[a-z]+(?= )/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`),
    ),
  );
  return [...whys].map((why) => toVisibleLine(why).replace(/(?<![.!?])$/, '.')).join(' ');
}
/** Who agreed: "the user, for this session". */
const sayWho = (by: string): string => by.replace(', yes,', ',').replace(/^the owner/, 'the user');

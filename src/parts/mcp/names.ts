import { sha256 } from '../../base/sha256.ts';

/** Longer names are refused by providers. */
const LONGEST = 64;
const HASH = 8;

export interface RemoteName {
  readonly server: string;
  readonly tool: string;
}

/**
 * The names the model knows remote tools by: `mcp__server__tool`, in the letters every provider takes. Where two would be
 * called the same, or a name is too long, each gets a mark of its own, which hangs on nothing but its server and tool.
 */
export function namesFor(remote: readonly RemoteName[]): string[] {
  const plain = remote.map(({ server, tool }) => `mcp__${word(server)}__${word(tool)}`);
  const taken = new Map<string, number>();
  for (const name of plain) taken.set(name, (taken.get(name) ?? 0) + 1);
  return plain.map((name, index) => {
    const { server = '', tool = '' } = remote[index] ?? {};
    return name.length <= LONGEST && taken.get(name) === 1 ? name : marked(name, `${server}\0${tool}`);
  });
}

const word = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '_');
const marked = (name: string, origin: string): string => `${name.slice(0, LONGEST - HASH - 1)}_${sha256(origin).slice(0, HASH)}`;

/** A server's name as one name in a folder: nothing in it leads out, and two servers never share a file. */
export const fileNameFor = (server: string): string =>
  /^[A-Za-z0-9_-]{1,60}$/.test(server) ? `${server}.json` : `${word(server).slice(0, 40)}-${sha256(server).slice(0, 16)}.json`;

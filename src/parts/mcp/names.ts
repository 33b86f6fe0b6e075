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
 * called the same, a name is too long, or no letter of one is left, each gets a mark of its own, which hangs on nothing but
 * its server and tool.
 */
export function assignToolNames(remote: readonly RemoteName[]): string[] {
  const plain = remote.map(({ server, tool }) => `mcp__${word(server)}__${word(tool)}`);
  const taken = new Map<string, number>();
  for (const name of plain) taken.set(name, (taken.get(name) ?? 0) + 1);
  return plain.map((name, index) => {
    const { server = '', tool = '' } = remote[index] ?? {};
    const says = [server, tool].every((part) => /[A-Za-z0-9]/.test(part));
    return says && name.length <= LONGEST && taken.get(name) === 1 ? name : marked(name, `${server}\0${tool}`);
  });
}

/** The tools of all servers with their names, in the order of these: what the model sees, and what anybody says of it. */
export function nameServerTools<Server extends ServerTools>(servers: readonly Server[]): NamedTool<Server>[] {
  const all = servers.flatMap((from) => from.tools.map((tool: Server['tools'][number]) => ({ from, tool })));
  const names = assignToolNames(all.map(({ from, tool }) => ({ server: from.config.name, tool: tool.name })));
  return all.map((each, index) => ({ ...each, name: names[index] ?? '' })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
interface ServerTools {
  readonly config: { readonly name: string };
  readonly tools: readonly { readonly name: string }[];
}
export interface NamedTool<Server extends ServerTools> {
  readonly from: Server;
  readonly tool: Server['tools'][number];
  readonly name: string;
}

const word = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '_');
const marked = (name: string, origin: string): string => `${name.slice(0, LONGEST - HASH - 1)}_${sha256(origin).slice(0, HASH)}`;

/** A server's name as one name in a folder: nothing in it leads out, and two servers never share a file. */
export const toServerFileName = (server: string): string =>
  /^[A-Za-z0-9_-]{1,60}$/.test(server) ? `${server}.json` : `${word(server).slice(0, 40)}-${sha256(server).slice(0, 16)}.json`;

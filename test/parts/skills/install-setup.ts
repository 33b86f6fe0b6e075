import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { installSkills, type InstallOptions, type InstallPlan, type InstallRow } from '../../../src/parts/skills/install/install.ts';
import type { world } from './tools-setup.ts';

export type Served = string | Buffer | { readonly status: number; readonly location?: string };

/** A web server on this machine that has these files and remembers what it was asked for. */
export async function serve(files: Map<string, Served>) {
  const asked: string[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    asked.push(url);
    const found = files.get(url) ?? { status: 404 };
    if (typeof found === 'string' || Buffer.isBuffer(found)) return response.end(found);
    response.writeHead(found.status, found.location === undefined ? {} : { location: found.location });
    return response.end();
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return { asked, files, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Installs into a world whose owner confirms everything, and keeps what the owner was shown. */
export async function install(home: ReturnType<typeof world>, source: string, more: Partial<InstallOptions> = {}) {
  const plans: InstallPlan[] = [];
  const { userDir, catalog, scan } = home;
  const confirm = async (plan: InstallPlan) => {
    plans.push(plan);
    return true;
  };
  const rows = await installSkills(source, { userDir, catalog, scan, cwd: home.home, confirm, ...more });
  return { rows, plans, told: rows.map(rowWords) };
}
const rowWords = (row: InstallRow): string =>
  row.did === 'installed' ? `installed ${row.plan.name}` : `${row.did} ${row.name}: ${row.words}`;

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { fetchIt, listening, reachWith, told } from './setup.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

/** A certificate for one name, trusted by this process alone. */
function certificate(name: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'hermes-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
  const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...fresh, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
  const made = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

test(
  'over TLS the name of the URL is asked for and the certificate must be its own, although an address is connected to',
  { skip },
  async () => {
    const made = certificate('pages.example');
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, made.cert]);
    after(() => setDefaultCACertificates(before));
    const asked: unknown[] = [];
    const server = createServer(made, (request, response) => {
      asked.push([(request.socket as TLSSocket).servername, request.headers.host]);
      response.end('secure');
    });
    const { port } = await listening(server);
    const reach = reachWith({ open: ['127.0.0.1'], resolve: async () => ['127.0.0.1'] });
    assert.equal(told(await fetchIt(reach, `https://pages.example:${port}/`)), '200 secure');
    assert.deepEqual(asked, [['pages.example', `pages.example:${port}`]]);
    assert.match(told(await fetchIt(reach, `https://other.example:${port}/`)), /^The request failed: .*(certificate|altnames)/i);
    assert.equal(asked.length, 1);
  },
);

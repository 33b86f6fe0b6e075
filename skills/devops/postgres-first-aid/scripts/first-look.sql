-- Read-only first look at a PostgreSQL server (10 or newer):
--   psql -X -v ON_ERROR_STOP=0 -f first-look.sql "dbname=..."
-- A role without pg_monitor sees its own sessions in full and the others without their query text.
\set QUIET on
\pset pager off
\pset null '-'
set statement_timeout = '15s';
set lock_timeout = '2s';

\echo '== server'
select current_setting('server_version') as version, pg_is_in_recovery() as standby, now() - pg_postmaster_start_time() as up,
       current_setting('max_connections') as max_connections,
       (select count(*) from pg_stat_activity where backend_type = 'client backend') as connected;

\echo '== sessions by state (oldest transaction and statement in each)'
select state, wait_event_type, count(*), max(now() - xact_start) as oldest_transaction, max(now() - query_start) as oldest_statement
from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
group by 1, 2 order by 3 desc limit 15;

\echo '== longest transactions'
select pid, usename, application_name, state, now() - xact_start as open_for, wait_event_type, wait_event, left(regexp_replace(query, '\s+', ' ', 'g'), 90) as last_statement
from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid() order by xact_start limit 8;

\echo '== who waits for whom (end the root, not the waiters)'
select w.pid as waiting, now() - w.query_start as waits_for, b.pid as blocked_by, b.state as blocker_state,
       cardinality(pg_blocking_pids(b.pid)) = 0 as is_root,
       left(regexp_replace(w.query, '\s+', ' ', 'g'), 60) as waiting_statement,
       left(regexp_replace(b.query, '\s+', ' ', 'g'), 60) as blocker_last_statement
from pg_stat_activity w cross join lateral unnest(pg_blocking_pids(w.pid)) as blocker(pid) join pg_stat_activity b on b.pid = blocker.pid
order by is_root desc, waits_for desc limit 20;

\echo '== things that hold back vacuum and WAL'
select 'prepared transaction' as what, gid as name, (now() - prepared)::text as detail from pg_prepared_xacts
union all
select 'replication slot', slot_name, format('active=%s, keeps %s of WAL', active,
       pg_size_pretty(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, restart_lsn)))
from pg_replication_slots;

\echo '== age of the oldest transaction id (2 billion is the wall; autovacuum forces itself at autovacuum_freeze_max_age)'
select datname, age(datfrozenxid) as age, current_setting('autovacuum_freeze_max_age') as forced_at, pg_size_pretty(pg_database_size(oid)) as size
from pg_database where datallowconn and has_database_privilege(oid, 'connect') order by 2 desc;

-- Sizes come from the catalog: pg_relation_size would wait behind the very locks this page is to show.
\echo '== tables with the most dead rows'
select s.relid::regclass as table_name, n_live_tup as live, n_dead_tup as dead, last_autovacuum::timestamp(0), last_autoanalyze::timestamp(0),
       pg_size_pretty(c.relpages::bigint * current_setting('block_size')::int) as size_at_last_vacuum
from pg_stat_user_tables s join pg_class c on c.oid = s.relid where n_dead_tup > 1000 order by n_dead_tup desc limit 10;

\echo '== large tables that are read from end to end'
select s.relid::regclass as table_name, seq_scan, seq_tup_read, idx_scan, pg_size_pretty(c.relpages::bigint * current_setting('block_size')::int) as size
from pg_stat_user_tables s join pg_class c on c.oid = s.relid
where c.relpages::bigint * current_setting('block_size')::int > 50 * 1024 * 1024 and seq_scan > coalesce(idx_scan, 0) order by seq_tup_read desc limit 10;

\echo '== broken indexes (a failed CREATE INDEX CONCURRENTLY leaves one)'
select indexrelid::regclass as index_name, indrelid::regclass as table_name from pg_index where not indisvalid;

\echo '== cache and rollbacks of this database'
select datname, round(100.0 * blks_hit / nullif(blks_hit + blks_read, 0), 1) as hit_percent, xact_commit, xact_rollback, deadlocks, pg_size_pretty(temp_bytes) as temp_written
from pg_stat_database where datname = current_database();

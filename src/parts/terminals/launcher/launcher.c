/*
 * The launcher of the floor: it starts one command behind Landlock and seccomp and answers the system calls that neither can
 * judge. No libc, no allocation, one thread. What it may do is data: a plan that Hermes writes (plan.ts has the same layout).
 *
 *   launcher level                        prints the level of Landlock, if there is any
 *   launcher hold PLAN SOCKET             makes the Landlock ruleset once and hands it to every `run` that connects
 *   launcher run PLAN NAMESPACES PROGRAM ...   NAMESPACES is PID:FLAGS of a process to enter, or -
 *
 * `run` is three processes: the one Hermes started waits for the exit code; its child supervises, is the subreaper of all that
 * the command starts, and ends it when Hermes is gone; its child in turn is the command. A supervised call is carried out here,
 * with what was read from the command's memory once: nothing it changes afterwards counts.
 */
typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32; typedef unsigned long u64; typedef long i64;

#if defined(__x86_64__)
enum { READ = 0, WRITE = 1, CLOSE = 3, PPOLL = 271, PREAD = 17, IOCTL = 16, SENDMSG = 46, RECVMSG = 47, SOCKET_ = 41, CONNECT_ = 42, ACCEPT4 = 288,
  BIND_ = 49, LISTEN_ = 50, GETSOCKNAME = 51, SETSOCKOPT = 54, GETSOCKOPT = 55, SOCKETPAIR = 53, CLONE = 56, EXECVE = 59, EXIT = 231, WAIT4 = 61,
  KILL_ = 62, FCHMODAT = 268, FCHOWNAT = 260, UTIMENSAT = 280, OPENAT = 257, READLINKAT = 267, FTRUNCATE = 77, PRCTL = 157, CAPSET = 126,
  SIGPROCMASK = 14, SIGNALFD4 = 289, GETPID = 39, GETPGID = 121, SETNS = 308, SECCOMP = 317, MMAP = 9, FSTAT = 5, PIPE2 = 293 };
static i64 call6(i64 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  i64 r; register u64 r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
  __asm__ volatile("syscall" : "=a"(r) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return r;
}
__asm__(".globl _start\n_start: xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");
#elif defined(__aarch64__)
enum { READ = 63, WRITE = 64, CLOSE = 57, PPOLL = 73, PREAD = 67, IOCTL = 29, SENDMSG = 211, RECVMSG = 212, SOCKET_ = 198, CONNECT_ = 203, ACCEPT4 = 242,
  BIND_ = 200, LISTEN_ = 201, GETSOCKNAME = 204, SETSOCKOPT = 208, GETSOCKOPT = 209, SOCKETPAIR = 199, CLONE = 220, EXECVE = 221, EXIT = 94, WAIT4 = 260,
  KILL_ = 129, FCHMODAT = 53, FCHOWNAT = 54, UTIMENSAT = 88, OPENAT = 56, READLINKAT = 78, FTRUNCATE = 46, PRCTL = 167, CAPSET = 91,
  SIGPROCMASK = 135, SIGNALFD4 = 74, GETPID = 172, GETPGID = 155, SETNS = 268, SECCOMP = 277, MMAP = 222, FSTAT = 80, PIPE2 = 59 };
static i64 call6(i64 n, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  register u64 x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
__asm__(".globl _start\n_start: mov x29,#0\n mov x0,sp\n bl begin\n");
#endif
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446, PIDFD_OPEN = 434, PIDFD_GETFD = 438, OPENAT2 = 437, CLOSE_RANGE = 436 };
enum { EPERM = 1, ESRCH = 3, EACCES = 13, EINVAL = 22, EADDRNOTAVAIL = 99, ENETUNREACH = 101, ECONNREFUSED = 111, ENOSYS = 38, EINTR = 4 };
enum { O_WRONLY = 1, O_NONBLOCK = 04000, O_CLOEXEC = 02000000, O_PATH = 010000000,
#if defined(__x86_64__)
  O_NOFOLLOW = 0400000
#else
  O_NOFOLLOW = 0100000
#endif
};
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100, AT_EMPTY_PATH = 0x1000, AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, SOCK_STREAM = 1 };

#define C1(n, a) call6(n, (u64)(a), 0, 0, 0, 0, 0)
#define C2(n, a, b) call6(n, (u64)(a), (u64)(b), 0, 0, 0, 0)
#define C3(n, a, b, c) call6(n, (u64)(a), (u64)(b), (u64)(c), 0, 0, 0)
#define C4(n, a, b, c, d) call6(n, (u64)(a), (u64)(b), (u64)(c), (u64)(d), 0, 0)
#define C5(n, a, b, c, d, e) call6(n, (u64)(a), (u64)(b), (u64)(c), (u64)(d), (u64)(e), 0)
#define C6(n, a, b, c, d, e, f) call6(n, (u64)(a), (u64)(b), (u64)(c), (u64)(d), (u64)(e), (u64)(f))

__attribute__((used)) void *memset(void *to, int value, u64 size) { u8 *at = to; while (size--) *at++ = (u8)value; return to; }
__attribute__((used)) void *memcpy(void *to, const void *from, u64 size) { u8 *at = to; const u8 *source = from; while (size--) *at++ = *source++; return to; }
static u64 length(const char *text) { u64 n = 0; while (text[n]) n++; return n; }
static int same(const char *one, const char *other, u64 size) { while (size--) if (*one++ != *other++) return 0; return 1; }

static void fail(const char *what, i64 code) {
  char text[160]; u64 n = 0; const char *head = "hermes: the command could not be shut in: ";
  for (const char *at = head; *at; at++) text[n++] = *at;
  for (const char *at = what; *at && n < 140; at++) text[n++] = *at;
  u64 number = code < 0 ? -code : code; char digits[8]; int count = 0;
  text[n++] = ' '; do digits[count++] = '0' + number % 10; while ((number /= 10) && count < 7); while (count) text[n++] = digits[--count];
  text[n++] = '\n'; C3(WRITE, 2, text, n); C1(EXIT, 126); __builtin_unreachable();
}
static i64 must(i64 result, const char *what) { if (result < 0) fail(what, result); return result; }

/* ---- the plan ---- */
enum { DROP_RIGHTS = 1, SUPERVISE = 2, NETWORK_OPEN = 4, SIGNALS_SCOPED = 8 };
enum { SUPERVISED_CONNECT = 1, SUPERVISED_BIND, SUPERVISED_LISTEN, SUPERVISED_KILL, SUPERVISED_MODE, SUPERVISED_OWNER, SUPERVISED_TIMES, SUPERVISED_TIMEVALS,
  SUPERVISED_TIME, SUPERVISED_TRUNCATE };
/* A supervised call: its number, what is done about it, and in which arguments the folder, the path, the value and the flags are; -1: in none. */
struct row { u32 number; u8 act; signed char folder, path, value, flags; u8 nofollow; u8 pad[2]; };
struct port { u16 asked, real; };
struct plan { u32 magic, flags, level, rows, ports, filter, places, socket, ruleset, pad; };
/* After the head: rows, ports, the filter, places (a letter and a path each, with a zero), the path of Hermes' socket, that of the ruleset. */
static struct plan *plan; static struct row *rows; static struct port *ports; static u8 *filter; static char *places, *hermes, *holder;
static int control = -1, listener = -1;

static char *map(const char *path, u64 *size) {
  u64 stat[18] = {0}; i64 file = must(C4(OPENAT, AT_FDCWD, path, O_CLOEXEC, 0), "its plan cannot be opened");
  must(C2(FSTAT, file, stat), "its plan cannot be read"); *size = stat[6];
  char *at = (char *)C6(MMAP, 0, *size, 1, 2, file, 0); if ((i64)at < 0 && (i64)at > -4096) fail("its plan cannot be read", (i64)at);
  C1(CLOSE, file); return at;
}
static void readPlan(const char *path) {
  u64 size; char *at = map(path, &size); plan = (struct plan *)at; if (size < sizeof *plan || plan->magic != 0x31464c48) fail("its plan is another version's", 0);
  at += sizeof *plan; rows = (void *)at; at += plan->rows * sizeof *rows; ports = (void *)at; at += plan->ports * sizeof *ports;
  filter = (void *)at; at += plan->filter; places = at; at += plan->places; hermes = at; at += plan->socket; holder = at;
}

/* ---- sockets and descriptors ---- */
struct message { void *name; u32 nameSize; u32 pad; struct { void *base; u64 size; } *parts; u64 count; void *rights; u64 rightsSize; u64 flags; };
struct rights { u64 size; u32 level, type; int file; u32 pad; };
static i64 sendFile(int to, int file) {
  u8 byte = 1; struct { void *base; u64 size; } part = {&byte, 1}; struct rights rights = {20, 1, 1, file, 0};
  struct message message = {0, 0, 0, (void *)&part, 1, &rights, sizeof rights, 0}; return C3(SENDMSG, to, &message, 0x4000);
}
static i64 receiveFile(int from) {
  u8 byte; struct { void *base; u64 size; } part = {&byte, 1}; struct rights rights = {0};
  struct message message = {0, 0, 0, (void *)&part, 1, &rights, sizeof rights, 0}; i64 got = C3(RECVMSG, from, &message, 0x40000000);
  return got == 1 && rights.size == 20 && rights.type == 1 ? rights.file : -EACCES;
}
struct named { u16 family; char path[108]; };
static i64 openNamed(const char *path, int listens) {
  struct named address = {AF_UNIX, {0}}; u64 size = length(path); if (size > 107) return -EINVAL; memcpy(address.path, path, size);
  i64 made = C3(SOCKET_, AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0); if (made < 0) return made;
  i64 done = C3(listens ? BIND_ : CONNECT_, made, &address, size + 3); if (done == 0 && listens) done = C2(LISTEN_, made, 128);
  return done < 0 ? done : made;
}
struct waited { int file; short wanted, seen; };
static i64 await(struct waited *each, u64 count) { i64 ready; do ready = C5(PPOLL, each, count, 0, 0, 8); while (ready == -EINTR); return ready; }

/* ---- hold: the ruleset ---- */
struct rule { u32 access; u16 size; };
static void hold(const char *path, const char *socket) {
  static const u32 FILES[] = {0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff}; enum { OF_FILE = 0xc007 };
  u64 size; u32 *at = (u32 *)map(path, &size); char *end = (char *)at + size; u32 most = at[0], network = at[1];
  i64 level = must(C3(LANDLOCK_CREATE, 0, 0, 1), "Landlock is off"); if (level > most) level = most;
  u64 files = FILES[level > 5 ? 5 : level], wanted[3] = {files, level >= 4 && network ? 3 : 0, level >= 6 ? 3 : 0};
  i64 ruleset = must(C3(LANDLOCK_CREATE, wanted, level >= 6 ? 24 : level >= 4 ? 16 : 8, 0), "Landlock made no ruleset");
  for (char *next = (char *)(at + 2); next + 6 < end;) {
    struct rule rule; memcpy(&rule, next, 6); struct { u64 access; int file; } __attribute__((packed)) beneath; u64 stat[18] = {0};
    struct { u64 flags, mode, resolve; } how = {O_PATH | O_CLOEXEC, 0, 4};
    i64 file = C4(OPENAT2, AT_FDCWD, next + 6, &how, sizeof how); next += 6 + rule.size; if (file < 0) continue;
    C2(FSTAT, file, stat); u32 mode =
#if defined(__x86_64__)
      (u32)stat[3];
#else
      (u32)stat[2];
#endif
    beneath.access = rule.access & files & ((mode & 0170000) == 0040000 ? 0xffff : OF_FILE); beneath.file = (int)file;
    if (beneath.access) must(C4(LANDLOCK_ADD, ruleset, 1, &beneath, 0), "Landlock took no rule");
    C1(CLOSE, file);
  }
  i64 door = must(openNamed(socket, 1), "its socket cannot be made");
  struct waited both[2] = {{0, 1, 0}, {(int)door, 1, 0}}; C3(WRITE, 1, "ready\n", 6);
  while (await(both, 2) > 0 && both[0].seen == 0) { i64 who = C4(ACCEPT4, door, 0, 0, O_CLOEXEC); if (who >= 0) { sendFile((int)who, (int)ruleset); C1(CLOSE, who); } }
  C1(EXIT, 0);
}

/* ---- what a command asks ---- */
struct notice { u64 id; u32 pid, flags; int number; u32 machine; u64 place, arguments[6]; };
struct answer { u64 id; i64 value; int error; u32 flags; };
struct addition { u64 id; u32 flags; int from; u32 to, toFlags; };
#define NOTICE_RECEIVE 0xc0502100u
#define NOTICE_SEND 0xc0182101u
#define NOTICE_VALID 0x40082102u
#define NOTICE_ADD 0x40182103u

static char *number(char *to, u64 value) { char digits[20]; int count = 0; do digits[count++] = '0' + value % 10; while (value /= 10); while (count) *to++ = digits[--count]; return to; }
static char *processPath(char *to, u32 pid, const char *rest) { memcpy(to, "/proc/", 6); to = number(to + 6, pid); while ((*to = *rest++)) to++; return to; }
static int isValid(struct notice *asked) { return C3(IOCTL, listener, NOTICE_VALID, &asked->id) == 0; }

/* Memory of the command, read once. A path may end just before memory that is not there: then less comes. */
static i64 peek(struct notice *asked, u64 from, void *to, u64 size) {
  char path[40]; processPath(path, asked->pid, "/mem"); i64 file = C4(OPENAT, AT_FDCWD, path, O_CLOEXEC, 0); if (file < 0) return -EPERM;
  i64 got = C4(PREAD, file, to, size, from); C1(CLOSE, file); return isValid(asked) ? got : -ESRCH;
}
static i64 peekPath(struct notice *asked, u64 from, char *to, u64 size) {
  u64 first = 4096 - from % 4096; if (first > size) first = size; i64 got = peek(asked, from, to, first); if (got < 0) return got;
  for (i64 at = 0; at < got; at++) if (!to[at]) return at;
  if ((u64)got == first && first < size) { i64 more = peek(asked, from + first, to + first, size - first); for (i64 at = 0; at < more; at++) if (!to[first + at]) return first + at; }
  return -36;
}
/* An O_PATH descriptor of what the command means by a path, or by one of its descriptors. */
static i64 openMeant(struct notice *asked, i64 folder, const char *path, int nofollow) {
  char place[64 + 4096], *at; i64 base, meant;
  if (!path || !*path) { at = processPath(place, asked->pid, "/fd/"); if (folder < 0) return -9; at = number(at, folder); *at = 0; return C4(OPENAT, AT_FDCWD, place, O_PATH | O_CLOEXEC, 0); }
  if (same(path, "/proc/self/", 11)) { processPath(place, asked->pid, path + 10); return C4(OPENAT, AT_FDCWD, place, O_PATH | O_CLOEXEC | nofollow, 0); }
  if (*path == '/') return C4(OPENAT, AT_FDCWD, path, O_PATH | O_CLOEXEC | nofollow, 0);
  if ((int)folder == AT_FDCWD) processPath(place, asked->pid, "/cwd"); else { at = processPath(place, asked->pid, "/fd/"); at = number(at, (u32)folder); *at = 0; }
  base = C4(OPENAT, AT_FDCWD, place, O_PATH | O_CLOEXEC, 0); if (base < 0) return base;
  meant = C4(OPENAT, base, path, O_PATH | O_CLOEXEC | nofollow, 0); C1(CLOSE, base); return meant;
}
static void ownPath(char *to, i64 file) { memcpy(to, "/proc/self/fd/", 14); to = number(to + 14, file); *to = 0; }
/* Whether an open file lies where the plan says: `w` for what may be changed, also `s` for sockets that may be reached. */
static int liesIn(i64 file, int sockets) {
  char link[40], real[4096]; ownPath(link, file); i64 size = C4(READLINKAT, AT_FDCWD, link, real, sizeof real - 1); if (size <= 0) return 0; real[size] = 0;
  if (real[0] != '/' || same(real, "/memfd:", 7)) return 1;
  for (char *at = places; at < places + plan->places; at += length(at) + 1) {
    u64 n = length(at + 1); if (*at == 's' && !sockets) continue;
    if ((u64)size >= n && same(real, at + 1, n) && (real[n] == 0 || real[n] == '/')) return 1;
  }
  return 0;
}
static i64 ask(u32 what, u32 one, u32 two) {
  u32 words[4] = {what, one, two, 0}; int answer;
  if (C3(WRITE, control, words, sizeof words) != sizeof words) return -EACCES;
  for (u64 got = 0; got < 4;) { i64 more = C3(READ, control, (char *)&answer + got, 4 - got); if (more == -EINTR) continue; if (more <= 0) return -EACCES; got += more; }
  return answer;
}

/* The command's own socket, or where containers do not let us have that, one like it that takes its place. */
struct held { i64 file; int isNew, cloexec; };
static struct held holdSocket(struct notice *asked, int family) {
  char path[64], text[256]; struct held held = {-1, 0, 0}; u32 group = asked->pid; char *at = processPath(path, asked->pid, "/status");
  i64 file = C4(OPENAT, AT_FDCWD, path, O_CLOEXEC, 0), got = file < 0 ? 0 : C3(READ, file, text, sizeof text - 1); if (file >= 0) C1(CLOSE, file);
  for (i64 n = 0; n + 6 < got; n++) if (same(text + n, "Tgid:\t", 6)) { group = 0; for (n += 6; text[n] >= '0' && text[n] <= '9'; n++) group = group * 10 + text[n] - '0'; break; }
  i64 process = C2(PIDFD_OPEN, group, 0);
  if (process >= 0) { held.file = C3(PIDFD_GETFD, process, asked->arguments[0], 0); C1(CLOSE, process); if (held.file >= 0) return held; }
  at = processPath(path, asked->pid, "/fdinfo/"); at = number(at, asked->arguments[0]); *at = 0; u32 flags = 0;
  file = C4(OPENAT, AT_FDCWD, path, O_CLOEXEC, 0); got = file < 0 ? 0 : C3(READ, file, text, sizeof text - 1); if (file >= 0) C1(CLOSE, file); else { held.file = -9; return held; }
  for (i64 n = 0; n + 7 < got; n++) if (same(text + n, "flags:\t", 7)) { for (n += 7; text[n] >= '0' && text[n] <= '7'; n++) flags = flags * 8 + text[n] - '0'; break; }
  held.isNew = 1; held.cloexec = (flags & O_CLOEXEC) != 0;
  held.file = C3(SOCKET_, family, SOCK_STREAM | O_CLOEXEC | (flags & O_NONBLOCK), 0); u32 on = 1;
  if (family != AF_UNIX && held.file >= 0) C5(SETSOCKOPT, held.file, 1, 2, &on, 4);
  return held;
}
static i64 release(struct notice *asked, struct held held, i64 result) {
  if (held.isNew && (result == 0 || result == -115)) {
    struct addition addition = {asked->id, 1, (int)held.file, (u32)asked->arguments[0], held.cloexec ? O_CLOEXEC : 0};
    if (C3(IOCTL, listener, NOTICE_ADD, &addition) < 0) result = -EACCES;
  }
  C1(CLOSE, held.file); return result;
}
union address { struct named named; struct { u16 family, port; u8 four[4]; u8 rest[120]; } four; struct { u16 family, port; u32 flow; u8 six[16]; u32 scope; } six; u16 family; u8 bytes[132]; };
static u16 swap(u16 value) { return (u16)(value << 8 | value >> 8); }
static const u8 MAPPED[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255};
static int isZero(const u8 *at, int size) { while (size--) if (*at++) return 0; return 1; }
static int isLoopback(union address *to) {
  if (to->family == AF_INET) return to->four.four[0] == 127;
  return (isZero(to->six.six, 15) && to->six.six[15] == 1) || (same((char *)to->six.six, (char *)MAPPED, 12) && to->six.six[12] == 127);
}
static int isAny(union address *to) { return to->family == AF_INET ? isZero(to->four.four, 4) : isZero(to->six.six, 16) || (same((char *)to->six.six, (char *)MAPPED, 12) && isZero(to->six.six + 12, 4)); }
static void setLoopback(union address *to, int plain) {
  if (to->family == AF_INET) { to->four.four[0] = 127; to->four.four[1] = to->four.four[2] = 0; to->four.four[3] = 1; return; }
  memset(to->six.six, 0, 16); to->six.six[15] = 1; if (plain) return;
  memcpy(to->six.six, MAPPED, 12); to->six.six[12] = 127;
}
static i64 superviseConnect(struct notice *asked) {
  union address to; memset(&to, 0, sizeof to); u64 size = asked->arguments[2]; if (size < 2 || size > 128) return -EINVAL;
  i64 got = peek(asked, asked->arguments[1], &to, size); if (got != (i64)size) return got < 0 ? got : -14;
  if (to.family == AF_UNIX) {
    if (!to.named.path[0]) return -ECONNREFUSED;
    i64 meant = openMeant(asked, AT_FDCWD, to.named.path, 0); if (meant < 0) return meant;
    i64 result = -EACCES; struct held held = liesIn(meant, 1) ? holdSocket(asked, AF_UNIX) : (struct held){-1, 0, 0};
    if (held.file >= 0) { struct named own = {AF_UNIX, {0}}; ownPath(own.path, meant); result = release(asked, held, isValid(asked) ? C3(CONNECT_, held.file, &own, sizeof own) : -ESRCH); }
    C1(CLOSE, meant); return result;
  }
  if (to.family != AF_INET && to.family != AF_INET6 && to.family != 0 && to.family != 16) return -97;
  if (to.family == AF_INET6 && size < 28) return -EINVAL;
  if (to.family == AF_INET && size < 16) return -EINVAL;
  if ((to.family == AF_INET || to.family == AF_INET6) && !(plan->flags & NETWORK_OPEN)) {
    if (isAny(&to)) setLoopback(&to, 1);
    if (!isLoopback(&to)) return -ENETUNREACH;
    u16 wanted = swap(to.four.port), real = 0; for (u32 n = 0; n < plan->ports; n++) if (ports[n].asked == wanted) real = ports[n].real;
    if (real) { to.four.port = swap(real); setLoopback(&to, 0); } else if (ask(SUPERVISED_CONNECT, wanted, to.family) != 0) return -ECONNREFUSED;
  }
  struct held held = holdSocket(asked, to.family); if (held.file < 0) return held.file;
  return release(asked, held, isValid(asked) ? C3(CONNECT_, held.file, &to, size) : -ESRCH);
}
static i64 superviseBind(struct notice *asked, int *goOn) {
  union address to; memset(&to, 0, sizeof to); u64 size = asked->arguments[2]; if (size < 2 || size > 128) return -EINVAL;
  i64 got = peek(asked, asked->arguments[1], &to, size); if (got != (i64)size) return got < 0 ? got : -14;
  struct held held = holdSocket(asked, to.family); if (held.file < 0) return held.file;
  u32 family = to.family, room = 4; if (!held.isNew) C5(GETSOCKOPT, held.file, 1, 39, &family, &room);
  /* By the kind of socket, not of address: the address could be another one by the time the kernel reads it. */
  if (family != AF_INET && family != AF_INET6) { C1(CLOSE, held.file); if (held.isNew && family != 16 && family != AF_UNIX) return -97; *goOn = 1; return 0; }
  i64 result = -EACCES; int wasAny = 0; if (to.family != family || size < (family == AF_INET ? 16 : 28)) { C1(CLOSE, held.file); return -EINVAL; }
  if (!(plan->flags & NETWORK_OPEN)) {
    if (isAny(&to)) { wasAny = 1; setLoopback(&to, 0); } else if (!isLoopback(&to)) { C1(CLOSE, held.file); return -EADDRNOTAVAIL; }
    if (ask(SUPERVISED_BIND, swap(to.four.port), family) != 0) { C1(CLOSE, held.file); return -EACCES; }
  }
  if (isValid(asked)) {
    result = C3(BIND_, held.file, &to, size);
    /* A socket for version 6 alone takes no mapped address, and one for version 4 may have been there first. */
    if (result < 0 && wasAny && family == AF_INET6) { setLoopback(&to, 1); if (held.isNew) { u32 on = 1; C5(SETSOCKOPT, held.file, 41, 26, &on, 4); } result = C3(BIND_, held.file, &to, size); }
  }
  return release(asked, held, result);
}
static i64 superviseListen(struct notice *asked, int *goOn) {
  struct held held = holdSocket(asked, AF_INET); if (held.isNew) { C1(CLOSE, held.file); if (plan->flags & NETWORK_OPEN) { *goOn = 1; return 0; } }
  union address at; memset(&at, 0, sizeof at); u32 size = sizeof at; if (held.file < 0) return held.file;
  /* Without the socket itself nothing tells whether it was bound: Landlock or its absence in containers leaves that to bind. */
  if (held.isNew) { *goOn = 1; return 0; }
  i64 result = C3(GETSOCKNAME, held.file, &at, &size); int isNetwork = at.family == AF_INET || at.family == AF_INET6;
  if (result == 0 && isNetwork && !at.four.port && !(plan->flags & NETWORK_OPEN)) { setLoopback(&at, 0); C3(BIND_, held.file, &at, at.family == AF_INET ? 16 : 28); }
  result = C2(LISTEN_, held.file, asked->arguments[1]);
  if (result == 0 && isNetwork) { size = sizeof at; C3(GETSOCKNAME, held.file, &at, &size); ask(SUPERVISED_LISTEN, swap(at.four.port), at.family == AF_INET6 && isZero(at.six.six, 15)); }
  C1(CLOSE, held.file); return result;
}
static i64 superviseKill(struct notice *asked, int *goOn) {
  int pid = (int)asked->arguments[0], signal = (int)asked->arguments[1];
  if (pid <= 0 && (plan->flags & SIGNALS_SCOPED)) { *goOn = 1; return 0; }
  if (pid == -1) return -EPERM;
  int target = pid > 0 ? pid : pid == 0 ? (int)C1(GETPGID, asked->pid) : -pid; i64 there = C2(KILL_, pid > 0 ? target : -target, 0);
  if (there < 0) return there;
  if (ask(SUPERVISED_KILL, target, signal) != 0) return -EPERM;
  return isValid(asked) ? C2(KILL_, pid > 0 ? target : -target, signal) : -ESRCH;
}
/* Mode, owner and times of a file: Landlock has no say in them. */
static i64 superviseFile(struct notice *asked, struct row *row) {
  char path[4096], own[40]; i64 folder = row->folder < 0 ? AT_FDCWD : (int)asked->arguments[(int)row->folder]; path[0] = 0;
  u64 flags = row->flags < 0 ? 0 : asked->arguments[(int)row->flags], pathAt = row->path < 0 ? 0 : asked->arguments[(int)row->path], value = asked->arguments[(int)row->value];
  if (pathAt) { i64 size = peekPath(asked, pathAt, path, sizeof path - 1); if (size < 0) return size; if (!size && !(flags & AT_EMPTY_PATH)) return -2; }
  else if (row->path >= 0 && row->act != SUPERVISED_TIMES && row->act != SUPERVISED_TIMEVALS) return -14;
  i64 times[4]; int now = value == 0;
  if (row->act >= SUPERVISED_TIMES && row->act <= SUPERVISED_TIME && !now) {
    u64 size = row->act == SUPERVISED_TIME ? 16 : 32; i64 got = peek(asked, value, times, size); if (got != (i64)size) return got < 0 ? got : -14;
    if (row->act == SUPERVISED_TIME) { times[2] = times[1]; times[1] = times[3] = 0; }
    if (row->act == SUPERVISED_TIMEVALS) { times[1] *= 1000; times[3] *= 1000; }
  }
  i64 meant = openMeant(asked, folder, path, row->nofollow || (flags & AT_SYMLINK_NOFOLLOW) ? O_NOFOLLOW : 0); if (meant < 0) return meant;
  i64 result = -EPERM; ownPath(own, meant);
  if (liesIn(meant, 0) && isValid(asked)) {
    if (row->act == SUPERVISED_MODE) result = value & 04000 ? -EPERM : C3(FCHMODAT, AT_FDCWD, own, value);
    else if (row->act == SUPERVISED_OWNER) result = C5(FCHOWNAT, meant, "", value, asked->arguments[row->value + 1], AT_EMPTY_PATH);
    else if (row->act == SUPERVISED_TRUNCATE) { i64 file = C4(OPENAT, AT_FDCWD, own, O_WRONLY | O_CLOEXEC, 0); result = file < 0 ? file : C2(FTRUNCATE, file, value); if (file >= 0) C1(CLOSE, file); }
    else result = C4(UTIMENSAT, meant, "", now ? 0 : times, AT_EMPTY_PATH);
  }
  C1(CLOSE, meant); return result;
}
static void serve(void) {
  struct notice asked; memset(&asked, 0, sizeof asked); if (C3(IOCTL, listener, NOTICE_RECEIVE, &asked) != 0) return;
  i64 result = -ENOSYS; int goOn = 0; struct row *row = 0; for (u32 n = 0; n < plan->rows; n++) if (rows[n].number == (u32)asked.number) row = rows + n;
  if (row) switch (row->act) {
    case SUPERVISED_CONNECT: result = superviseConnect(&asked); break;
    case SUPERVISED_BIND: result = superviseBind(&asked, &goOn); break;
    case SUPERVISED_LISTEN: result = superviseListen(&asked, &goOn); break;
    case SUPERVISED_KILL: result = superviseKill(&asked, &goOn); break;
    default: result = superviseFile(&asked, row);
  }
  struct answer answer = {asked.id, 0, result < 0 ? (int)result : 0, goOn}; C3(IOCTL, listener, NOTICE_SEND, &answer);
}

/* ---- run ---- */
static void exitAs(int status) {
  int signal = status & 127; if (!signal) C1(EXIT, status >> 8 & 255);
  u64 none = 0; C4(SIGPROCMASK, 2, &none, 0, 8); C2(KILL_, C1(GETPID, 0), signal); C1(EXIT, 128 + signal);
}
static void dropRights(void) {
  for (int right = 0; right < 64 && C5(PRCTL, 24, right, 0, 0, 0) == 0; right++) {}
  C5(PRCTL, 47, 4, 0, 0, 0); u32 head[2] = {0x20080522, 0}, none[6] = {0}; must(C2(CAPSET, head, none), "its rights stay");
}
/* Everything below this process: what is killed leaves its children to it, so that they are found in turn. */
static void endAll(void) {
  for (int round = 0; round < 100000; round++) {
    char text[4096]; i64 file = C4(OPENAT, AT_FDCWD, "/proc/thread-self/children", O_CLOEXEC, 0), got = file < 0 ? 0 : C3(READ, file, text, sizeof text); if (file >= 0) C1(CLOSE, file);
    for (i64 n = 0, pid = 0; n < got; n++) { if (text[n] >= '0' && text[n] <= '9') pid = pid * 10 + text[n] - '0'; else { if (pid > 1) C2(KILL_, pid, 9); pid = 0; } }
    if (C4(WAIT4, -1, 0, 0, 0) == -10) break;
  }
  C1(EXIT, 0);
}
static i64 fork_(void) { return C5(CLONE, 17, 0, 0, 0, 0); }
static void shutIn(i64 ruleset, int to) {
  must(C5(PRCTL, 38, 1, 0, 0, 0), "new rights cannot be refused");
  if (ruleset >= 0) { must(C2(LANDLOCK_RESTRICT, ruleset, 0), "Landlock did not take"); C1(CLOSE, ruleset); }
  if (!plan->filter) return;
  struct { u16 count; u16 pad[3]; u8 *rows; } program = {(u16)(plan->filter / 8), {0}, filter};
  if (to < 0) { must(C3(SECCOMP, 1, 0, &program), "calls cannot be filtered"); return; }
  i64 heard = C3(SECCOMP, 1, 8 | 32, &program); if (heard == -EINVAL) heard = C3(SECCOMP, 1, 8, &program);
  must(heard, "calls cannot be filtered"); u8 byte; must(sendFile(to, (int)heard), "its calls cannot be supervised");
  if (C3(READ, to, &byte, 1) != 1) C1(EXIT, 126);
  C1(CLOSE, heard); C1(CLOSE, to);
}
static void supervise(i64 command, int report) {
  u64 chld = 1 << 16; i64 births = C4(SIGNALFD4, -1, &chld, 8, O_CLOEXEC | O_NONBLOCK); u8 sink[128];
  struct waited all[3] = {{listener, 1, 0}, {control, 1, 0}, {(int)births, 1, 0}};
  for (;;) {
    await(all, 3);
    if (all[1].seen) endAll();
    if (all[2].seen) {
      C3(READ, births, sink, sizeof sink); int status; i64 who;
      while ((who = C4(WAIT4, -1, &status, 1, 0)) > 0) if (who == command) { C3(WRITE, report, &status, 4); C1(CLOSE, report); report = -1; }
      if (who == -10) C1(EXIT, 0);
    }
    if (all[0].seen & 1) serve(); else if (all[0].seen) all[0].file = -1;
  }
}
static void run(char **arguments, char **environment) {
  u64 every = ~0ul, before; readPlan(arguments[0]); C3(CLOSE_RANGE, 4, ~0u, 0);
  /* The command has 0 to 2, and 3 where it was given: what is opened here comes after them. */
  i64 fourth = C4(OPENAT, AT_FDCWD, "/", O_PATH | O_CLOEXEC, 0); if (fourth > 3) C1(CLOSE, fourth);
  C4(SIGPROCMASK, 2, &every, &before, 8);
  i64 ruleset = -1; int supervised = (plan->flags & SUPERVISE) != 0, status, ends[2], words[2];
  if (plan->ruleset > 1) { i64 door = must(openNamed(holder, 0), "its ruleset is gone"); ruleset = must(receiveFile((int)door), "its ruleset did not come"); C1(CLOSE, door); }
  if (supervised) control = (int)must(openNamed(hermes, 0), "Hermes does not answer");
  char *spaces = arguments[1];
  if (*spaces != '-') {
    u64 number[2] = {0, 0}; int which = 0; for (; *spaces; spaces++) if (*spaces == ':') which = 1; else number[which] = number[which] * 10 + *spaces - '0';
    i64 process = must(C2(PIDFD_OPEN, number[0], 0), "its sandbox is gone"); must(C2(SETNS, process, number[1]), "its sandbox cannot be entered"); C1(CLOSE, process);
  }
  if (supervised) {
    must(C2(PIPE2, ends, O_CLOEXEC), "no pipe");
    i64 supervisor = must(fork_(), "no process");
    if (supervisor) { C1(CLOSE, ends[1]); C1(CLOSE, control); for (;;) { i64 got = C3(READ, ends[0], &status, 4); if (got == 4) exitAs(status); if (got != -EINTR) exitAs(9); } }
    C5(PRCTL, 36, 1, 0, 0, 0); C1(CLOSE, ends[0]); must(C4(SOCKETPAIR, AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0, words), "no pipe");
  }
  if (supervised && plan->flags & DROP_RIGHTS) dropRights();
  i64 command = must(fork_(), "no process");
  if (!command) {
    if (supervised) C1(CLOSE, words[0]); else if (plan->flags & DROP_RIGHTS) dropRights();
    shutIn(ruleset, supervised ? words[1] : -1); C4(SIGPROCMASK, 2, &before, 0, 8);
    i64 why = C3(EXECVE, arguments[2], arguments + 2, environment); fail(arguments[2], why);
  }
  if (!supervised) { for (;;) if (C4(WAIT4, command, &status, 0, 0) == command) exitAs(status); }
  C1(CLOSE, words[1]); listener = (int)receiveFile(words[0]); u32 hello[4] = {0, (u32)C1(GETPID, 0), (u32)command, 0};
  if (listener < 0) endAll();
  C3(WRITE, control, hello, sizeof hello); C3(WRITE, words[0], "g", 1); C1(CLOSE, words[0]); if (ruleset >= 0) C1(CLOSE, ruleset);
  for (int file = 0; file < 4; file++) C1(CLOSE, file);
  supervise(command, ends[1]);
}
__attribute__((used)) void begin(u64 *stack) {
  char **arguments = (char **)(stack + 1); u64 count = *stack;
  if (count == 2 && same(arguments[1], "level", 6)) {
    i64 level = C3(LANDLOCK_CREATE, 0, 0, 1); u8 digit = '0' + (level < 0 ? 0 : level > 9 ? 9 : level); C3(WRITE, 1, &digit, 1); C1(EXIT, 0);
  }
  if (count == 4 && same(arguments[1], "hold", 5)) hold(arguments[2], arguments[3]);
  if (count >= 5 && same(arguments[1], "run", 4)) run(arguments + 2, arguments + count + 1);
  fail("it is not called like this", 0);
}

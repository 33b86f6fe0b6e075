/*
 * The launcher of the floor: it starts one command behind Landlock and seccomp and answers the system calls that neither can
 * judge. No libc, no allocation, one thread. What it may do is data: a plan that Hermes writes (plan.ts has the same layout).
 *
 *   launcher level                            prints the level of Landlock, or 0
 *   launcher hold RULES SOCKET                makes the ruleset once and hands it to every `run` that connects
 *   launcher run PLAN NAMESPACES PROGRAM ...  NAMESPACES is PID:FLAGS of a process to enter, or -
 *
 * A supervised `run` is three processes. The one Hermes started waits for the exit code. Its child supervises, is the parent of
 * all that the command leaves behind, and ends it when Hermes is gone. Its child in turn is the command. A supervised call is
 * carried out here, with arguments that were read from the command's memory once: a later change of them counts for nothing.
 */
#include <asm/fcntl.h>
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/ioctl.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <linux/stat.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;

#if defined(__x86_64__)
static i64 call6(i64 n, u64 a, u64 b, u64 c, u64 d, u64 e) {
  i64 result;
  register u64 r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = 0;
  __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start: xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");
#elif defined(__aarch64__)
static i64 call6(i64 n, u64 a, u64 b, u64 c, u64 d, u64 e) {
  register u64 x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d;
  register u64 x4 __asm__("x4") = e, x5 __asm__("x5") = 0;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
__asm__(".globl _start\n_start: mov x29,#0\n mov x0,sp\n bl begin\n");
#endif
/* call(name, up to five arguments): what the kernel answers, an error as its negative number. */
#define CALL(n, a, b, c, d, e, ...) call6(__NR_##n, (u64)(a), (u64)(b), (u64)(c), (u64)(d), (u64)(e))
#define call(...) CALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0)

enum { AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16, SOCK_STREAM = 1, SOCK_RAW = 3 };
enum { SOL_SOCKET = 1, SO_REUSEADDR = 2, SO_DOMAIN = 39, IPPROTO_IPV6 = 41, IPV6_V6ONLY = 26, SCM_RIGHTS = 1 };
enum { MSG_NOSIGNAL = 0x4000, MSG_CMSG_CLOEXEC = 0x40000000, POLLIN = 1, WNOHANG = 1, SIGKILL = 9, SIGCHLD = 17, SIG_SETMASK = 2 };
enum { PR_CAPBSET_DROP = 24, PR_SET_CHILD_SUBREAPER = 36, PR_SET_NO_NEW_PRIVS = 38, PR_CAP_AMBIENT = 47, PR_CAP_AMBIENT_CLEAR_ALL = 4 };

__attribute__((used)) void *memset(void *to, int value, u64 size) {
  for (u8 *at = to; size--;) *at++ = (u8)value;
  return to;
}
__attribute__((used)) void *memcpy(void *to, const void *from, u64 size) {
  const u8 *source = from;
  for (u8 *at = to; size--;) *at++ = *source++;
  return to;
}
static u64 length(const char *text) {
  u64 size = 0;
  while (text[size]) size++;
  return size;
}
static int same(const void *one, const void *other, u64 size) {
  for (const u8 *a = one, *b = other; size--;)
    if (*a++ != *b++) return 0;
  return 1;
}
static int startsWith(const char *text, const char *start) {
  while (*start)
    if (*text++ != *start++) return 0;
  return 1;
}
static int isZero(const u8 *at, u64 size) {
  while (size--)
    if (*at++) return 0;
  return 1;
}
static char *writeNumber(char *to, u64 value) {
  char digits[20];
  int count = 0;
  do digits[count++] = '0' + value % 10;
  while (value /= 10);
  while (count) *to++ = digits[--count];
  *to = 0;
  return to;
}
static char *writeText(char *to, const char *text) {
  while ((*to = *text++)) to++;
  return to;
}

__attribute__((noreturn)) static void leave(int code) {
  call(exit_group, code);
  __builtin_unreachable();
}
__attribute__((noreturn)) static void fail(const char *what, i64 error) {
  char text[256], *at = writeText(text, "hermes: the command could not be shut in: ");
  for (int room = 150; *what && room; room--) *at++ = *what++;
  at = writeText(at, " (error ");
  at = writeText(writeNumber(at, error < 0 ? -error : error), ")\n");
  call(write, 2, text, at - text);
  leave(126);
}
static i64 must(i64 result, const char *what) {
  if (result < 0) fail(what, result);
  return result;
}
static void shut(i64 file) {
  if (file >= 0) call(close, file);
}

/* ---- the plan ---- */
enum { DROP_RIGHTS = 1, SUPERVISE = 2, NETWORK_OPEN = 4, SIGNALS_SCOPED = 8 };
enum act { CONNECT = 1, BIND, LISTEN, SIGNAL, MODE, OWNER, TIMES, TIMEVALS, TIME, TRUNCATE, TARGET };
/* What Hermes is asked besides. */
enum { ASK_PATH = 20, ASK_GROUP };
/* A supervised call: its number, what is done, and in which arguments folder, path, value and flags are; -1 for none. */
struct row {
  u32 number;
  u8 act;
  signed char folder, path, value, flags;
  u8 nofollow, rest[2];
};
struct port {
  u16 asked, real;
};
/* After it: rows, ports, the filter, places (a letter and a path, each with a zero), the sockets of Hermes and of the ruleset. */
struct plan {
  u32 magic, flags, level, rows, ports, filter, places, hermes, holder, rest;
};
static struct plan *plan;
static struct row *rows;
static struct port *ports;
static u8 *filter;
static char *places, *hermes, *holder;
/* The sockets to Hermes, and of the command's calls. */
static int control = -1, listener = -1;

static char *mapFile(const char *path, u64 *size) {
  struct stat found;
  i64 file = must(call(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), "its plan cannot be opened");
  must(call(fstat, file, &found), "its plan cannot be read");
  *size = found.st_size;
  /* The sixth argument is 0: from the beginning. PROT_READ, MAP_PRIVATE. */
  i64 at = must(call(mmap, 0, *size, 1, 2, file), "its plan cannot be read");
  shut(file);
  return (char *)at;
}
static void readPlan(const char *path) {
  u64 size;
  char *at = mapFile(path, &size);
  plan = (struct plan *)at;
  if (size < sizeof *plan || plan->magic != 0x31464c48) fail("its plan is of another version", 0);
  rows = (struct row *)(plan + 1);
  ports = (struct port *)(rows + plan->rows);
  filter = (u8 *)(ports + plan->ports);
  places = (char *)filter + plan->filter;
  hermes = places + plan->places;
  holder = hermes + plan->hermes;
}

/* ---- sockets ---- */
struct part {
  void *at;
  u64 size;
};
struct rights {
  u64 size;
  u32 level, type;
  int file;
  u32 rest;
};
struct message {
  void *name;
  u64 nameSize;
  struct part *parts;
  u64 count;
  struct rights *rights;
  u64 rightsSize, flags;
};
static i64 sendFile(i64 to, i64 file) {
  u8 byte = 1;
  struct part part = {&byte, 1};
  struct rights rights = {20, SOL_SOCKET, SCM_RIGHTS, (int)file, 0};
  struct message message = {0, 0, &part, 1, &rights, sizeof rights, 0};
  return call(sendmsg, to, &message, MSG_NOSIGNAL);
}
static i64 receiveFile(i64 from) {
  u8 byte;
  struct part part = {&byte, 1};
  struct rights rights;
  memset(&rights, 0, sizeof rights);
  struct message message = {0, 0, &part, 1, &rights, sizeof rights, 0};
  i64 got = call(recvmsg, from, &message, MSG_CMSG_CLOEXEC);
  return got == 1 && rights.size == 20 && rights.type == SCM_RIGHTS ? rights.file : -EACCES;
}
struct named {
  u16 family;
  char path[108];
};
static i64 openSocketAt(const char *path, int listens) {
  struct named name;
  u64 size = length(path);
  if (size >= sizeof name.path) return -ENAMETOOLONG;
  memset(&name, 0, sizeof name);
  name.family = AF_UNIX;
  memcpy(name.path, path, size);
  i64 made = call(socket, AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0);
  if (made < 0) return made;
  i64 done = listens ? call(bind, made, &name, size + 3) : call(connect, made, &name, size + 3);
  if (done == 0 && listens) done = call(listen, made, 128);
  if (done == 0) return made;
  shut(made);
  return done;
}
struct waited {
  int file;
  short wanted, seen;
};
static i64 await(struct waited *all, u64 count) {
  i64 ready;
  do ready = call(ppoll, all, count, 0, 0, 8);
  while (ready == -EINTR);
  return ready;
}

/* ---- hold: the ruleset ---- */
static u64 filesOfLevel(i64 level) {
  return level >= 5 ? 0xffff : level >= 3 ? 0x7fff : level == 2 ? 0x3fff : 0x1fff;
}
static void addRule(i64 ruleset, const char *path, u32 access) {
  enum { OF_A_FILE = 0xc007 };
  struct open_how how = {O_PATH | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS};
  struct {
    u64 access;
    int file;
  } __attribute__((packed)) beneath;
  struct stat found;
  i64 file = call(openat2, AT_FDCWD, path, &how, sizeof how);
  if (file < 0) return; /* It is gone, or became a link. */
  call(fstat, file, &found);
  beneath.access = access & (S_ISDIR(found.st_mode) ? 0xffff : OF_A_FILE);
  beneath.file = (int)file;
  if (beneath.access) must(call(landlock_add_rule, ruleset, 1, &beneath, 0), "Landlock took no rule");
  shut(file);
}
__attribute__((noreturn)) static void hold(const char *path, const char *socket) {
  u64 size;
  char *at = mapFile(path, &size), *end = at + size;
  u32 head[2], access;
  u16 nameSize;
  memcpy(head, at, sizeof head);
  i64 level = must(call(landlock_create_ruleset, 0, 0, 1), "Landlock is off");
  if (level > head[0]) level = head[0];
  u64 wanted[3] = {filesOfLevel(level), level >= 4 && head[1] ? 3 : 0, level >= 6 ? 3 : 0};
  i64 ruleset = must(call(landlock_create_ruleset, wanted, level >= 6 ? 24 : level >= 4 ? 16 : 8, 0), "Landlock made no ruleset");
  for (at += sizeof head; at + 6 < end; at += 6 + nameSize) {
    memcpy(&access, at, sizeof access);
    memcpy(&nameSize, at + 4, sizeof nameSize);
    addRule(ruleset, at + 6, access & wanted[0]);
  }
  i64 door = must(openSocketAt(socket, 1), "its socket cannot be made");
  call(write, 1, "ready\n", 6);
  /* Hermes holds the other end of the input: it is closed with Hermes. */
  struct waited both[2] = {{0, POLLIN, 0}, {(int)door, POLLIN, 0}};
  while (await(both, 2) > 0 && both[0].seen == 0) {
    i64 who = call(accept4, door, 0, 0, O_CLOEXEC);
    if (who >= 0) sendFile(who, ruleset);
    shut(who);
  }
  leave(0);
}

/* ---- what a command asks ---- */
typedef struct seccomp_notif asking;
#define argument(asked, index) ((asked)->data.args[index])

static int isValid(asking *asked) {
  return call(ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id) == 0;
}
static void sendAnswer(asking *asked, i64 result, int goOn) {
  struct seccomp_notif_resp answer = {asked->id, 0, goOn || result > 0 ? 0 : (int)result, goOn ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0};
  call(ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
/* `/proc/PID` and more. The number is that of a thread, which has all of these as well. */
static char *writeProcess(char *to, asking *asked, const char *rest) {
  return writeText(writeNumber(writeText(to, "/proc/"), asked->pid), rest);
}
static i64 readSmallFile(const char *path, char *to, u64 size) {
  i64 file = call(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return file;
  i64 got = call(read, file, to, size - 1);
  shut(file);
  to[got < 0 ? 0 : got] = 0;
  return got;
}
/* The number after a word, or what is given. */
static u64 numberAfter(const char *text, const char *word, u32 base, u64 otherwise) {
  u64 size = length(word), value = 0;
  for (; *text; text++) {
    if (!same(text, word, size)) continue;
    for (text += size; *text >= '0' && *text <= '9'; text++) value = value * base + (*text - '0');
    return value;
  }
  return otherwise;
}

/* Memory of the command. */
static i64 peek(asking *asked, u64 from, void *to, u64 size) {
  char path[40];
  writeProcess(path, asked, "/mem");
  i64 file = call(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -EPERM;
  i64 got = call(pread64, file, to, size, from);
  shut(file);
  return isValid(asked) ? got : -ESRCH;
}
static i64 peekWhole(asking *asked, u64 from, void *to, u64 size) {
  i64 got = peek(asked, from, to, size);
  return got == (i64)size ? 0 : got < 0 ? got : -EFAULT;
}
/* A path may end right before memory that is not there: each page is read by itself. */
enum { MAX_PATH = 4096 };
static i64 peekPath(asking *asked, u64 from, char *to) {
  for (u64 at = 0; at < MAX_PATH;) {
    u64 size = 4096 - (from + at) % 4096;
    if (size > MAX_PATH - at) size = MAX_PATH - at;
    i64 got = peek(asked, from + at, to + at, size);
    if (got <= 0) return got < 0 ? got : -EFAULT;
    for (u64 end = at + got; at < end; at++)
      if (!to[at]) return at;
  }
  return -ENAMETOOLONG;
}

/* What a command means by a path, or by one of its descriptors where that is empty, as an O_PATH descriptor of ours. */
static i64 openMeant(asking *asked, int folder, const char *path, int nofollow) {
  char place[MAX_PATH + 64];
  int flags = O_PATH | O_CLOEXEC;
  /* Ours would be another's. */
  if (startsWith(path, "/proc/self/") || startsWith(path, "/dev/fd/")) {
    writeProcess(place, asked, path + (path[1] == 'p' ? 10 : 4));
    return call(openat, AT_FDCWD, place, flags | nofollow);
  }
  if (*path == '/') return call(openat, AT_FDCWD, path, flags | nofollow);
  if (folder == AT_FDCWD) writeProcess(place, asked, "/cwd");
  else if (folder < 0) return -EBADF;
  else writeNumber(writeProcess(place, asked, "/fd/"), folder);
  i64 base = call(openat, AT_FDCWD, place, flags);
  if (base == -ENOENT) base = -EBADF;
  if (base < 0 || !*path) return base;
  i64 meant = call(openat, base, path, flags | nofollow);
  shut(base);
  return meant;
}
static void writeOwn(char *to, i64 file) {
  writeNumber(writeText(to, "/proc/self/fd/"), file);
}
/* Whether an open file lies where the plan says: `w` what may be changed, `s` sockets that may be reached besides. */
static int liesInside(i64 file, int alsoSockets, int isDescriptor, char *real) {
  char own[40];
  struct stat meant, found;
  writeOwn(own, file);
  i64 size = call(readlinkat, AT_FDCWD, own, real, MAX_PATH - 1);
  if (size <= 0 || call(fstat, file, &meant) < 0) return 0;
  real[size] = 0;
  if (real[0] != '/') return isDescriptor; /* A pipe, a socket, memory: the command has it open. */
  int isNamed = 0;
  for (char *at = places; at < places + plan->places; at += length(at) + 1) {
    u64 want = length(at + 1);
    if (*at == 's' && !alsoSockets) continue;
    if ((u64)size >= want && same(real, at + 1, want) && (real[want] == 0 || real[want] == '/')) isNamed = 1;
  }
  /* In a mount of its own, a file could have any name. One that is deleted has none. */
  if (!isNamed || meant.st_nlink == 0) return isNamed;
  i64 again = call(openat, AT_FDCWD, real, O_PATH | O_CLOEXEC | O_NOFOLLOW);
  int isSame = again >= 0 && call(fstat, again, &found) == 0 && found.st_dev == meant.st_dev && found.st_ino == meant.st_ino;
  shut(again);
  return isSame;
}
/* What Hermes says: 0, or the number of an error. A path comes behind the words. */
static i64 askWith(u32 what, u32 about, u32 more, const char *path) {
  u32 words[3] = {what, about, more};
  int answer = EACCES;
  if (call(sendto, control, words, sizeof words, MSG_NOSIGNAL) != sizeof words) return EACCES;
  if (path && call(sendto, control, path, about, MSG_NOSIGNAL) != about) return EACCES;
  for (u64 got = 0; got < sizeof answer;) {
    i64 more = call(read, control, (u8 *)&answer + got, sizeof answer - got);
    if (more == -EINTR) continue;
    if (more <= 0) return EACCES;
    got += more;
  }
  return answer;
}
static i64 ask(u32 what, u32 about, u32 more) {
  return askWith(what, about, more, 0);
}
static u32 groupOf(u32 thread) {
  char path[40], text[512];
  writeText(writeNumber(writeText(path, "/proc/"), thread), "/status");
  return readSmallFile(path, text, sizeof text) < 0 ? 0 : (u32)numberAfter(text, "Tgid:\t", 10, 0);
}

/* ---- connect, bind, listen ---- */
/* The command's own socket; or one like it, which then takes its place, where a container does not let us have that. */
struct held {
  i64 file;
  int isNew, closesOnExec;
};
static int isNetwork(u32 family) {
  return family == AF_INET || family == AF_INET6;
}
static struct held holdSocket(asking *asked, int family) {
  char path[64], text[512];
  struct held held = {-EBADF, 0, 0};
  i64 process = call(pidfd_open, groupOf(asked->pid), 0);
  if (process >= 0) {
    held.file = call(pidfd_getfd, process, argument(asked, 0), 0);
    shut(process);
    if (held.file >= 0 || held.file == -EBADF) return held;
  }
  writeNumber(writeProcess(path, asked, "/fdinfo/"), (u32)argument(asked, 0));
  held.file = -EBADF;
  if (readSmallFile(path, text, sizeof text) < 0) return held;
  u32 flags = (u32)numberAfter(text, "flags:\t", 8, 0), on = 1;
  held.isNew = 1;
  held.closesOnExec = (flags & O_CLOEXEC) != 0;
  held.file = call(socket, family, (family == AF_NETLINK ? SOCK_RAW : SOCK_STREAM) | O_CLOEXEC | (flags & O_NONBLOCK), 0);
  if (isNetwork(family) && held.file >= 0) call(setsockopt, held.file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  return held;
}
static i64 giveBack(asking *asked, struct held held, i64 result) {
  if (held.isNew && (result == 0 || result == -EINPROGRESS)) {
    struct seccomp_notif_addfd addition = {asked->id, SECCOMP_ADDFD_FLAG_SETFD, (u32)held.file, (u32)argument(asked, 0), 0};
    addition.newfd_flags = held.closesOnExec ? O_CLOEXEC : 0;
    if (call(ioctl, listener, SECCOMP_IOCTL_NOTIF_ADDFD, &addition) < 0) result = -EACCES;
  }
  shut(held.file);
  return result;
}
union address {
  u16 family;
  struct named named;
  struct {
    u16 family, port;
    u8 host[4];
  } four;
  struct {
    u16 family, port;
    u32 flow;
    u8 host[16];
    u32 scope;
  } six;
  u8 bytes[132];
};
enum { SIZE_OF_FOUR = 16, SIZE_OF_SIX = 28 };
static const u8 MAPPED[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255};
static u16 swapped(u16 value) {
  return (u16)(value << 8 | value >> 8);
}
static u64 sizeOf(u32 family) {
  return family == AF_INET ? SIZE_OF_FOUR : SIZE_OF_SIX;
}
static int isMapped(union address *to) {
  return same(to->six.host, MAPPED, sizeof MAPPED);
}
/* The two addresses that are this machine's; others of 127.0.0.0/8 would be further machines for whoever compares them. */
static int isLoopback(union address *to) {
  static const u8 HOME[4] = {127, 0, 0, 1};
  if (to->family == AF_INET) return same(to->four.host, HOME, 4);
  return isMapped(to) ? same(to->six.host + 12, HOME, 4) : isZero(to->six.host, 15) && to->six.host[15] == 1;
}
static int isAnybody(union address *to) {
  if (to->family == AF_INET) return isZero(to->four.host, 4);
  return isZero(to->six.host, 16) || (isMapped(to) && isZero(to->six.host + 12, 4));
}
/* 127.0.0.1; for version 6 in its words, or ::1. */
static void setLoopback(union address *to, int plain) {
  static const u8 HOME[4] = {127, 0, 0, 1};
  if (to->family == AF_INET) {
    memcpy(to->four.host, HOME, sizeof HOME);
    return;
  }
  memset(to->six.host, 0, sizeof to->six.host);
  to->six.host[15] = 1;
  if (plain) return;
  memcpy(to->six.host, MAPPED, sizeof MAPPED);
  memcpy(to->six.host + 12, HOME, sizeof HOME);
}
static i64 peekAddress(asking *asked, union address *to, u64 *size) {
  *size = argument(asked, 2);
  memset(to, 0, sizeof *to);
  if (*size < 2 || *size > 128) return -EINVAL;
  i64 result = peekWhole(asked, argument(asked, 1), to, *size);
  return result == 0 && isNetwork(to->family) && *size < sizeOf(to->family) ? -EINVAL : result;
}

/* Who waits for an answer of another must not keep all others waiting: a child of ours does it, and answers by itself. */
static i64 connectApart(asking *asked, struct held held, void *to, u64 size, int *isAnswered) {
  if (!isValid(asked)) return giveBack(asked, held, -ESRCH);
  i64 flags = call(fcntl, held.file, F_GETFL);
  if (flags & O_NONBLOCK) return giveBack(asked, held, call(connect, held.file, to, size));
  *isAnswered = 1;
  if (call(clone, SIGCHLD) == 0) {
    sendAnswer(asked, giveBack(asked, held, call(connect, held.file, to, size)), 0);
    leave(0);
  }
  shut(held.file);
  return 0;
}
static i64 connectByPath(asking *asked, const char *path, int *isAnswered) {
  char real[MAX_PATH];
  if (!*path) return -ECONNREFUSED; /* An abstract name. */
  i64 meant = openMeant(asked, AT_FDCWD, path, 0), result = -EACCES;
  if (meant < 0) return meant;
  /* The owner may listen in the workspace, too. */
  if (liesInside(meant, 1, 0, real) && askWith(ASK_PATH, length(real), 0, real) == 0) {
    struct held held = holdSocket(asked, AF_UNIX);
    struct named own;
    memset(&own, 0, sizeof own);
    own.family = AF_UNIX;
    writeOwn(own.path, meant);
    result = held.file < 0 ? held.file : connectApart(asked, held, &own, sizeof own, isAnswered);
  }
  shut(meant);
  return result;
}
static i64 superviseConnect(asking *asked, int *isAnswered) {
  union address to;
  u64 size;
  i64 result = peekAddress(asked, &to, &size);
  if (result < 0) return result;
  if (to.family == AF_UNIX) return connectByPath(asked, to.named.path, isAnswered);
  if (!isNetwork(to.family) && to.family != 0 && to.family != AF_NETLINK) return -EAFNOSUPPORT;
  if (isNetwork(to.family) && !(plan->flags & NETWORK_OPEN)) {
    if (isAnybody(&to)) setLoopback(&to, 1);
    if (!isLoopback(&to)) return -ENETUNREACH;
    u16 port = swapped(to.four.port), real = 0;
    for (u32 n = 0; n < plan->ports; n++)
      if (ports[n].asked == port) real = ports[n].real;
    if (!real && ask(CONNECT, port, to.family == AF_INET6 && !isMapped(&to)) != 0) return -ECONNREFUSED;
    if (real) {
      to.four.port = swapped(real);
      setLoopback(&to, 0);
    }
  }
  struct held held = holdSocket(asked, to.family);
  return held.file < 0 ? held.file : connectApart(asked, held, &to, size, isAnswered);
}
static i64 bindInside(asking *asked, struct held held, union address *to, u64 size) {
  int wasAnybody = isAnybody(to);
  u32 on = 1;
  if (!(plan->flags & NETWORK_OPEN)) {
    if (wasAnybody) setLoopback(to, 0);
    else if (!isLoopback(to)) return -EADDRNOTAVAIL;
    i64 answer = ask(BIND, swapped(to->four.port), 0);
    if (answer != 0) return -answer;
  }
  if (!isValid(asked)) return -ESRCH;
  i64 result = call(bind, held.file, to, size);
  if (result == 0 || !wasAnybody || to->family != AF_INET6 || plan->flags & NETWORK_OPEN) return result;
  /* A socket for version 6 alone takes no mapped address, and one for version 4 may have been there first. */
  setLoopback(to, 1);
  if (held.isNew) call(setsockopt, held.file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  return call(bind, held.file, to, size);
}
/* A name in a folder: bound from there, in the words of the command, with its mask. */
static i64 bindPath(asking *asked, struct held held, struct named *name, u64 size) {
  char folder[sizeof name->path + 4], real[MAX_PATH], path[64], text[512];
  u64 at = length(name->path);
  while (at && name->path[at - 1] != '/') at--;
  memcpy(folder, name->path, at);
  writeText(folder + at, ".");
  i64 meant = openMeant(asked, AT_FDCWD, folder, 0), result = -EACCES;
  if (meant < 0) return meant;
  writeProcess(path, asked, "/status");
  if (liesInside(meant, 0, 0, real) && readSmallFile(path, text, sizeof text) > 0 && isValid(asked)) {
    call(umask, numberAfter(text, "Umask:\t", 8, 022));
    result = call(fchdir, meant);
    memcpy(name->path, name->path + at, sizeof name->path - at);
    if (result == 0) result = call(bind, held.file, name, size - at);
  }
  shut(meant);
  return result;
}
/* Sockets that took another's place and have an address, by their numbers, the latest last. */
static u64 placed[16];
static i64 superviseBind(asking *asked) {
  union address to;
  u64 size;
  i64 result = peekAddress(asked, &to, &size);
  if (result < 0) return result;
  struct held held = holdSocket(asked, to.family);
  u32 family = to.family, room = sizeof family;
  struct stat found;
  if (held.file < 0) return held.file;
  /* By the kind of socket, not of address: that is the command's to choose. */
  if (!held.isNew) call(getsockopt, held.file, SOL_SOCKET, SO_DOMAIN, &family, &room);
  if (family != to.family) result = -EINVAL;
  else if (isNetwork(family)) result = bindInside(asked, held, &to, size);
  else if (family == AF_UNIX && to.named.path[0]) result = bindPath(asked, held, &to.named, size);
  else if (family == AF_UNIX || family == AF_NETLINK) result = isValid(asked) ? call(bind, held.file, &to, size) : -ESRCH;
  else result = -EAFNOSUPPORT;
  if (held.isNew && result == 0 && call(fstat, held.file, &found) == 0) {
    memcpy(placed, placed + 1, sizeof placed - sizeof *placed);
    placed[sizeof placed / sizeof *placed - 1] = found.st_ino;
  }
  return giveBack(asked, held, result);
}
/* A socket that listens without an address would have every address of the machine. */
static i64 superviseListen(asking *asked, int *goOn) {
  union address at;
  u32 size = sizeof at;
  char path[64];
  struct stat found;
  struct held held = holdSocket(asked, AF_INET);
  if (held.file < 0) return held.file;
  if (held.isNew) {
    shut(held.file);
    writeNumber(writeProcess(path, asked, "/fd/"), (u32)argument(asked, 0));
    i64 own = call(openat, AT_FDCWD, path, O_PATH | O_CLOEXEC);
    if (own >= 0 && call(fstat, own, &found) == 0)
      for (u64 n = 0; n < sizeof placed / sizeof *placed; n++) *goOn |= placed[n] == found.st_ino;
    shut(own);
    *goOn |= (plan->flags & NETWORK_OPEN) != 0;
    return -EACCES;
  }
  memset(&at, 0, sizeof at);
  i64 result = call(getsockname, held.file, &at, &size);
  if (result == 0 && isNetwork(at.family) && !(plan->flags & NETWORK_OPEN)) {
    if (!at.four.port) {
      setLoopback(&at, 0);
      result = call(bind, held.file, &at, sizeOf(at.family));
    } else if (!isLoopback(&at)) result = -EACCES;
  }
  if (result == 0) result = isValid(asked) ? call(listen, held.file, argument(asked, 1)) : -ESRCH;
  shut(held.file);
  return result;
}

/* ---- signals and files ---- */
static i64 superviseSignal(asking *asked, int *goOn) {
  int pid = (int)argument(asked, 0), signal = (int)argument(asked, 1);
  /* To the own group, or to everybody: those of its own domain are all there is. */
  *goOn = (pid == 0 || pid == -1) && plan->flags & SIGNALS_SCOPED;
  if (*goOn) return 0;
  if (pid == -1) return -EPERM;
  /* Hermes sends it to a group: the launcher of the command is one of it, and must not end. */
  if (pid <= 0) return -ask(ASK_GROUP, pid == 0 ? (u32)call(getpgid, asked->pid) : (u32)-pid, signal);
  i64 there = call(kill, pid, 0);
  if (there < 0) return there;
  if (ask(SIGNAL, pid, 0) != 0) return -EPERM;
  return isValid(asked) ? call(kill, pid, signal) : -ESRCH;
}
/* Another process is named by a number, which the kernel reads from the same register: it may go on. */
static i64 superviseTarget(asking *asked, struct row *row, int *goOn) {
  u32 group = groupOf((u32)argument(asked, (int)row->value));
  *goOn = group != 0 && (group == groupOf(asked->pid) || ask(SIGNAL, group, 0) == 0);
  return group ? -EPERM : -ESRCH;
}
/* Times in the form of utimensat, whatever form they were given in; 0 for now. */
static i64 peekTimes(asking *asked, enum act act, u64 from, i64 times[4]) {
  i64 result = peekWhole(asked, from, times, act == TIME ? 16 : 32);
  if (act == TIMEVALS) {
    if (times[1] < 0 || times[1] > 999999 || times[3] < 0 || times[3] > 999999) return -EINVAL;
    times[1] *= 1000;
    times[3] *= 1000;
  }
  if (act == TIME) {
    times[2] = times[1];
    times[1] = times[3] = 0;
  }
  return result;
}
static i64 changeFile(asking *asked, struct row *row, i64 meant, const i64 *times) {
  u64 value = argument(asked, (int)row->value);
  char own[40];
  writeOwn(own, meant);
  if (row->act == MODE) return value & S_ISUID ? -EPERM : call(fchmodat, AT_FDCWD, own, value);
  if (row->act == OWNER) return call(fchownat, meant, "", value, argument(asked, row->value + 1), AT_EMPTY_PATH);
  if (row->act != TRUNCATE) return call(utimensat, meant, "", times, AT_EMPTY_PATH);
  i64 file = call(openat, AT_FDCWD, own, O_WRONLY | O_CLOEXEC);
  i64 result = file < 0 ? file : call(ftruncate, file, value);
  shut(file);
  return result;
}
/* Mode, owner and times of a file: Landlock has no say in them. */
static i64 superviseFile(asking *asked, struct row *row) {
  char path[MAX_PATH], real[MAX_PATH];
  int folder = row->folder < 0 ? AT_FDCWD : (int)argument(asked, (int)row->folder);
  u64 flags = row->flags < 0 ? 0 : argument(asked, (int)row->flags);
  u64 pathAt = row->path < 0 ? 0 : argument(asked, (int)row->path), value = argument(asked, (int)row->value);
  int isTime = row->act >= TIMES && row->act <= TIME;
  i64 times[4];
  path[0] = 0;
  if (pathAt) {
    i64 size = peekPath(asked, pathAt, path);
    if (size < 0) return size;
    if (size == 0 && !(flags & AT_EMPTY_PATH)) return -ENOENT;
  } else if (row->path >= 0 && !isTime) return -EFAULT;
  if (isTime && value) {
    i64 result = peekTimes(asked, row->act, value, times);
    if (result < 0) return result;
  }
  i64 meant = openMeant(asked, folder, path, row->nofollow || flags & AT_SYMLINK_NOFOLLOW ? O_NOFOLLOW : 0);
  if (meant < 0) return meant;
  i64 result = liesInside(meant, 0, !path[0], real) && isValid(asked) ? changeFile(asked, row, meant, isTime && value ? times : 0) : -EPERM;
  shut(meant);
  return result;
}

static void serve(void) {
  asking asked;
  memset(&asked, 0, sizeof asked);
  if (call(ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;
  struct row *row = 0;
  for (u32 n = 0; n < plan->rows; n++)
    if (rows[n].number == (u32)asked.data.nr) row = rows + n;
  i64 result = -ENOSYS;
  int goOn = 0, isAnswered = 0;
  if (row && row->act == CONNECT) result = superviseConnect(&asked, &isAnswered);
  else if (row && row->act == BIND) result = superviseBind(&asked);
  else if (row && row->act == LISTEN) result = superviseListen(&asked, &goOn);
  else if (row && row->act == SIGNAL) result = superviseSignal(&asked, &goOn);
  else if (row && row->act == TARGET) result = superviseTarget(&asked, row, &goOn);
  else if (row) result = superviseFile(&asked, row);
  if (!isAnswered) sendAnswer(&asked, result, goOn);
}

/* ---- run ---- */
static i64 forkProcess(void) {
  return must(call(clone, SIGCHLD), "no process could be made");
}
/* As the command ended, by the same signal where it was one. */
__attribute__((noreturn)) static void leaveAs(int status) {
  int signal = status & 127;
  u64 none = 0;
  if (!signal) leave(status >> 8 & 255);
  call(rt_sigprocmask, SIG_SETMASK, &none, 0, 8);
  call(kill, call(getpid), signal);
  leave(128 + signal);
}
static void dropRights(void) {
  u32 head[2] = {0x20080522, 0}, none[6] = {0, 0, 0, 0, 0, 0};
  for (int right = 0; right < 64 && call(prctl, PR_CAPBSET_DROP, right) == 0;) right++;
  call(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL);
  must(call(capset, head, none), "its rights stay");
}
/* What is killed leaves its children to this process, so that they are found in turn. */
__attribute__((noreturn)) static void endAll(void) {
  char text[4096];
  for (;;) {
    i64 got = readSmallFile("/proc/thread-self/children", text, sizeof text);
    u64 pid = 0;
    for (char *at = text; got > 0 && *at; at++) {
      if (*at >= '0' && *at <= '9') pid = pid * 10 + (*at - '0');
      else if (pid > 1) call(kill, pid, SIGKILL), pid = 0;
    }
    if (call(wait4, -1, 0, 0, 0) == -ECHILD) leave(0);
  }
}
static void enter(const char *words) {
  u64 number[2] = {0, 0}, *at = number;
  for (; *words; words++) {
    if (*words == ':') at = number + 1;
    else *at = *at * 10 + (*words - '0');
  }
  i64 process = must(call(pidfd_open, number[0], 0), "its sandbox is gone");
  must(call(setns, process, number[1]), "its sandbox cannot be entered");
  shut(process);
}
/* In the command's own process: nothing is let through before all of it holds. */
static void shutIn(i64 ruleset, i64 supervisor) {
  struct {
    u64 count;
    u8 *rows;
  } program = {plan->filter / 8, filter};
  must(call(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "new rights cannot be refused");
  if (ruleset >= 0) must(call(landlock_restrict_self, ruleset, 0), "Landlock did not take");
  shut(ruleset);
  if (supervisor < 0) {
    must(call(seccomp, SECCOMP_SET_MODE_FILTER, 0, &program), "calls cannot be filtered");
    return;
  }
  u64 flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  i64 calls = call(seccomp, SECCOMP_SET_MODE_FILTER, flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
  if (calls == -EINVAL) calls = call(seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  u8 byte;
  must(sendFile(supervisor, must(calls, "calls cannot be filtered")), "its calls cannot be supervised");
  if (call(read, supervisor, &byte, 1) != 1) leave(126);
  shut(calls);
  shut(supervisor);
}
/* How the command ended, and whether it left something behind that is supervised on. */
struct ending {
  int status, staysBehind;
};
__attribute__((noreturn)) static void supervise(i64 command, i64 report) {
  u64 children = 1 << (SIGCHLD - 1);
  i64 births = must(call(signalfd4, -1, &children, 8, O_CLOEXEC | O_NONBLOCK), "it cannot be waited for"), who;
  struct waited all[3] = {{listener, POLLIN, 0}, {control, POLLIN, 0}, {(int)births, POLLIN, 0}};
  u8 sink[128];
  int status, hasEnded = 0;
  struct ending ending = {0, 0};
  for (;;) {
    await(all, 3);
    if (all[1].seen) endAll();
    if (all[2].seen) call(read, births, sink, sizeof sink);
    while ((who = call(wait4, -1, &status, WNOHANG, 0)) > 0)
      if (who == command) hasEnded = 1, ending.status = status;
    ending.staysBehind = who != -ECHILD;
    if (hasEnded && report >= 0) {
      call(write, report, &ending, sizeof ending);
      shut(report);
      report = -1;
    }
    if (!ending.staysBehind) leave(0);
    if (all[0].seen & POLLIN) serve();
    else if (all[0].seen) all[0].file = -1;
  }
}
/* Where nothing stays behind the supervisor is waited for: whoever is left over is not collected in every container. */
__attribute__((noreturn)) static void waitFor(i64 from, i64 supervisor) {
  struct ending ending;
  i64 got;
  do got = call(read, from, &ending, sizeof ending);
  while (got == -EINTR);
  if (got != sizeof ending) leaveAs(SIGKILL);
  if (!ending.staysBehind) call(wait4, supervisor, 0, 0, 0);
  leaveAs(ending.status);
}
__attribute__((noreturn)) static void run(char **words, char **environment) {
  u64 every = ~0ul, before;
  int report[2], pair[2] = {-1, -1}, status;
  i64 ruleset = -1, command;
  readPlan(words[0]);
  int isSupervised = (plan->flags & SUPERVISE) != 0;
  call(close_range, 4, ~0u, 0);
  /* The command has 0 to 2, and 3 where it was given: what is opened here comes after them. */
  i64 fourth = call(openat, AT_FDCWD, "/", O_PATH | O_CLOEXEC);
  if (fourth > 3) shut(fourth);
  call(rt_sigprocmask, SIG_SETMASK, &every, &before, 8);
  if (plan->holder > 1) {
    i64 door = must(openSocketAt(holder, 0), "its ruleset is gone");
    ruleset = must(receiveFile(door), "its ruleset did not come");
    shut(door);
  }
  if (isSupervised) control = (int)must(openSocketAt(hermes, 0), "Hermes does not answer");
  if (*words[1] != '-') enter(words[1]);
  if (isSupervised) {
    must(call(pipe2, report, O_CLOEXEC), "there is no pipe");
    i64 supervisor = forkProcess();
    if (supervisor) {
      shut(report[1]);
      shut(control);
      waitFor(report[0], supervisor);
    }
    shut(report[0]);
    call(prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    must(call(socketpair, AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0, pair), "there is no pipe");
    if (plan->flags & DROP_RIGHTS) dropRights();
  }
  command = forkProcess();
  if (!command) {
    shut(pair[0]);
    if (!isSupervised && plan->flags & DROP_RIGHTS) dropRights();
    if (plan->filter) shutIn(ruleset, pair[1]);
    call(rt_sigprocmask, SIG_SETMASK, &before, 0, 8);
    fail(words[2], call(execve, words[2], words + 2, environment));
  }
  if (!isSupervised) {
    while (call(wait4, command, &status, 0, 0) != command) {}
    leaveAs(status);
  }
  shut(pair[1]);
  shut(ruleset);
  listener = (int)receiveFile(pair[0]);
  if (listener < 0) endAll();
  u32 hello[3] = {0, (u32)call(getpid), 0};
  call(sendto, control, hello, sizeof hello, MSG_NOSIGNAL);
  call(write, pair[0], "g", 1);
  shut(pair[0]);
  /* The streams are the command's: whoever reads them sees their end with it. */
  for (int file = 0; file < 4; file++) shut(file);
  supervise(command, report[1]);
}

__attribute__((used)) void begin(u64 *stack) {
  char **words = (char **)(stack + 1);
  u64 count = *stack;
  if (count == 2 && same(words[1], "level", 6)) {
    i64 level = call(landlock_create_ruleset, 0, 0, 1);
    char text[24];
    /* Without this list, what a command leaves behind would not be found. */
    i64 list = call(openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) level = 0;
    call(write, 1, text, writeNumber(text, level < 0 ? 0 : level) - text);
    leave(0);
  }
  if (count == 4 && same(words[1], "hold", 5)) hold(words[2], words[3]);
  if (count >= 5 && same(words[1], "run", 4)) run(words + 2, words + count + 1);
  fail("it is not called like this", 0);
}

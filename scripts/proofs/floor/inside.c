/* What the proof of the floor needs inside a machine without Node: the servers outside the floor, and attempts that no shell can make. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int tell(long result) {
  puts(result < 0 ? strerrorname_np(errno) : "done");
  return 0;
}
static socklen_t nameSocket(struct sockaddr_un *to, const char *name) {
  memset(to, 0, sizeof *to);
  to->sun_family = AF_UNIX;
  memcpy(to->sun_path, name, strlen(name));
  if (*name != '@') return sizeof *to;
  to->sun_path[0] = 0;
  return offsetof(struct sockaddr_un, sun_path) + strlen(name);
}
static int openSocket(const char *name, int listens) {
  struct sockaddr_un path;
  struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons(atoi(name)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int isPort = *name >= '0' && *name <= '9', made = socket(isPort ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
  struct sockaddr *at = isPort ? (struct sockaddr *)&port : (struct sockaddr *)&path;
  socklen_t size = isPort ? sizeof port : nameSocket(&path, name);
  if (isPort) setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  int done = listens ? bind(made, at, size) || listen(made, 16) : connect(made, at, size);
  return done == 0 ? made : -1;
}
static int parentOf(int pid) {
  char path[32], text[512];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fgets(text, sizeof text, file) && strrchr(text, ')')) sscanf(strrchr(text, ')') + 1, " %*c %d", &parent);
  fclose(file);
  return parent;
}
/* Answers launchers as Hermes does: ALLOWED may be connected to and the next port be bound, and what runs below a launcher may be sent signals. */
static int control(const char *path, int allowed) {
  struct pollfd all[64] = {{openSocket(path, 1), POLLIN, 0}};
  int launchers[64] = {0}, count = 1;
  for (;;) {
    poll(all, count, -1);
    if (all[0].revents && count < 64) all[count].fd = accept4(all[0].fd, 0, 0, SOCK_CLOEXEC), all[count++].events = POLLIN;
    for (int at = 1; at < count; at++) {
      unsigned words[3];
      char path[4096];
      if (!all[at].revents) continue;
      if (read(all[at].fd, words, sizeof words) != sizeof words) {
        close(all[at].fd);
        count--;
        all[at] = all[count], launchers[at] = launchers[count], all[at].revents = 0;
        continue;
      }
      /* A socket that only commands listen on: its path comes behind the words. */
      int isPath = words[0] == 20;
      if (isPath && read(all[at].fd, path, words[1]) != (int)words[1]) return 1;
      int answer = isPath ? 0 : words[0] == 4 || (int)words[1] != allowed + (words[0] == 2) ? EACCES : 0;
      if (words[0] == 0) {
        launchers[at] = words[1];
        continue;
      }
      for (int pid = words[0] == 4 ? parentOf(words[1]) : 0; pid > 1; pid = parentOf(pid))
        for (int each = 1; each < count; each++)
          if (launchers[each] == pid) answer = 0;
      if (write(all[at].fd, &answer, sizeof answer) < 0) return 1;
    }
  }
}
static int serve(int listening) {
  for (int asked; (asked = accept(listening, 0, 0)) >= 0;) close(asked);
  return 1;
}
/* Sends SIGKILL through the owner of a pipe. */
static int signalByFile(int pid) {
  int both[2];
  if (pipe(both) || fcntl(both[0], F_SETSIG, SIGKILL) || fcntl(both[0], F_SETOWN, pid)) return tell(-1);
  fcntl(both[0], F_SETFL, O_ASYNC);
  return tell(write(both[1], "x", 1));
}
static int listFiles(void) {
  for (int file = 0; file < 1024; file++)
    if (fcntl(file, F_GETFD) >= 0) printf("%d ", file);
  return 0;
}
int main(int count, char **words) {
  const char *what = count > 2 ? words[1] : "", *about = count > 2 ? words[2] : "", *more = count > 3 ? words[3] : "0";
  int number = atoi(about), flags = (int)strtol(more, 0, 8);
  char request[64];
  if (!strcmp(what, "as")) {
    if (setgroups(0, 0) || setgid(number) || setuid(number)) return 1;
    execvp(words[3], words + 3);
    return 1;
  }
  if (!strcmp(what, "control")) return control(about, atoi(more));
  if (!strcmp(what, "serve")) return serve(openSocket(about, 1));
  if (!strcmp(what, "connect")) return tell(openSocket(about, 0));
  if (!strcmp(what, "listen")) return tell(openSocket(about, 1));
  if (!strcmp(what, "rename")) return tell(rename(about, more));
  if (!strcmp(what, "truncate")) return tell(truncate(about, 0));
  if (!strcmp(what, "open")) return tell(open(about, flags));
  if (!strcmp(what, "request")) return tell(ioctl(open(about, flags | O_NONBLOCK | O_NOCTTY), 0x5401, request));
  if (!strcmp(what, "thread")) return tell(syscall(SYS_tgkill, number, number, SIGKILL));
  if (!strcmp(what, "told")) return signalByFile(number);
  if (!strcmp(what, "files")) return listFiles();
  return 2;
}

/* Faults of the system, switched on from outside: loaded with LD_PRELOAD by the long tests.
 * FAULTS_CONTROL names a file of two 64-bit numbers: the errno that writing below FAULTS_FOLDER gives (0: none),
 * and by how many seconds the clock on the wall is wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *control;
static const char *folder;

__attribute__((constructor)) static void start(void) {
  const char *name = getenv("FAULTS_CONTROL");
  folder = getenv("FAULTS_FOLDER");
  int fd = name ? open(name, O_RDONLY) : -1;
  if (fd < 0) return;
  void *at = mmap(NULL, 16, PROT_READ, MAP_SHARED, fd, 0);
  if (at != MAP_FAILED) control = at;
  close(fd);
}

static int below(const char *path) { return folder && path && strncmp(path, folder, strlen(folder)) == 0; }

static int fails(int fd) {
  if (!control || !control[0]) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  if (!below(path)) return 0;
  errno = (int)control[0];
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *b, size_t n) { return fails(fd) ? -1 : REAL(write)(fd, b, n); }
ssize_t writev(int fd, const struct iovec *v, int n) { return fails(fd) ? -1 : REAL(writev)(fd, v, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { return fails(fd) ? -1 : REAL(pwrite)(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { return fails(fd) ? -1 : REAL(pwrite64)(fd, b, n, o); }
int ftruncate(int fd, off_t n) { return fails(fd) ? -1 : REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fails(fd) ? -1 : REAL(ftruncate64)(fd, n); }

static int refuses(const char *path, int flags) {
  if (!control || !control[0] || !(flags & (O_CREAT | O_WRONLY | O_RDWR)) || !below(path)) return 0;
  errno = (int)control[0];
  return 1;
}

#define OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                           \
    va_list more;                                                        \
    va_start(more, flags);                                               \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                        \
    return refuses(path, flags) ? -1 : REAL(name)(path, flags, mode);    \
  }
OPEN(open)
OPEN(open64)

int clock_gettime(clockid_t which, struct timespec *t) {
  int done = REAL(clock_gettime)(which, t);
  if (done == 0 && which == CLOCK_REALTIME && control) t->tv_sec += control[1];
  return done;
}
int gettimeofday(struct timeval *restrict t, void *restrict zone) {
  int done = REAL(gettimeofday)(t, zone);
  if (done == 0 && control) t->tv_sec += control[1];
  return done;
}
time_t time(time_t *t) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (t) *t = now.tv_sec;
  return now.tv_sec;
}

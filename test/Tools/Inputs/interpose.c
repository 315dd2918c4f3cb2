/* Stands between a program and the C library, to be preloaded. Environment:
 *
 *   KILL=before-exchange, KILL=after-exchange
 *       ends the process at the exchange of two folders
 *   FAIL=STEP:ERROR,...
 *       lets a step fail: noreplace, exchange, rename-to-place (to `package`)
 *   MEANWHILE=COMMAND
 *       runs a command before the first step
 *   FULL=TEXT
 *       lets no file be written with the text in its name */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int has(const char *variable, const char *text) {
  const char *value = getenv(variable);
  return value && strstr(value, text);
}

/* The error that the step has to fail with; 0 if it has not. */
static int getError(const char *step) {
  char io[64], invalid[64];
  snprintf(io, sizeof(io), "%s:EIO", step);
  snprintf(invalid, sizeof(invalid), "%s:EINVAL", step);
  return has("FAIL", io) ? EIO : has("FAIL", invalid) ? EINVAL : 0;
}

static void *find(const char *name) { return dlsym(RTLD_NEXT, name); }

int renameat2(int oldFolder, const char *old, int newFolder, const char *new,
              unsigned flags) {
  int (*next)(int, const char *, int, const char *, unsigned) =
      find("renameat2");
  int isExchange = flags == RENAME_EXCHANGE;
  const char *command = getenv("MEANWHILE");
  if (command) {
    char copy[256];
    snprintf(copy, sizeof(copy), "%s", command);
    unsetenv("MEANWHILE");
    if (system(copy) != 0)
      abort();
  }
  if ((errno = getError(isExchange ? "exchange" : "noreplace")) != 0)
    return -1;
  if (isExchange && has("KILL", "before-exchange"))
    raise(SIGKILL);
  int result = next(oldFolder, old, newFolder, new, flags);
  if (isExchange && has("KILL", "after-exchange"))
    raise(SIGKILL);
  return result;
}

int rename(const char *old, const char *new) {
  int (*next)(const char *, const char *) = find("rename");
  /* What is put back has another name than what is new. */
  if (strcmp(new, "package") == 0 && !strstr(old, ".old") &&
      (errno = getError("rename-to-place")) != 0)
    return -1;
  return next(old, new);
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t (*next)(int, const void *, size_t) = find("write");
  char link[64], name[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof(name) - 1);
  if (getenv("FULL") && length > 0) {
    name[length] = 0;
    if (strstr(name, getenv("FULL"))) {
      errno = ENOSPC;
      return -1;
    }
  }
  return next(file, bytes, count);
}

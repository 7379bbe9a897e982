/*
 * A disk with faults, for LD_PRELOAD: changes of files fail with LIGHTPROOF_DISK_ERRNO. The first
 * LIGHTPROOF_DISK_AFTER of them succeed, then LIGHTPROOF_DISK_TIMES fail, and those after them
 * succeed again. Where LIGHTPROOF_DISK_ERRNO is EROFS, opening a file for writing is such a change.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long count;

static long setting(const char *name) {
    const char *text = getenv(name);
    return text == NULL ? 0 : atol(text);
}

/* Whether this change fails; errno is set then. */
static int fails(void) {
    long number = atomic_fetch_add(&count, 1) - setting("LIGHTPROOF_DISK_AFTER");
    if (number < 0 || number >= setting("LIGHTPROOF_DISK_TIMES")) return 0;
    errno = (int)setting("LIGHTPROOF_DISK_ERRNO");
    return 1;
}

/* Pipes and sockets are no part of the disk. */
static int is_file(int fd) {
    struct stat status;
    return fd > 2 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

#define CHANGE(result, name, parameters, arguments)                       \
    result name parameters {                                              \
        result(*next) parameters = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
        if (is_file(fd) && fails()) return -1;                            \
        return next arguments;                                            \
    }

CHANGE(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
CHANGE(ssize_t, writev, (int fd, const struct iovec *parts, int number), (fd, parts, number))
CHANGE(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t at), (fd, bytes, length, at))
CHANGE(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at),
       (fd, bytes, length, at))
CHANGE(int, fsync, (int fd), (fd))
CHANGE(int, fdatasync, (int fd), (fd))
CHANGE(int, ftruncate, (int fd, off_t length), (fd, length))
CHANGE(int, ftruncate64, (int fd, off64_t length), (fd, length))

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        va_list rest;                                                     \
        va_start(rest, flags);                                            \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                     \
        int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        int changes = (flags & O_ACCMODE) != O_RDONLY && path[1] != 'd';  \
        if (changes && setting("LIGHTPROOF_DISK_ERRNO") == EROFS && fails()) return -1; \
        return next(path, flags, mode);                                   \
    }

OPEN(open)
OPEN(open64)
